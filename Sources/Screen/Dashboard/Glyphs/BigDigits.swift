import Appearance
import Base
import TextGrid
import Wording

/// A size of large digits.
///
/// Half blocks make two pixels of a cell, one above the other, so that a pixel is about square. In ASCII a pixel is a
/// cell, which is twice as high as wide; there the smallest size is drawn with lines.
struct BigDigits: Hashable {
    /// The face of the digits.
    let face: Face
    /// Whether only ASCII may be used.
    let isASCII: Bool

    /// The kinds of shapes, from the smallest to the largest.
    enum Face: Hashable {
        /// A bold line of text.
        case text
        /// Lines of ASCII, three rows high.
        case lines
        /// Pixels, three by five, four to a cell: half as wide as ``small``.
        case narrowSmall
        /// Pixels, three by five.
        case small
        /// Pixels, five by seven, four to a cell.
        case narrowMedium
        /// Pixels, five by seven.
        case medium
        /// Pixels, seven by ten, with heavy strokes.
        case heavy
        /// Segments, of any size.
        case segments(SegmentDigits)
    }

    /// The largest size in which `widest` fits into the columns and rows; a line of text if none fits.
    static func fitting(_ widest: String, columns: Int, rows: Int, glyphs: GlyphSet) -> BigDigits {
        fitting(rows: rows, glyphs: glyphs) { $0.columns(of: widest) <= columns }
    }

    /// The largest fitting size of at most this many rows; a line of text if none fits.
    ///
    /// - Parameters:
    ///   - suits: Whether a size fits; if a width fits, smaller ones of the same height must fit, too.
    static func fitting(rows: Int, glyphs: GlyphSet, where suits: (BigDigits) -> Bool) -> BigDigits {
        let isASCII = glyphs == .ascii
        let faces: [Face] =
            switch glyphs {
            case .ascii: [.lines]
            // Fonts with braille also have quarter blocks.
            case .braille: [.narrowSmall, .small, .narrowMedium, .medium, .heavy]
            case .blocks: [.small, .medium, .heavy]
            }
        var best = BigDigits(face: .text, isASCII: isASCII)
        for size in faces.map({ BigDigits(face: $0, isASCII: isASCII) })
        where size.rows <= rows && (size.measure, size.rows) > (best.measure, best.rows) && suits(size) {
            best = size
        }
        for cellRows in stride(from: rows, through: SegmentDigits.leastRows(isASCII: isASCII), by: -1) {
            // No width compensates for so few rows.
            if measure(rows: cellRows, columns: .max) < best.measure { break }
            let widths = SegmentDigits.widths(cellRows: cellRows)
            let size = segments(rows: cellRows, widths: widths, isASCII: isASCII, where: suits)
            if let size, (size.measure, size.rows) > (best.measure, best.rows) { best = size }
        }
        return best
    }

    /// The widest fitting segments of a height.
    private static func segments(
        rows: Int, widths: ClosedRange<Int>, isASCII: Bool, where suits: (BigDigits) -> Bool
    ) -> BigDigits? {
        func size(_ columns: Int) -> BigDigits {
            BigDigits(
                face: .segments(SegmentDigits(cellRows: rows, columns: columns, isASCII: isASCII)), isASCII: isASCII)
        }
        guard suits(size(widths.lowerBound)) else { return nil }
        var (fitting, tooWide) = (widths.lowerBound, widths.upperBound + 1)
        while tooWide - fitting > 1 {
            let middle = (fitting + tooWide) / 2
            if suits(size(middle)) { fitting = middle } else { tooWide = middle }
        }
        return size(fitting)
    }

    /// The size for a word that replaces a number of this size: as high, and narrower if necessary.
    func size(forWord word: String, columns: Int) -> BigDigits {
        func fits(_ size: BigDigits) -> Bool { size.columns(of: word) <= columns }
        let text = BigDigits(face: .text, isASCII: isASCII)
        if face == .text { return text }
        if rows >= SegmentDigits.leastRows(isASCII: isASCII) {
            let widths = 3...max(3, self.columns(of: "0"))
            if let size = Self.segments(rows: rows, widths: widths, isASCII: isASCII, where: fits) { return size }
        }
        let faces: [Face] = isASCII ? [.lines] : isNarrow ? [.small, .narrowSmall] : [.small]
        return faces.map { BigDigits(face: $0, isASCII: isASCII) }.first(where: fits) ?? text
    }

