/// Digits of seven segments at any size, for large screens.
struct SegmentDigits: Hashable {
    /// The width of a digit in pixels.
    let columns: Int
    /// The height of a digit in pixels.
    let rows: Int
    /// The width of an upright segment in pixels.
    let upright: Int
    /// The height of a lying segment in pixels.
    let lying: Int

    /// The shape for a number of rows of cells: two square pixels to a cell, or one upright pixel in ASCII.
    init(cellRows: Int, isASCII: Bool) {
        rows = isASCII ? cellRows : cellRows * 2
        // In square pixels a digit is about 5 wide and 8 high, and its strokes about a sixth of the height.
        let squareRows = cellRows * 2
        columns = max(5, squareRows * 5 / 8)
        upright = max(2, squareRows / 6)
        lying = isASCII ? max(1, upright / 2) : upright
    }

    /// Whether a digit (or the dash) has ink at a pixel.
    func isSet(_ character: Unicode.Scalar, _ x: Int, _ y: Int) -> Bool {
        let segments = Self.segments(of: character)
        let middle = (rows - lying) / 2
        let isLeft = x < upright
        let isRight = x >= columns - upright
        let isUpper = y < middle + (lying + 1) / 2
        if isCutCorner(segments, x, y) { return false }
        if segments.contains(.top), y < lying { return true }
        if segments.contains(.middle), y >= middle, y < middle + lying {
            return character == "-" ? x >= columns / 5 && x < columns - columns / 5 : true
        }
        if segments.contains(.bottom), y >= rows - lying { return true }
        if isLeft { return segments.contains(isUpper ? .upperLeft : .lowerLeft) }
        if isRight { return segments.contains(isUpper ? .upperRight : .lowerRight) }
        return false
    }

    /// Outer corners at which two segments meet are rounded by a pixel.
    private func isCutCorner(_ segments: Segments, _ x: Int, _ y: Int) -> Bool {
        guard x == 0 || x == columns - 1, y == 0 || y == rows - 1 else { return false }
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
        let rawValue: UInt8
        static let top = Segments(rawValue: 1)
        static let upperRight = Segments(rawValue: 2)
        static let lowerRight = Segments(rawValue: 4)
        static let bottom = Segments(rawValue: 8)
        static let lowerLeft = Segments(rawValue: 16)
        static let upperLeft = Segments(rawValue: 32)
        static let middle = Segments(rawValue: 64)
    }

    private static func segments(of character: Unicode.Scalar) -> Segments {
        switch character {
        case "0": [.top, .upperRight, .lowerRight, .bottom, .lowerLeft, .upperLeft]
        case "1": [.upperRight, .lowerRight]
        case "2": [.top, .upperRight, .middle, .lowerLeft, .bottom]
        case "3": [.top, .upperRight, .middle, .lowerRight, .bottom]
        case "4": [.upperLeft, .middle, .upperRight, .lowerRight]
        case "5": [.top, .upperLeft, .middle, .lowerRight, .bottom]
        case "6": [.top, .upperLeft, .middle, .lowerLeft, .lowerRight, .bottom]
        case "7": [.top, .upperRight, .lowerRight]
        case "8": [.top, .upperRight, .lowerRight, .bottom, .lowerLeft, .upperLeft, .middle]
        case "9": [.top, .upperLeft, .middle, .upperRight, .lowerRight, .bottom]
        case "-": [.middle]
        default: []
        }
    }
}
