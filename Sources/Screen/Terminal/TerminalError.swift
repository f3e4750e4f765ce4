/// Why a terminal cannot be used for the screen.
public enum TerminalError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Standard input or output is not a terminal.
    case notATerminal
    /// `TERM` is not set.
    case noTerminalType
    /// The type in `TERM` is unknown.
    case unknownTerminalType(String)
    /// The terminal cannot move its cursor, so no screen can be drawn on it.
    case noCursorMovement(String)

    /// A sentence for the user, with the remedy.
    public var description: String {
        switch self {
        case .notATerminal:
            "The screen needs a terminal; without one, use: bedside watch, or bedside watch --json"
        case .noTerminalType:
            "TERM is not set, so the terminal's abilities are unknown; try: TERM=xterm-256color bedside"
        case .unknownTerminalType(let name):
            "The terminal type \"\(name)\" is not known here; try: TERM=xterm-256color bedside"
        case .noCursorMovement(let name):
            "A terminal of type \"\(name)\" cannot show the screen; use: bedside watch"
        }
    }
}
