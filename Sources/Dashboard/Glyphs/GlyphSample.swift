extension GlyphSet {
    /// Some of every kind of character that the screen draws with, for eyes that judge whether the font has them.
    public var sample: String {
        let marks = [heart, full, half, empty, alarm, pointer, arrow, atLeast, oxygenSaturation + " %", degree + "C"]
        let lines = "\(frame.corners[0])\(frame.horizontal)\(frame.corners[1])"
        let shapes =
            switch self {
            case .braille: "⣀⣤⣶⣿⡇⠉ ▄▀█"
            case .blocks: "▄▀█"
            case .ascii: "#_.-"
            }
        return marks.joined(separator: " ") + " \(lines) \(shapes)"
    }
}
