import Configuration
import Dashboard
import MonitorLink
import Monitoring
import Terminal
import Vitals

// Settings that are changed while the program runs.
extension ScreenController {
    /// Changes a setting, and lets everything that goes by it follow.
    func changeSetting(_ name: String, _ change: SettingChange) {
        let old = keeper.desk.settings
        if attached != nil, !Self.isOfTheLook(name) {
            screen.settingRefused(
                "it belongs to the monitor that this is a view of; change it in its file, and reload it")
            return changed()
        }
        do throws(ConfigurationMistake) {
            let result = try keeper.change(name, change)
            let new = keeper.desk.settings
            screen.settingsChanged(keeper.desk.items)
            screen.follow(from: old, to: new, suitableGlyphs: terminal.traits.suitableGlyphs)
            if old.screen != new.screen { show(new.screen) }
            if old.alarms != new.alarms { outlet.follow(new.alarms) }
            if old.monitor.alarmSignals.isSoundOff != new.monitor.alarmSignals.isSoundOff {
                screen.soundMeans =
                    new.monitor.alarmSignals.isSoundOff ? .off : terminal.hasBell ? .bellOnly : .notAvailable
            }
            fold(.settings(new.monitorSettings, name: result.name, value: result.value, at: feed.now()))
            if let complaint = keeper.skippedTheme { screen.message = complaint }
        } catch {
            screen.settingRefused(error.reason)
        }
        changed()
    }

    /// Whether a setting is about how the screen looks, and so a matter of each view.
    private static func isOfTheLook(_ name: String) -> Bool {
        ["screen.", "theme.", "keys."].contains { name.hasPrefix($0) }
    }

    private func show(_ look: Settings.Screen) {
        terminal.useMouse(look.usesMouse)
        terminal.showCursor(look.isCursorShown)
        let theme = try? ThemeFolder.theme(for: look, hasLightBackground: terminal.traits.hasLightBackground)
        terminal.use(theme ?? .dark, deepest: look.color == .never ? ColorDepth.none : look.colors.depth ?? .direct)
    }

    /// Keeps the changed settings in the configuration file.
    func keepSettings() {
        screen.message = keeper.keep()
        screen.settings.items = keeper.desk.items
        changed()
    }

    /// Keeps a rule about the values of a vital in the configuration file; it is no change of the user's any more then.
    func keep(_ setting: LimitSetting, of vital: Vital) {
        if attached != nil { return wish(.keepLimit(vital, setting)) }
        let kept = keeper.keep(setting, of: vital, isNight: state.profile != nil)
        screen.message = kept.sentence
        screen.settings.items = keeper.desk.items
        if let settings = kept.settings {
            fold(.settings(settings, name: nil, value: nil, at: feed.now()))
            patient.keep(state.memory)
        }
        changed()
    }
}

extension ScreenState {
    /// Takes over what has changed of the look; what the viewer has chosen by keys stays.
    mutating func follow(from old: Settings, to new: Settings, suitableGlyphs: GlyphSet) {
        if old.screen.bed != new.screen.bed { title = new.screen.bed }
        if old.screen.units != new.screen.units {
            temperatureUnit = new.screen.units == .fahrenheit ? .fahrenheit : .celsius
        }
        glyphs = GlyphSet(rawValue: new.screen.glyphs.rawValue) ?? suitableGlyphs
        if old.sensors.signalFloor != new.sensors.signalFloor { strengthFloor = new.sensors.signalFloor }
        if old.screen.trendWindow != new.screen.trendWindow { trends.show(new.screen.trendWindow) }
        keys = new.screen.keys
    }
}
