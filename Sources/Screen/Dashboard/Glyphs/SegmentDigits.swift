/// Digits, and the letters of a few words, made of segments, at any size.
struct SegmentDigits: Hashable {
    /// The width of a digit in pixels, equal to that in cells.
    let columns: Int
    /// The height of a digit in cells.
    let cellRows: Int
    /// The height of a digit in pixels.
    let rows: Int
    /// The width of an upright segment in pixels.
    let upright: Int
    /// The height of a lying segment in pixels.
    let lying: Int

    /// The shape for a size in cells, with two square pixels to a cell, or one upright pixel in ASCII.
    init(cellRows: Int, columns: Int, isASCII: Bool) {
        self.columns = columns
        self.cellRows = cellRows
        rows = isASCII ? cellRows : cellRows * 2
        let stroke = Self.stroke(cellRows: cellRows)
        upright = max(1, min(stroke, (columns - 2) / 2))
        let usual = isASCII ? (cellRows + 5) / 6 : stroke
        // The letters of a word may be narrower than digits: then all their strokes are thin.
        lying = max(1, upright < stroke ? min(upright, usual, rows / 5) : min(usual, (rows - 2) / 3))
    }

    /// The width of a stroke in columns: at least a sixth of the height, for a column is as wide as half a row is high.
    private static func stroke(cellRows: Int) -> Int { max(2, (cellRows + 2) / 3) }

    /// The widths at which digits of a height have good proportions, and holes between their strokes.
    static func widths(cellRows: Int) -> ClosedRange<Int> {
        let least = max(2 * stroke(cellRows: cellRows) + 2, cellRows * 7 / 10)
        return least...max(least, cellRows * 8 / 5)
    }

    /// The least height in cells.
    static func leastRows(isASCII: Bool) -> Int { isASCII ? 5 : 4 }

    /// Whether a character has ink at a pixel.
    func isSet(_ character: Unicode.Scalar, _ x: Int, _ y: Int) -> Bool {
        let segments = Self.segments(of: character)
        let middle = (rows - lying) / 2
        let center = (columns - upright) / 2
        let isLeft = x < upright
        let isRight = x >= columns - upright
        let isUpper = y < middle + (lying + 1) / 2
        if isCutCorner(segments, x, y) { return false }
        if segments.contains(.top), y < lying { return true }
        if segments.contains(.flag), y < lying, x < center { return x >= columns / 5 }
        if segments.contains(.middle), y >= middle, y < middle + lying {
            return character == "-" ? x >= columns / 5 && x < columns - columns / 5 : true
        }
        if segments.contains(.bottom), y >= rows - lying { return true }
        if segments.contains(.center), x >= center, x < center + upright { return true }
        if segments.contains(.diagonal), isOnDiagonal(x, y) { return true }
        if isLeft { return segments.contains(isUpper ? .upperLeft : .lowerLeft) }
        if isRight { return segments.contains(isUpper ? .upperRight : .lowerRight) }
        return false
    }

    /// From the upper left to the lower right corner.
    private func isOnDiagonal(_ x: Int, _ y: Int) -> Bool {
        let start = y * (columns - upright) / max(1, rows - 1)
        return x >= start && x < start + upright
    }

    /// Outer corners at which two segments meet are rounded by a pixel.
    private func isCutCorner(_ segments: Segments, _ x: Int, _ y: Int) -> Bool {
        // Thin strokes would fall apart.
        guard upright > 1, x == 0 || x == columns - 1, y == 0 || y == rows - 1 else { return false }
        let lying: Segments = y == 0 ? .top : .bottom
        let upright: Segments =
            switch (x == 0, y == 0) {
            case (true, true): .upperLeft
            case (false, true): .upperRight
            case (true, false): .lowerLeft
            case (false, false): .lowerRight
            }
        return segments.isSuperset(of: [lying, upright])
    }

    private struct Segments: OptionSet {
        let rawValue: UInt16
        static let top = Segments(rawValue: 1)
        static let upperRight = Segments(rawValue: 2)
        static let lowerRight = Segments(rawValue: 4)
        static let bottom = Segments(rawValue: 8)
        static let lowerLeft = Segments(rawValue: 16)
        static let upperLeft = Segments(rawValue: 32)
        static let middle = Segments(rawValue: 64)
        /// Upright, from top to bottom.
        static let center = Segments(rawValue: 128)
        /// The flag of a 1, from the left to the top of the centre.
        static let flag = Segments(rawValue: 256)
        /// From the upper left to the lower right.
        static let diagonal = Segments(rawValue: 512)

        // Called for every pixel; in a program without optimisation the protocol's own is ten times slower.
        init(rawValue: UInt16) { self.rawValue = rawValue }
        init(arrayLiteral elements: Segments...) {
            var bits: UInt16 = 0
            for element in elements { bits |= element.rawValue }
            rawValue = bits
        }
        func contains(_ member: Segments) -> Bool { isSuperset(of: member) }
        func isSuperset(of other: Segments) -> Bool { rawValue & other.rawValue == other.rawValue }
    }

    private static func segments(of character: Unicode.Scalar) -> Segments {
        switch character {
        case "0", "O": [.top, .upperRight, .lowerRight, .bottom, .lowerLeft, .upperLeft]
        // In the middle, or "121" would look like "12 1".
        case "1": [.center, .flag, .bottom]
        case "2": [.top, .upperRight, .middle, .lowerLeft, .bottom]
        case "3": [.top, .upperRight, .middle, .lowerRight, .bottom]
        case "4": [.upperLeft, .middle, .upperRight, .lowerRight]
        case "5", "S": [.top, .upperLeft, .middle, .lowerRight, .bottom]
        case "6": [.top, .upperLeft, .middle, .lowerLeft, .lowerRight, .bottom]
        case "7": [.top, .upperRight, .lowerRight]
        case "8": [.top, .upperRight, .lowerRight, .bottom, .lowerLeft, .upperLeft, .middle]
        case "9": [.top, .upperLeft, .middle, .upperRight, .lowerRight, .bottom]
        case "-": [.middle]
        case "A": [.top, .upperLeft, .upperRight, .middle, .lowerLeft, .lowerRight]
        case "E": [.top, .upperLeft, .middle, .lowerLeft, .bottom]
        case "F": [.top, .upperLeft, .middle, .lowerLeft]
        case "H": [.upperLeft, .lowerLeft, .middle, .upperRight, .lowerRight]
        case "I": [.center]
        case "L": [.upperLeft, .lowerLeft, .bottom]
        case "N": [.upperLeft, .lowerLeft, .upperRight, .lowerRight, .diagonal]
        case "T": [.top, .center]
        case "U": [.upperLeft, .lowerLeft, .bottom, .upperRight, .lowerRight]
        default: []
        }
    }
}
