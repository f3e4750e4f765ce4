import CNcurses

/// The capabilities of a terminal type from the terminfo database; writes nothing to a terminal.
public struct TerminalCapabilities: Hashable, Sendable {
    /// Whether the type is known and can move its cursor, which the screen needs.
    public let isKnown: Bool
    /// The number of colours; 0 for none.
    public let colorCount: Int
    public let hasBell: Bool

    /// Looks up a type, such as `xterm-256color`.
    ///
    /// Do not call it while a ``Terminal`` is shown, because ncurses handles one type at a time.
    public init(type: String) {
        // Quirk initscr-exits: with a place for its error, setupterm does not end the program either.
        guard !type.isEmpty, cncurses_look_up(type) == 0 else {
            (isKnown, colorCount, hasBell) = (false, 0, false)
            return
        }
        isKnown = cncurses_capability("cup") != nil
        colorCount = max(0, Int(tigetnum("colors")))
        hasBell = cncurses_capability("bel") != nil
    }
}
