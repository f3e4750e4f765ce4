import Appearance

/// A screen of styled cells: drawing fills it, and a painter shows it.
///
/// A grid guarantees what a terminal needs: nothing outside the screen, no half of a wide character, no control
/// characters, and only ASCII where the glyph set is ASCII.
public struct Grid: Hashable, Sendable {
    /// The width, at least 0.
    public let columns: Int
    /// The height, at least 0.
    public let rows: Int
    /// The cells, row by row.
    public private(set) var cells: [Cell]
    /// The position of the terminal's cursor, so that screen readers follow the selection.
    public var cursor: Position?
    /// The areas that can be clicked.
    package var spots: [Spot] = []
    /// Whether only ASCII may be shown.
    package let isASCII: Bool

    /// An area and the target of a click in it.
    package struct Spot: Hashable, Sendable {
        package var area: Area
        package var target: any Hashable & Sendable

        package init(area: Area, target: any Hashable & Sendable) {
            self.area = area
            self.target = target
        }

        /// Compares areas and targets.
        package static func == (one: Spot, other: Spot) -> Bool {
            one.area == other.area && AnyHashable(one.target) == AnyHashable(other.target)
        }

        /// Hashes area and target.
        package func hash(into hasher: inout Hasher) {
            hasher.combine(area)
            hasher.combine(AnyHashable(target))
        }
    }

    /// A place on the screen, counted from 0.
    public struct Position: Hashable, Sendable {
        /// Counted from the left.
        public var column: Int
        /// Counted from the top.
        public var row: Int

        public init(column: Int, row: Int) {
            self.column = column
            self.row = row
        }
    }

    /// Makes an empty grid; sizes are held between 0 and 1000.
    public init(columns: Int, rows: Int, isASCII: Bool = false) {
        (self.columns, self.rows) = Self.bounded((columns, rows))
        self.isASCII = isASCII
        cells = Array(repeating: .blank, count: self.columns * self.rows)
    }

    /// The size of the grid for a terminal of some size.
    package static func bounded(_ size: (columns: Int, rows: Int)) -> (columns: Int, rows: Int) {
        (min(max(0, size.columns), 1000), min(max(0, size.rows), 1000))
    }

    /// The whole screen.
    public var area: Area { Area(column: 0, row: 0, columns: columns, rows: rows) }

    /// The cell at a place; a blank one outside.
    public subscript(column: Int, row: Int) -> Cell {
        guard contains(column, row) else { return .blank }
        return cells[row * columns + column]
    }

    /// The text of a row, without the blanks at its end.
    public func text(row: Int) -> String {
        guard row >= 0, row < rows else { return "" }
        var scalars = String.UnicodeScalarView()
        for column in 0..<columns {
            let cell = cells[row * columns + column]
            guard cell.columns > 0 else { continue }
            scalars.append(cell.scalar)
            if let mark = cell.firstMark { scalars.append(mark) }
            if let mark = cell.secondMark { scalars.append(mark) }
        }
        while scalars.last == " " {
            scalars.removeLast()
        }
        return String(scalars)
    }

    private func contains(_ column: Int, _ row: Int) -> Bool {
        column >= 0 && column < columns && row >= 0 && row < rows
    }
}

extension Grid {
    /// Writes a text into the first row of an area, starting `offset` columns from its left edge.
    ///
    /// What does not fit is cut off.
    /// - Returns: The offset after the text.
    @discardableResult
    package mutating func put(_ text: some StringProtocol, _ style: Style, at offset: Int = 0, in area: Area) -> Int {
        guard area.rows > 0 else { return offset }
        var column = area.column + offset
        let end = area.column + area.columns
        for scalar in text.unicodeScalars {
            guard let printable = scalar.printable else { continue }
            let shown = isASCII && !printable.isASCII ? printable.asciiStandIn : printable
            let width = shown.columns
            guard width > 0 else {
                if column <= end { addMark(shown, toCellBefore: column, row: area.row, from: area.column) }
                continue
            }
            if column + width > end { break }
            if column >= area.column {
                set(shown, width, style, column: column, row: area.row)
            }
            column += width
        }
        return column - area.column
    }

    /// Puts one character of one column into a cell; nothing happens outside of the grid.
    package mutating func set(_ scalar: Unicode.Scalar, _ style: Style, column: Int, row: Int) {
        set(scalar, 1, style, column: column, row: row)
    }

    /// Rests the cursor at the beginning of an area, if there is anything of it.
    package mutating func rest(in area: Area) {
        if !area.isEmpty, contains(area.column, area.row) { cursor = Position(column: area.column, row: area.row) }
    }

    /// Gives all cells of an area a style, and keeps what they show.
    package mutating func restyle(_ area: Area, _ change: (Style) -> Style) {
        for row in stride(from: max(0, area.row), to: min(rows, area.row + area.rows), by: 1) {
            for column in stride(from: max(0, area.column), to: min(columns, area.column + area.columns), by: 1) {
                let index = row * columns + column
                cells[index].style = change(cells[index].style)
            }
        }
    }

    /// Gives all flashing cells another style.
    package mutating func restyleFlashing(_ change: (Style) -> Style) {
        for index in cells.indices where cells[index].style.attributes.contains(.flashing) {
            cells[index].style = change(cells[index].style)
        }
    }

    /// Marks a row as the selected one: its pointer, its style, and the cursor.
    package mutating func select(_ row: Area, pointer: String, at offset: Int = 0) {
        restyle(row) { _ in .selected }
        put(pointer, .selected, at: offset, in: row)
        rest(in: row.inset(left: offset))
    }

