/// The glow below the line of a trend: its own dots, which fade with the distance and end before they mean anything.
///
/// It makes the line easy to find and its gaps easy to see. It is not an area: its lower edge has no value.
struct TrendGlow {
    /// How many cells below the line it reaches.
    let reach: Int

    /// Where the line is a row lower within this many cells on either side, it fades from there, so that little of it changes
    /// while the trend moves.
    static let width = 2

    /// The glow in a graph of a height: none where the line needs all rows.
    init(rows: Int) {
        reach = rows <= 2 ? 0 : rows <= 4 ? 2 : 5
    }

    /// The dots of a braille cell that are left at a distance, in cells below the line from 1.
    ///
    /// - Returns: 0 for no glow.
    func dots(at depth: Int) -> UInt8 {
        guard depth <= reach else { return 0 }
        switch depth {
        case ...3: return 0xFF
        case 4: return 0x95
        default: return 0x21
        }
    }

    /// The block at a distance.
    func block(at depth: Int) -> Unicode.Scalar? {
        guard depth <= reach else { return nil }
        return depth == 1 ? "▓" : depth == 2 ? "▒" : "░"
    }

    /// The character of ASCII at a distance.
    func character(at depth: Int, cell: Int) -> Unicode.Scalar? {
        guard depth <= min(reach, 3) else { return nil }
        return depth < 3 ? ":" : cell.isMultiple(of: 2) ? "." : nil
    }
}
