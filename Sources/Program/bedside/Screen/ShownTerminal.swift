import Appearance
import Configuration
import Dashboard
import Glibc
import Engine
import Terminal
import UserFiles

/// The terminal, configured by the settings, until it is restored.
@ScreenActor
struct ShownTerminal {
    let terminal: Terminal

    /// Takes control of the terminal.
    ///
    /// - Parameter sentence: What stands below if the program is killed, before the time of day.
    /// - Throws: `TerminalError` when it cannot be used.
    init(_ settings: Settings, ifKilled sentence: String) throws(TerminalError) {
        var traits = TerminalTraits.current()
        switch settings.screen.color {
        case .never: traits.isColorRefused = true
        case .always: traits.isColorRefused = false
        case .auto: break
        }
        traits.deepestColor = settings.screen.colors.depth
        CrashGuard.install()
        let terminal = try Terminal(
            traits: traits, isCursorShown: settings.screen.isCursorShown, hasTitle: settings.screen.showsTitle)
        terminal.beginGuard(sentence: sentence)
        terminal.useMouse(settings.screen.usesMouse)
        terminal.learnGround()
        terminal.useTheme(of: settings.screen)
        self.terminal = terminal
    }

    /// The terminal's bell; `nil` where it has none.
    func bell() -> sending AlarmBell? {
        guard terminal.hasBell else { return nil }
        return AlarmBell(on: ScreenActor.loop) { ScreenActor.assumeIsolated { self.terminal.ring() } }
    }

    /// A screen's state, configured by terminal and settings.
    func screen(_ start: ScreenState, _ settings: Settings, _ items: [SettingItem]) -> ScreenState {
        var screen = start
        screen.apply(settings, suitableGlyphs: terminal.traits.suitableGlyphs)
        screen.settings.items = items
        if !terminal.hasBell { screen.session.soundMeans = .notAvailable }
        if settings.monitor.alarmSignals.isSoundOff { screen.session.soundMeans = .off }
        return screen
    }
}

extension Terminal {
    /// Draws with the theme and the colours of settings from the next frame on.
    func useTheme(of look: Settings.Screen) {
        use(deepest: look.color == .never ? ColorDepth.none : look.colors.depth ?? .direct) { ground in
            (try? ThemeFolder.theme(for: look, on: ground)) ?? .dark
        }
    }
}

extension SpeakerUse {
    /// The use of the sound system for a program on a terminal: with a remote terminal, the speakers may be far from
    /// the user.
    static var ofTerminal: SpeakerUse {
        Environment.isRemote ? .besideBell : .insteadOfBell
    }
}
