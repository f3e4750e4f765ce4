import CNcurses

/// What the system's descriptions say that a type of terminal can do; nothing is written to any terminal for it.
public struct TerminalCapabilities: Hashable, Sendable {
    /// Whether the type is known and can move its cursor, as the screen needs it.
    public let isKnown: Bool
    /// How many colours it has; 0 for none.
    public let colorCount: Int
    /// Whether it has a bell.
    public let hasBell: Bool

    /// Looks a type up, such as `xterm-256color`.
    ///
    /// It must not be called while a ``Terminal`` is shown, for ncurses knows one type at a time.
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