    /// Its apparent size, to compare sizes: the limiting dimension of a digit.
    var measure: Int { Self.measure(rows: rows, columns: columns(of: "0")) }

    private static func measure(rows: Int, columns: Int) -> Int {
        // A digit has its best proportions with six columns for five rows of cells.
        min(rows * 6, min(columns, 1000) * 5)
    }

    /// The height in cells.
    var rows: Int {
        switch face {
        case .text: 1
        case .lines, .narrowSmall, .small: 3
        case .narrowMedium, .medium: 4
        case .heavy: 5
        case .segments(let shape): shape.cellRows
        }
    }

    /// The width of a text in cells.
    func columns(of text: String) -> Int {
        if face == .text { return columnWidth(of: text) }
        var total = 0
        for scalar in text.unicodeScalars {
            if total > 0 { total += gap }
            total += columns(of: scalar)
        }
        return total
    }

    private func columns(of scalar: Unicode.Scalar) -> Int {
        switch (face, scalar) {
        case (.heavy, "."): 2
        case (.segments(let shape), "."): shape.upright
        case (_, "."): 1
        case (.segments(let shape), _): shape.columns
        case (.text, _): 1
        case (.lines, _): 3
        case (.narrowSmall, _), (.narrowMedium, _): (shapes.columns + 1) / 2
        default: shapes.columns
        }
    }

    private var gap: Int {
        switch face {
        case .segments(let shape): shape.upright > 1 ? max(2, shape.columns / 5) : 1
        // Their last half cell is empty.
        case .narrowSmall, .narrowMedium: 0
        default: 1
        }
    }

    private var shapes: DigitShapes {
        switch face {
        case .narrowMedium, .medium: .medium
        case .heavy: .heavy
        default: .small
        }
    }

    /// Draws a text of digits, dots, dashes, or the letters of a word at the left end of an area.
    ///
    /// A character that does not fit completely is omitted, and all after it.
    func draw(_ text: String, _ style: Style, in area: Area, on grid: inout Grid) {
        if face == .text {
            grid.put(text, style.bold, in: area)
            return
        }
        let style = style.with(.stroke)
        var rest = area
        for scalar in text.unicodeScalars {
            let columns = columns(of: scalar)
            guard columns <= rest.columns else { return }
            let place = rest.takeLeft(columns)
            switch face {
            case .text: break
            case .lines: drawLines(scalar, style, in: place, on: &grid)
            case .narrowSmall, .small, .narrowMedium, .medium, .heavy: drawBitmap(scalar, style, in: place, on: &grid)
            case .segments(let shape): drawSegments(scalar, shape, style, in: place, on: &grid)
            }
            _ = rest.takeLeft(gap)
        }
    }

    private func drawBitmap(_ scalar: Unicode.Scalar, _ style: Style, in area: Area, on grid: inout Grid) {
        let shapes = shapes
        guard scalar != "." else {
            let dot = face == .heavy ? 2 : 1
            drawPixels(style, in: area, on: &grid) { x, y in
                y >= shapes.rows - dot && y < shapes.rows && (!isNarrow || x == 0)
            }
            return
        }
        guard let rows = shapes.rows(of: scalar) else { return }
        drawPixels(style, in: area, on: &grid) { x, y in
            y < rows.count && x < shapes.columns && rows[y] >> (shapes.columns - 1 - x) & 1 == 1
        }
    }

    private func drawSegments(
        _ scalar: Unicode.Scalar, _ shape: SegmentDigits, _ style: Style, in area: Area, on grid: inout Grid
    ) {
        drawPixels(style, in: area, on: &grid) { x, y in
            scalar == "." ? y >= shape.rows - shape.lying : shape.isSet(scalar, x, y)
        }
    }

