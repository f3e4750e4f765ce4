import TextGrid

/// A colour of a cell.
enum CellColor: Hashable, Sendable {
    /// The terminal's own.
    case standard
    /// One of the palette of 256; the first eight are black, red, green, yellow, blue, magenta, cyan and white.
    case palette(Int)
    /// 0xRRGGBB.
    case rgb(UInt32)
}

/// What a terminal shows in one place.
struct Cell: Hashable, Sendable {
    /// The character with its combining marks; a space where nothing was written, empty right of a wide character.
    var text = " "
    var isBold = false
    var isUnderlined = false
    var isReversed = false
    var isBlinking = false
    var foreground = CellColor.standard
    var background = CellColor.standard
}

/// What a terminal shows at one moment, and the modes it is in.
struct Screen: Hashable, Sendable {
    var cells: [[Cell]]
    var modes: TerminalModes
    /// Where the cursor is, visible or not: what a screen reader or a braille display follows.
    var cursor = CursorPosition()

    var rows: Int { cells.count }
    var columns: Int { cells.first?.count ?? 0 }

    /// The text of every row, without the blanks at its end.
    var lines: [String] {
        cells.map { row in
            let text = row.map(\.text).joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// All rows as one text.
    var text: String { lines.joined(separator: "\n") }

    /// Whether a text stands somewhere in one row.
    func shows(_ text: String) -> Bool {
        lines.contains { $0.contains(text) }
    }

    /// The first row that shows a text.
    func line(showing text: String) -> String? {
        lines.first { $0.contains(text) }
    }

    /// The cells of a text where it first stands, or none.
    func cells(of text: String) -> [Cell] {
        let wanted = text.map { String($0) }
        for row in cells {
            // Cells to the right of a wide character hold nothing.
            let written = row.filter { !$0.text.isEmpty }
            guard written.count >= wanted.count else { continue }
            for start in 0...(written.count - wanted.count)
            where (0..<wanted.count).allSatisfy({ written[start + $0].text == wanted[$0] }) {
                return Array(written[start..<(start + wanted.count)])
            }
        }
        return []
    }
}

/// A place on the screen, counted from 0.
struct CursorPosition: Hashable, Sendable {
    var row = 0
    var column = 0
}

/// The modes that a program may leave a terminal in.
struct TerminalModes: Hashable, Sendable {
    var isCursorVisible = true
    var isAlternateScreen = false
    var isMouseReported = false
    var title: String?
}
