import CNcurses

extension Terminal {
    /// Whether the terminal has a bell; whether anybody hears it is another matter.
    public var hasBell: Bool { cncurses_capability("bel") != nil }

    /// Rings the terminal's bell once, if it has one, shows our screen and can be reached.
    public func ring() {
        if takesOutput, let sequence = cncurses_capability("bel") { write(sequence) }
    }
}
