import CNcurses
import Dashboard

/// Puts grids on the ncurses screen; remembers the last one and touches only cells that changed.
struct Painter {
    private var shown: Grid?
    private let looks: [Look]

    /// How a role looks on this terminal, plain and reversed.
    private struct Look {
        var attributes: attr_t = 0
        var pair: Int16 = 0
        var reversedAttributes: attr_t = 0
        var reversedPair: Int16 = 0
    }

    /// Starts colours as the terminal has them; call it once ncurses is up.
    init(theme: Theme, isColorRefused: Bool) {
        var colorCount = 0
        if !isColorRefused, has_colors() {
            start_color()
            colorCount = use_default_colors() == OK ? Int(cncurses_color_count()) : 0
        }
        var looks: [Look] = []
        for role in Style.Role.allCases {
            looks.append(Self.look(of: theme[role], number: Int16(role.rawValue), colorCount: colorCount))
        }
        self.looks = looks
    }

    private static func look(of colors: Theme.RoleColors, number: Int16, colorCount: Int) -> Look {
        var look = Look()
        look.reversedAttributes = cncurses_reverse()
        if colorCount < 16 { look.attributes = attributes(colors.substitute) }
        if let text = colors.text?.index(colorCount: colorCount) {
            look.pair = number * 2 + 1
            init_pair(look.pair, text, -1)
            look.reversedPair = look.pair
        }
        if let fill = colors.filled, let text = fill.text.index(colorCount: colorCount),
            let ground = fill.ground.index(colorCount: colorCount)
        {
            look.reversedPair = number * 2 + 2
            look.reversedAttributes = 0
            init_pair(look.reversedPair, text, ground)
        }
        return look
    }

    private static func attributes(_ set: Style.Attributes) -> attr_t {
        var result: attr_t = 0
        if set.contains(.bold) { result |= cncurses_bold() }
        if set.contains(.dim) { result |= cncurses_dim() }
        if set.contains(.underline) { result |= cncurses_underline() }
        return result
    }

    /// Forgets what is on the screen, so that the next grid is put there whole.
    mutating func forget() {
        shown = nil
    }

    /// Puts a grid on the screen.
    mutating func paint(_ grid: Grid) {
        guard grid != shown else { return }
        let former = shown?.columns == grid.columns && shown?.rows == grid.rows ? shown?.cells : nil
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                let index = row * grid.columns + column
                let cell = grid.cells[index]
                guard former?[index] != cell else { continue }
                put(cell, column: column, row: row)
            }
        }
        shown = grid
        placeCursor(grid.cursor)
        cncurses_refresh()
    }

    private func put(_ cell: Cell, column: Int, row: Int) {
        // The right half of a wide character came with its left half.
        guard cell.columns > 0 else { return }
        let look = looks[Int(cell.style.role.rawValue)]
        let isReversed = cell.style.attributes.contains(.reverse)
        let attributes =
            Self.attributes(cell.style.attributes) | (isReversed ? look.reversedAttributes : look.attributes)
        let pair = isReversed ? look.reversedPair : look.pair
        guard isAgreed(cell) else {
            for offset in 0..<CInt(cell.columns) {
                cncurses_put(CInt(row), CInt(column) + offset, 0x3F, 0, 0, attributes, pair)
            }
            return
        }
        cncurses_put(
            CInt(row), CInt(column), cell.scalar.value, cell.firstMark?.value ?? 0, cell.secondMark?.value ?? 0,
            attributes, pair)
    }

    /// Whether the C library, and so ncurses, thinks the character as wide as the grid does.
    ///
    /// Quirk widths-differ: both follow Unicode, but perhaps different versions of it; the row would be shifted.
    private func isAgreed(_ cell: Cell) -> Bool {
        let value = cell.scalar.value
        if value < 0x7F { return true }
        return cncurses_width(value) == CInt(cell.columns)
    }

    /// Rests the cursor on the selected row, where screen readers and braille displays look for it, seen or not.
    private func placeCursor(_ position: Grid.Position?) {
        cncurses_move(CInt(position?.row ?? 0), CInt(position?.column ?? 0))
    }
}
