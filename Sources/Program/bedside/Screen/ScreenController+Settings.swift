import Appearance
import Base
import Configuration
import Dashboard
import Engine
import Terminal
import Vitals

// Changes of settings while the program runs.
extension ScreenController {
    /// Changes a setting, or shows why it cannot be changed.
    func changeSetting(_ name: String, _ change: SettingChange) {
        if monitor.feed.view != nil, SettingTable.setting(named: name)?.isOfTheLook != true {
            screen.settingRefused(
                "it belongs to the monitor that this is a view of; change it in its file, and reload it")
            return changed()
        }
        let result = monitor.assumeIsolated { monitor in
            Result { () throws(ConfigurationError) in try monitor.changeSetting(name, change) }
        }
        if case .failure(let error) = result { screen.settingRefused(error.reason) }
        changed()
    }

    /// Keeps the changed settings in the configuration file.
    func keepSettings() {
        let (sentence, items) = monitor.assumeIsolated { ($0.keepSettings(), $0.settingItems) }
        screen.dialogs.message = sentence
        screen.settings.items = items
        changed()
    }

    /// Applies changed settings to the screen.
    func settingsChanged(from old: Settings) {
        let (new, items) = monitor.assumeIsolated { ($0.settings, $0.settingItems) }
        screen.settingsChanged(items)
        screen.follow(from: old, to: new, suitableGlyphs: terminal.traits.suitableGlyphs)
        if old.screen != new.screen { show(new.screen) }
        readWaves(new.screen.waves)
        if old.monitor.alarmSignals.isSoundOff != new.monitor.alarmSignals.isSoundOff {
            screen.session.soundMeans =
                new.monitor.alarmSignals.isSoundOff ? .off : terminal.hasBell ? .bellOnly : .notAvailable
        }
    }

    private func show(_ look: Settings.Screen) {
        terminal.useMouse(look.usesMouse)
        terminal.showCursor(look.isCursorShown)
        terminal.useTheme(of: look)
    }
}

extension ScreenState {
    /// Applies changed settings of the look; choices made by keys stay.
    mutating func follow(from old: Settings, to new: Settings, suitableGlyphs: GlyphSet) {
        if old.screen.bed != new.screen.bed { session.title = new.screen.bed }
        if old.screen.units != new.screen.units { units.temperature = new.screen.units }
        units.glucose = new.screen.glucoseUnit
        glyphs = GlyphSet(rawValue: new.screen.glyphs.rawValue) ?? suitableGlyphs
        if old.sensors.signalFloor != new.sensors.signalFloor { list.strengthFloor = new.sensors.signalFloor }
        if old.screen.trendWindow != new.screen.trendWindow { trends.show(new.screen.trendWindow.window) }
        keys = new.screen.keys
    }
}