    private func drawPixels(
        _ style: Style, in area: Area, on grid: inout Grid, isSet: (_ x: Int, _ y: Int) -> Bool
    ) {
        for row in 0..<min(rows, area.rows) {
            for x in 0..<area.columns {
                let glyph: Unicode.Scalar?
                if isNarrow {
                    let corners = [(0, 0), (1, 0), (0, 1), (1, 1)].enumerated()
                    let bits = corners.reduce(0) { bits, corner in
                        isSet(x * 2 + corner.element.0, row * 2 + corner.element.1) ? bits | 1 << corner.offset : bits
                    }
                    glyph = Self.quarters[bits]
                } else if isASCII {
                    glyph = isSet(x, row) ? "#" : nil
                } else {
                    switch (isSet(x, row * 2), isSet(x, row * 2 + 1)) {
                    case (true, true): glyph = "█"
                    case (true, false): glyph = "▀"
                    case (false, true): glyph = "▄"
                    case (false, false): glyph = nil
                    }
                }
                if let glyph { grid.set(glyph, style, column: area.column + x, row: area.row + row) }
            }
        }
    }

    private var isNarrow: Bool { face == .narrowSmall || face == .narrowMedium }

    /// The characters of the quarters of a cell; upper left, upper right, lower left, lower right are one bit each.
    static let quarters: [Unicode.Scalar?] = [
        nil, "▘", "▝", "▀", "▖", "▌", "▞", "▛", "▗", "▚", "▐", "▜", "▄", "▙", "▟", "█",
    ]

    private func drawLines(_ scalar: Unicode.Scalar, _ style: Style, in area: Area, on grid: inout Grid) {
        let rows: [String] =
            switch scalar {
            case "0", "O": [" _ ", "| |", "|_|"]
            // With a foot, in the middle: "121" must not look like "12 1".
            case "1": ["_  ", " | ", "_|_"]
            case "2": [" _ ", " _|", "|_ "]
            case "3": [" _ ", " _|", " _|"]
            case "4": ["   ", "|_|", "  |"]
            case "5", "S": [" _ ", "|_ ", " _|"]
            case "6": [" _ ", "|_ ", "|_|"]
            case "7": [" _ ", "  |", "  |"]
            case "8": [" _ ", "|_|", "|_|"]
            case "9": [" _ ", "|_|", " _|"]
            case "-": ["   ", " _ ", "   "]
            case "A": [" _ ", "|_|", "| |"]
            case "E": [" _ ", "|_ ", "|_ "]
            case "F": [" _ ", "|_ ", "|  "]
            case "H": ["   ", "|_|", "| |"]
            case "I": ["   ", " | ", " | "]
            case "L": ["   ", "|  ", "|_ "]
            case "N": ["   ", "|\\|", "| |"]
            case "T": ["___", " | ", " | "]
            case "U": ["   ", "| |", "|_|"]
            case ".": [" ", " ", "."]
            default: []
            }
        for (index, row) in rows.enumerated() {
            grid.put(row, style.bold, in: area.line(index))
        }
    }
}

/// The shapes of the large digits as bits: one row of pixels each, the leftmost pixel in the highest used bit.
struct DigitShapes: Sendable {
    /// The width of a digit in pixels.
    let columns: Int
    /// The height in pixels.
    let rows: Int
    let digits: [[UInt8]]
    /// The row of the dash for "no value".
    let dash: [UInt8]
    /// The letters of the words that replace a number, if this size has any.
    var letters: [Unicode.Scalar: [UInt8]] = [:]

    /// The pixel rows of a character; `nil` for one without a shape.
    func rows(of character: Unicode.Scalar) -> [UInt8]? {
        switch character {
        case "0"..."9": digits[Int(character.value) - 48]
        case "-": dash
        default: letters[character]
        }
    }

