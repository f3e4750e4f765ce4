/// A colour of a cell.
public enum CellColor: Hashable, Sendable {
    /// The terminal's own.
    case standard
    /// One of the palette of 256; the first eight are black, red, green, yellow, blue, magenta, cyan and white.
    case palette(Int)
    /// 0xRRGGBB.
    case rgb(UInt32)
}

/// What a terminal shows in one place.
public struct ShownCell: Hashable, Sendable {
    /// The character with its combining marks; a space where nothing was written, empty right of a wide character.
    public var text = " "
    public var isBold = false
    public var isUnderlined = false
    public var isReversed = false
    public var isBlinking = false
    public var foreground = CellColor.standard
    public var background = CellColor.standard

    /// Makes a blank.
    public init() {}

    /// Makes a cell with a look.
    init(
        text: String, isBold: Bool, isUnderlined: Bool, isReversed: Bool, isBlinking: Bool, foreground: CellColor,
        background: CellColor
    ) {
        self.text = text
        (self.isBold, self.isUnderlined, self.isReversed, self.isBlinking) = (
            isBold, isUnderlined, isReversed, isBlinking
        )
        (self.foreground, self.background) = (foreground, background)
    }
}

/// What a terminal shows at one moment, and the modes it is in.
public struct Screen: Hashable, Sendable {
    public var cells: [[ShownCell]]
    public var modes: TerminalModes
    /// Where the cursor is, visible or not: what a screen reader or a braille display follows.
    public var cursor = CursorPosition()

    public var rows: Int { cells.count }
    public var columns: Int { cells.first?.count ?? 0 }

    /// The text of every row, without the blanks at its end.
    public var lines: [String] {
        cells.map { row in
            let text = row.map(\.text).joined()
            return String(text.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// All rows as one text.
    public var text: String { lines.joined(separator: "\n") }

    /// Whether a text stands somewhere in one row.
    public func shows(_ text: String) -> Bool {
        lines.contains { $0.contains(text) }
    }

    /// The first row that shows a text.
    public func line(showing text: String) -> String? {
        lines.first { $0.contains(text) }
    }

    /// The cells of a text where it first stands, or none.
    public func cells(of text: String) -> [ShownCell] {
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
public struct CursorPosition: Hashable, Sendable {
    public var row = 0
    public var column = 0

    /// Makes a place.
    public init(row: Int = 0, column: Int = 0) {
        (self.row, self.column) = (row, column)
    }
}

/// The modes that a program may leave a terminal in.
public struct TerminalModes: Hashable, Sendable {
    public var isCursorVisible = true
    public var isAlternateScreen = false
    public var isMouseReported = false
    public var title: String?

    /// Makes the modes after a reset.
    public init() {}
}
