import Base
import CSystem
import Configuration
import Glibc
import UserFiles
import Vitals

/// What standard output shows.
public enum StandardOutput {
    public static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The width of a line in characters: `COLUMNS`, else the terminal's width, else 80.
    public static var width: Int {
        if let columns = Environment.value("COLUMNS").flatMap({ Int($0) }), (1...10_000).contains(columns) {
            return columns
        }
        var size = winsize()
        return csystem_window_size(STDOUT_FILENO, &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
    }

    /// Whether text on it is coloured: as `--color` says, or else on a terminal unless the user has disabled colours.
    ///
    /// - Parameters:
    ///   - arguments: The command line.
    ///   - isAble: Whether the terminal supports colours, as far as is known.
    /// - Throws: ``UsageError`` for an invalid value of `--color`.
    public static func showsColors(
        _ arguments: CommandLineArguments, ifAble isAble: Bool = true
    ) throws(UsageError) -> Bool {
        switch try arguments.value(.color) ?? .auto {
        case .always: return true
        case .never: return false
        case .auto:
            // NO_COLOR: https://no-color.org
            guard isAble, isTerminal, Environment.value("NO_COLOR") == nil else { return false }
            return !["dumb", nil].contains(Environment.value("TERM"))
        }
    }
}
