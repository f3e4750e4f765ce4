import CNcurses

extension Terminal {
    /// Whether the terminal has a bell, audible or not.
    public var hasBell: Bool { cncurses_capability("bel") != nil }

    /// Rings the terminal's bell once, if it has one, it shows the screen and accepts output.
    public func ring() {
        if takesOutput, let sequence = cncurses_capability("bel") { write(sequence) }
    }
}