    /// Fills an area with one character of one column.
    package mutating func fill(_ area: Area, _ scalar: Unicode.Scalar = " ", _ style: Style) {
        let first = max(0, area.column)
        let count = min(columns, area.column + area.columns) - first
        guard count > 0 else { return }
        for row in stride(from: max(0, area.row), to: min(rows, area.row + area.rows), by: 1) {
            let start = row * columns + first
            // Only a wide character at an edge reaches beyond the area.
            release(start, first)
            release(start + count - 1, first + count - 1)
            cells.withUnsafeMutableBufferPointer {
                $0[start..<start + count].update(repeating: Cell(scalar: scalar, columns: 1, style: style))
            }
        }
    }

    /// Copies a cell of another grid; outside the grid nothing happens.
    package mutating func copy(_ cell: Cell, column: Int, row: Int) {
        if contains(column, row) { cells[row * columns + column] = cell }
    }

    /// Copies an area of another grid of the same size, with its click targets.
    package mutating func copy(_ area: Area, of other: Grid) {
        let first = max(0, area.column)
        let count = min(columns, area.column + area.columns) - first
        guard other.columns == columns, count > 0 else { return }
        for spot in other.spots where area.contains(spot.area) { spots.append(spot) }
        for row in stride(from: max(0, area.row), to: min(rows, other.rows, area.row + area.rows), by: 1) {
            let places = row * columns + first..<row * columns + first + count
            cells.withUnsafeMutableBufferPointer { cells in
                other.cells.withUnsafeBufferPointer { others in
                    _ = cells[places].update(fromContentsOf: others[places])
                }
            }
        }
    }

    private mutating func set(_ scalar: Unicode.Scalar, _ width: Int, _ style: Style, column: Int, row: Int) {
        guard contains(column, row), contains(column + width - 1, row) else { return }
        let index = row * columns + column
        release(index, column)
        if width == 2 { release(index + 1, column + 1) }
        cells[index] = Cell(scalar: scalar, columns: UInt8(width), style: style)
        if width == 2 { cells[index + 1] = .rightHalf(style: style) }
    }

    /// Blanks the other half of a wide character when one half is about to be overwritten.
    private mutating func release(_ index: Int, _ column: Int) {
        switch cells[index].columns {
        case 0 where column > 0: cells[index - 1] = Cell(scalar: " ", columns: 1, style: cells[index].style)
        case 2 where column + 1 < columns:
            cells[index + 1] = Cell(scalar: " ", columns: 1, style: cells[index].style)
        default: break
        }
    }

    private mutating func addMark(_ mark: Unicode.Scalar, toCellBefore column: Int, row: Int, from first: Int) {
        var base = column - 1
        guard contains(base, row), base >= first else { return }
        if cells[row * columns + base].columns == 0 { base -= 1 }
        guard contains(base, row), base >= first else { return }
        let index = row * columns + base
        if cells[index].firstMark == nil {
            cells[index].firstMark = mark
        } else if cells[index].secondMark == nil {
            cells[index].secondMark = mark
        }
    }
}

/// One character cell of the screen: a printable character of one or two columns with up to two combining marks.
///
/// It is sixteen bytes of plain memory without padding, so that screens are compared and copied as memory. Only
/// ``Grid`` makes cells, so a cell can never hold a control character.
public struct Cell: Hashable, Sendable {
    /// The character.
    public let scalar: Unicode.Scalar
    /// The marks as numbers; 0 for none.
    private var firstMarkValue: UInt32 = 0
    private var secondMarkValue: UInt32 = 0
    /// The look of the character.
    public internal(set) var style: Style
    /// Its columns: 1 or 2, or 0 for the right half of the wide character to the left.
    public let columns: UInt8
    /// Fills the gap, so that every byte of the memory is defined.
    private let rest: UInt8 = 0

    package init(scalar: Unicode.Scalar, columns: UInt8, style: Style) {
        self.scalar = scalar
        self.columns = columns
        self.style = style
    }

    /// The first combining mark over it.
    public internal(set) var firstMark: Unicode.Scalar? {
        get { firstMarkValue == 0 ? nil : Unicode.Scalar(firstMarkValue) }
        set { firstMarkValue = newValue?.value ?? 0 }
    }

    /// The second combining mark over it; further ones are left out.
    public internal(set) var secondMark: Unicode.Scalar? {
        get { secondMarkValue == 0 ? nil : Unicode.Scalar(secondMarkValue) }
        set { secondMarkValue = newValue?.value ?? 0 }
    }

    /// An empty cell.
    public static let blank = Cell(scalar: " ", columns: 1, style: .plain)

    /// The right half of a wide character.
    package static func rightHalf(style: Style) -> Cell {
        Cell(scalar: " ", columns: 0, style: style)
    }
}

extension Unicode.Scalar {
    /// A character of braille with fewer of its dots, so that it looks fainter; any other character as it is.
    ///
    /// - Parameter level: 1 for a half of the dots, 2 for a quarter, 3 for another quarter; 0 for all.
    package func thinned(_ level: Int) -> Unicode.Scalar {
        guard (1...3).contains(level), (0x2800...0x28FF).contains(value) else { return self }
        // Each row and column of dots keeps some, so that a surface stays one.
        let kept: UInt32 = [0x95, 0x21, 0x50][level - 1]
        return value & kept == 0 ? " " : Unicode.Scalar(0x2800 | value & kept) ?? self
    }
}
