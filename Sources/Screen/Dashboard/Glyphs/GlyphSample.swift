import Appearance
import Base

extension GlyphSet {
    /// Samples of every kind of character on the screen, to check the font by eye.
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