    /// Three by five pixels: the smallest legible size.
    ///
    /// No two of its digits differ in one pixel only.
    static let small = DigitShapes(
        columns: 3, rows: 5,
        digits: [
            [0b010, 0b101, 0b101, 0b101, 0b010], [0b010, 0b110, 0b010, 0b010, 0b111],
            [0b111, 0b001, 0b111, 0b100, 0b111], [0b111, 0b001, 0b011, 0b001, 0b111],
            [0b101, 0b101, 0b111, 0b001, 0b001], [0b111, 0b100, 0b111, 0b001, 0b111],
            [0b100, 0b100, 0b111, 0b101, 0b111], [0b111, 0b001, 0b001, 0b010, 0b010],
            [0b111, 0b101, 0b111, 0b101, 0b111], [0b111, 0b101, 0b111, 0b001, 0b011],
        ],
        dash: [0, 0, 0b111, 0, 0],
        letters: [
            "A": [0b010, 0b101, 0b111, 0b101, 0b101], "E": [0b111, 0b100, 0b111, 0b100, 0b111],
            "F": [0b111, 0b100, 0b111, 0b100, 0b100], "H": [0b101, 0b101, 0b111, 0b101, 0b101],
            "I": [0b111, 0b010, 0b010, 0b010, 0b111],
            "L": [0b100, 0b100, 0b100, 0b100, 0b111], "N": [0b110, 0b101, 0b101, 0b101, 0b101],
            "O": [0b010, 0b101, 0b101, 0b101, 0b010], "S": [0b011, 0b100, 0b010, 0b001, 0b110],
            "T": [0b111, 0b010, 0b010, 0b010, 0b010], "U": [0b101, 0b101, 0b101, 0b101, 0b111],
        ])

    /// Five by seven pixels.
    static let medium = DigitShapes(
        columns: 5, rows: 7,
        digits: [
            [0b01110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
            [0b00100, 0b01100, 0b00100, 0b00100, 0b00100, 0b00100, 0b01110],
            [0b01110, 0b10001, 0b00001, 0b00110, 0b01000, 0b10000, 0b11111],
            [0b01110, 0b10001, 0b00001, 0b00110, 0b00001, 0b10001, 0b01110],
            [0b00010, 0b00110, 0b01010, 0b10010, 0b11111, 0b00010, 0b00010],
            [0b11111, 0b10000, 0b11110, 0b00001, 0b00001, 0b10001, 0b01110],
            [0b00110, 0b01000, 0b10000, 0b11110, 0b10001, 0b10001, 0b01110],
            [0b11111, 0b00001, 0b00010, 0b00100, 0b00100, 0b00100, 0b00100],
            [0b01110, 0b10001, 0b10001, 0b01110, 0b10001, 0b10001, 0b01110],
            [0b01110, 0b10001, 0b10001, 0b01111, 0b00001, 0b00010, 0b01100],
        ],
        dash: [0, 0, 0, 0b01110, 0, 0, 0])

    /// Seven by ten pixels with strokes two pixels wide, to be read at a distance.
    static let heavy = DigitShapes(
        columns: 7, rows: 10,
        digits: [
            [0x3E, 0x7F, 0x63, 0x63, 0x63, 0x63, 0x63, 0x63, 0x7F, 0x3E],
            [0x0C, 0x1C, 0x3C, 0x0C, 0x0C, 0x0C, 0x0C, 0x0C, 0x3F, 0x3F],
            [0x3E, 0x7F, 0x63, 0x03, 0x07, 0x1E, 0x38, 0x60, 0x7F, 0x7F],
            [0x3E, 0x7F, 0x63, 0x03, 0x1E, 0x1E, 0x03, 0x63, 0x7F, 0x3E],
            [0x06, 0x0E, 0x1E, 0x36, 0x66, 0x66, 0x7F, 0x7F, 0x06, 0x06],
            [0x7F, 0x7F, 0x60, 0x60, 0x7E, 0x7F, 0x03, 0x63, 0x7F, 0x3E],
            [0x1E, 0x3E, 0x60, 0x60, 0x7E, 0x7F, 0x63, 0x63, 0x7F, 0x3E],
            [0x7F, 0x7F, 0x03, 0x06, 0x06, 0x0C, 0x0C, 0x18, 0x18, 0x18],
            [0x3E, 0x7F, 0x63, 0x63, 0x3E, 0x3E, 0x63, 0x63, 0x7F, 0x3E],
            [0x3E, 0x7F, 0x63, 0x63, 0x7F, 0x3F, 0x03, 0x03, 0x3E, 0x3C],
        ],
        dash: [0, 0, 0, 0, 0x3E, 0x3E, 0, 0, 0, 0])
}
