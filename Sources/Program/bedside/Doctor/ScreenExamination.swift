import CSystem
import Dashboard
import Doctor
import Glibc
import Terminal
import UserFiles

/// Examines the terminal and the other alarm signals.
enum ScreenExamination {
    /// Completes facts with the terminal, the locale and the signals.
    static func run(_ facts: inout Facts) {
        // Read first, because TerminalTraits sets the locale.
        facts.locale.name = ["LC_ALL", "LC_CTYPE", "LANG"].compactMap(Environment.value).first ?? ""
        facts.locale.isInstalled = setlocale(LC_CTYPE, "") != nil
        let traits = TerminalTraits.current()
        facts.locale.codeset = traits.codeset
        facts.locale.glyphs = traits.suitableGlyphs.rawValue
        facts.locale.sample = traits.suitableGlyphs.sample
        facts.signals.isRemote = Environment.isRemote
        guard let size = terminalSize() else { return }
        let capabilities = TerminalCapabilities(type: traits.type)
        facts.signals.hasBell = capabilities.hasBell
        facts.terminal = TerminalFacts(
            type: traits.type, isKnown: capabilities.isKnown, colors: capabilities.colorCount,
            isColorRefused: traits.isColorRefused, columns: size.columns, rows: size.rows)
    }

    /// The size of the controlling terminal, even if the output goes into a pipe.
    private static func terminalSize() -> (columns: Int, rows: Int)? {
        let controlling = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
        defer { if controlling >= 0 { close(controlling) } }
        for descriptor in [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO, controlling] where isatty(descriptor) == 1 {
            var window = winsize()
            guard csystem_window_size(descriptor, &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
                return (80, 24)
            }
            return (Int(window.ws_col), Int(window.ws_row))
        }
        return nil
    }
}
