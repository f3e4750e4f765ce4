import Appearance
import Base
import TextGrid

/// A size of large capital letters, for the word of an alarm that is read from afar.
///
/// A letter has five by seven pixels. Half blocks make two pixels of a cell and quarter blocks four; in ASCII a pixel is a
/// cell.
struct BigLetters: Hashable {
    /// How many pixels of the screen one of a letter is wide and high.
    let scale: Int
    /// The characters that pixels are drawn with.
    let kind: Kind

    enum Kind: Hashable {
        case halves, quarters, cells
    }

    private static let width = 5
    private static let height = 7

    /// The largest size in which a word fits; `nil` if none fits.
    ///
    /// - Parameters:
    ///   - rows: The limit of rows, which only a large screen has for letters of twice the size.
    static func fitting(_ word: String, columns: Int, rows: Int, glyphs: GlyphSet) -> BigLetters? {
        let kinds: [Kind] =
            switch glyphs {
            case .ascii: [.cells]
            case .blocks: [.halves]
            // Fonts with braille also have quarter blocks.
            case .braille: [.halves, .quarters]
            }
        let sizes = [3, 2, 1].flatMap { scale in kinds.map { BigLetters(scale: scale, kind: $0) } }
        return sizes.first { $0.rows <= rows && $0.columns(of: word) <= columns }
    }

    /// The height in cells.
    var rows: Int { (Self.height * scale + pixels.rows - 1) / pixels.rows }

    /// The width of a word in cells.
    func columns(of word: String) -> Int {
        (Self.advances(word).reduce(-1, +) * scale + pixels.columns - 1) / pixels.columns
    }

    /// The pixels of a cell.
    private var pixels: (columns: Int, rows: Int) {
        switch kind {
        case .halves: (1, 2)
        case .quarters: (2, 2)
        case .cells: (1, 1)
        }
    }

    /// The widths of characters, with the gaps after them; a blank is narrower than a letter.
    private static func advances(_ word: String) -> [Int] { word.unicodeScalars.map { $0 == " " ? 4 : width + 1 } }

    /// Draws a word in capitals at the left end of an area; what is no letter or digit is a blank.
    func draw(_ word: String, _ style: Style, in area: Area, on grid: inout Grid) {
        var columns: [UInt8] = []
        for (scalar, advance) in zip(word.unicodeScalars, Self.advances(word)) {
            let shape = Self.shape(of: scalar)
            for x in 0..<advance {
                let bits = (0..<Self.height).reduce(UInt8(0)) { bits, y in
                    x < Self.width && shape[y] >> (Self.width - 1 - x) & 1 == 1 ? bits | 1 << y : bits
                }
                columns.append(bits)
            }
        }
        func isSet(_ x: Int, _ y: Int) -> Bool {
            let (x, y) = (x / scale, y / scale)
            return columns.indices.contains(x) && y < Self.height && columns[x] >> y & 1 == 1
        }
        let style = style.with(.stroke)
        for row in 0..<min(rows, area.rows) {
            for column in 0..<min(self.columns(of: word), area.columns) {
                let glyph = glyph(column, row, isSet)
                if let glyph { grid.set(glyph, style, column: area.column + column, row: area.row + row) }
            }
        }
    }

    private func glyph(_ column: Int, _ row: Int, _ isSet: (_ x: Int, _ y: Int) -> Bool) -> Unicode.Scalar? {
        if kind == .cells { return isSet(column, row) ? "#" : nil }
        let first = column * pixels.columns
        let second = first + pixels.columns - 1
        let corners = [
            isSet(first, row * 2), isSet(second, row * 2), isSet(first, row * 2 + 1), isSet(second, row * 2 + 1),
        ]
        return BigDigits.quarters[corners.enumerated().reduce(0) { $1.element ? $0 | 1 << $1.offset : $0 }]
    }

    private static func shape(of scalar: Unicode.Scalar) -> [UInt8] {
        DigitShapes.medium.rows(of: scalar) ?? letters[scalar] ?? [UInt8](repeating: 0, count: height)
    }

    private static let letters: [Unicode.Scalar: [UInt8]] = [
        "A": [0x0E, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11], "B": [0x1E, 0x11, 0x11, 0x1E, 0x11, 0x11, 0x1E],
        "C": [0x0E, 0x11, 0x10, 0x10, 0x10, 0x11, 0x0E], "D": [0x1E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x1E],
        "E": [0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x1F], "F": [0x1F, 0x10, 0x10, 0x1E, 0x10, 0x10, 0x10],
        "G": [0x0E, 0x11, 0x10, 0x17, 0x11, 0x11, 0x0F], "H": [0x11, 0x11, 0x11, 0x1F, 0x11, 0x11, 0x11],
        "I": [0x0E, 0x04, 0x04, 0x04, 0x04, 0x04, 0x0E], "J": [0x07, 0x02, 0x02, 0x02, 0x02, 0x12, 0x0C],
        "K": [0x11, 0x12, 0x14, 0x18, 0x14, 0x12, 0x11], "L": [0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1F],
        "M": [0x11, 0x1B, 0x15, 0x15, 0x11, 0x11, 0x11], "N": [0x11, 0x19, 0x19, 0x15, 0x13, 0x13, 0x11],
        "O": [0x0E, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E], "P": [0x1E, 0x11, 0x11, 0x1E, 0x10, 0x10, 0x10],
        "Q": [0x0E, 0x11, 0x11, 0x11, 0x15, 0x12, 0x0D], "R": [0x1E, 0x11, 0x11, 0x1E, 0x14, 0x12, 0x11],
        "S": [0x0F, 0x10, 0x10, 0x0E, 0x01, 0x01, 0x1E], "T": [0x1F, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04],
        "U": [0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x0E], "V": [0x11, 0x11, 0x11, 0x11, 0x11, 0x0A, 0x04],
        "W": [0x11, 0x11, 0x11, 0x15, 0x15, 0x1B, 0x11], "X": [0x11, 0x11, 0x0A, 0x04, 0x0A, 0x11, 0x11],
        "Y": [0x11, 0x11, 0x0A, 0x04, 0x04, 0x04, 0x04], "Z": [0x1F, 0x01, 0x02, 0x04, 0x08, 0x10, 0x1F],
    ]
}
