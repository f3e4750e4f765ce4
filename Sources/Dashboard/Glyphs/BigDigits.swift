/// A size of large digits: shapes, and how often each pixel is repeated.
///
/// Half blocks make two pixels of a cell, one above the other, so that a pixel is about square. In ASCII a pixel is a
/// cell, which is twice as high as wide; there the smallest size is drawn with lines.
struct BigDigits: Hashable {
    /// How the digits are made.
    let face: Face
    /// How often each pixel is repeated to the right and downwards.
    let scale: Int
    /// Whether only ASCII may be used.
    let isASCII: Bool

    /// The kinds of shapes.
    enum Face: Hashable {
        /// A bold line of text.
        case text
        /// Lines of ASCII, three rows high.
        case lines
        /// Pixels, three by five.
        case small
        /// Pixels, five by seven.
        case medium
        /// Pixels, seven by ten, with heavy strokes.
        case heavy
    }

    /// The largest size for which `widest` fits into so many columns and rows.
    static func fitting(_ widest: String, columns: Int, rows: Int, glyphs: GlyphSet) -> BigDigits {
        let isASCII = glyphs == .ascii
        var best = BigDigits(face: .text, scale: 1, isASCII: isASCII)
        var candidates: [BigDigits] = isASCII ? [BigDigits(face: .lines, scale: 1, isASCII: true)] : []
        for scale in 1...12 {
            for face in [Face.small, .medium, .heavy] where scale == 1 || face == .heavy {
                candidates.append(BigDigits(face: face, scale: scale, isASCII: isASCII))
            }
        }
        for candidate in candidates
        where candidate.rows <= rows && candidate.rows >= best.rows && candidate.columns(of: widest) <= columns {
            best = candidate
        }
        return best
    }

    /// The height in cells.
    var rows: Int {
        switch face {
        case .text: 1
        case .lines: 3
        case .small, .medium, .heavy: isASCII ? shapes.rows * scale : (shapes.rows * scale + 1) / 2
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
        if face == .lines { return scalar == "." ? 1 : 3 }
        return (shapes.shape(of: scalar)?.columns ?? 0) * (scalar == "." ? dotScale : pixelColumns)
    }

    private var shapes: DigitShapes {
        switch face {
        case .text, .lines, .small: .small
        case .medium: .medium
        case .heavy: .heavy
        }
    }

    private var gap: Int { face == .lines || scale == 1 ? 1 : scale }
    private var pixelColumns: Int { isASCII && face == .small ? scale * 2 : scale }
    /// A dot as heavy as the strokes.
    private var dotScale: Int { face == .heavy ? scale * 2 : pixelColumns }

    /// Draws a text of digits, dots and dashes at the left end of an area; what does not fit is cut off.
    func draw(_ text: String, _ style: Style, in area: Area, on grid: inout Grid) {
        switch face {
        case .text:
            grid.put(text, style.bold, in: area)
        case .lines:
            drawLines(text, style, in: area, on: &grid)
        case .small, .medium, .heavy:
            drawPixels(text, style, in: area, on: &grid)
        }
    }

    private func drawPixels(_ text: String, _ style: Style, in area: Area, on grid: inout Grid) {
        var column = area.column
        let end = area.column + area.columns
        for scalar in text.unicodeScalars {
            guard let shape = shapes.shape(of: scalar) else { continue }
            let perPixel = scalar == "." ? dotScale : pixelColumns
            let dotRows = scalar == "." && face == .heavy ? 2 : 0
            let width = shape.columns * perPixel
            guard column + width <= end else { return }
            func isSet(_ x: Int, _ y: Int) -> Bool {
                let row = y / scale
                guard row < shapes.rows else { return false }
                if dotRows > 0 { return row >= shapes.rows - dotRows }
                return shape.rows[row] >> (shape.columns - 1 - x / perPixel) & 1 == 1
            }
            for row in 0..<min(rows, area.rows) {
                for x in 0..<width {
                    let glyph: Unicode.Scalar?
                    if isASCII {
                        glyph = isSet(x, row) ? "#" : nil
                    } else {
                        switch (isSet(x, row * 2), isSet(x, row * 2 + 1)) {
                        case (true, true): glyph = "█"
                        case (true, false): glyph = "▀"
                        case (false, true): glyph = "▄"
                        case (false, false): glyph = nil
                        }
                    }
                    if let glyph { grid.set(glyph, style, column: column + x, row: area.row + row) }
                }
            }
            column += width + gap
        }
    }

    private func drawLines(_ text: String, _ style: Style, in area: Area, on grid: inout Grid) {
        var offset = 0
        for scalar in text.unicodeScalars {
            let rows = lineShape(of: scalar)
            guard offset + columns(of: scalar) <= area.columns else { return }
            for (index, row) in rows.enumerated() {
                grid.put(row, style.bold, at: offset, in: area.line(index))
            }
            offset += columns(of: scalar) + gap
        }
    }

    private func lineShape(of scalar: Unicode.Scalar) -> [String] {
        switch scalar {
        case "0": [" _ ", "| |", "|_|"]
        case "1": ["   ", "  |", "  |"]
        case "2": [" _ ", " _|", "|_ "]
        case "3": [" _ ", " _|", " _|"]
        case "4": ["   ", "|_|", "  |"]
        case "5": [" _ ", "|_ ", " _|"]
        case "6": [" _ ", "|_ ", "|_|"]
        case "7": [" _ ", "  |", "  |"]
        case "8": [" _ ", "|_|", "|_|"]
        case "9": [" _ ", "|_|", " _|"]
        case "-": ["   ", " _ ", "   "]
        case ".": [" ", " ", "."]
        default: []
        }
    }
}
