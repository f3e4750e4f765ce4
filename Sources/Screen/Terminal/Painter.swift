import Appearance
import CNcurses
import Glibc
import TextGrid

/// Paints grids on the ncurses screen; remembers the last one and writes only changed cells.
struct Painter {
    private var shown: Grid?
    private var palette: ColorPalette
    private var theme: Theme
    /// The look of each style on this terminal, by role and attributes, for styles drawn so far.
    private var looks: [Look?] = []

    /// The attributes and colour pair for a style.
    private struct Look {
        var attributes: attr_t
        var pair: Int16
        var thinning: Int
        /// The pair of a blank on the colour of the text; 0 if the text has the terminal's own, or is reversed.
        var blockPair: Int16
    }

    /// Starts the terminal's colours; call it after ncurses has started.
    init(theme: Theme, traits: TerminalTraits) {
        palette = ColorPalette(traits)
        self.theme = theme
        use(theme, on: traits.ground)
    }

    /// The colour depth in use.
    var colorDepth: ColorDepth { palette.depth }

    /// Sets the theme, the terminal's own background and the greatest colour depth from the next grid on.
    mutating func use(_ theme: Theme, on ground: Theme.Color?, deepest: ColorDepth? = nil) {
        palette.begin(deepest: deepest)
        self.theme = theme.fitted(to: ground, at: palette.depth)
        looks = Array(repeating: nil, count: Style.Role.allCases.count * Self.attributeCount)
        forget()
    }

    /// The number of different sets of attributes.
    private static let attributeCount = Int(UInt8.max) + 1

    private mutating func look(of style: Style) -> Look {
        let index = Int(style.role.rawValue) * Self.attributeCount + Int(style.attributes.rawValue)
        if let known = looks[index] { return known }
        let look = theme.look(of: style, at: palette.depth)
        let isBlock = style.attributes.contains(.stroke) && look.text != nil && !look.attributes.contains(.reverse)
        let made = Look(
            attributes: Self.attributes(look.attributes), pair: palette.pair(look.text, look.ground),
            thinning: look.thinning, blockPair: isBlock ? palette.pair(look.text, look.text) : 0)
        looks[index] = made
        return made
    }

    private static func attributes(_ set: Style.Attributes) -> attr_t {
        var result: attr_t = 0
        if set.contains(.bold) { result |= cncurses_bold() }
        if set.contains(.dim) { result |= cncurses_dim() }
        if set.contains(.underline) { result |= cncurses_underline() }
        if set.contains(.reverse) { result |= cncurses_reverse() }
        return result
    }

    /// Forgets the last grid, so that the next one is painted completely.
    mutating func forget() {
        shown = nil
    }

    /// Paints a grid on the screen.
    mutating func paint(_ grid: Grid) {
        let former = shown?.columns == grid.columns && shown?.rows == grid.rows ? shown : nil
        var isChanged = former == nil || former?.cursor != grid.cursor
        for row in 0..<grid.rows {
            for column in former.map({ Self.changedColumns(of: row, in: grid, since: $0) }) ?? Array(0..<grid.columns) {
                isChanged = true
                put(grid.cells[row * grid.columns + column], column: column, row: row)
            }
        }
        shown = grid
        guard isChanged else { return }
        placeCursor(grid.cursor)
        cncurses_refresh()
    }

    /// The columns of a row whose cells differ between two grids of the same size, by comparing memory (see ``Cell``).
    private static func changedColumns(of row: Int, in grid: Grid, since former: Grid) -> [Int] {
        let stride = MemoryLayout<Cell>.stride
        let (start, length) = (row * grid.columns * stride, grid.columns * stride)
        return grid.cells.withUnsafeBytes { cells in
            former.cells.withUnsafeBytes { formerCells in
                guard let cells = cells.baseAddress, let formerCells = formerCells.baseAddress,
                    memcmp(cells + start, formerCells + start, length) != 0
                else { return [] }
                return (0..<grid.columns).filter { column in
                    memcmp(cells + start + column * stride, formerCells + start + column * stride, stride) != 0
                }
            }
        }
    }

    private mutating func put(_ cell: Cell, column: Int, row: Int) {
        // The right half of a wide character is painted with its left half.
        guard cell.columns > 0 else { return }
        let look = look(of: cell.style)
        guard isAgreed(cell) else {
            for offset in 0..<CInt(cell.columns) {
                cncurses_put(CInt(row), CInt(column) + offset, 0x3F, 0, 0, look.attributes, look.pair)
            }
            return
        }
        // A block of a font leaves seams, which a ground does not. With few colours bold text is brighter, and a ground is not.
        if cell.scalar == "█", cell.style.attributes.contains(.stroke),
            palette.depth >= .palette || look.attributes & cncurses_bold() == 0
        {
            putBlock(look, column: column, row: row)
            return
        }
        cncurses_put(
            CInt(row), CInt(column), cell.scalar.thinned(look.thinning).value, cell.firstMark?.value ?? 0,
            cell.secondMark?.value ?? 0,
            look.attributes, look.pair)
    }

    /// Puts a blank on the colour of a text.
    ///
    /// If that is known, the blank is the same whatever the text is on, and so what flashes around it does not write it.
    private mutating func putBlock(_ look: Look, column: Int, row: Int) {
        guard look.blockPair > 0 else {
            let reversed = look.attributes ^ cncurses_reverse()
            cncurses_put(CInt(row), CInt(column), 0x20, 0, 0, reversed, look.pair)
            return
        }
        cncurses_put(CInt(row), CInt(column), 0x20, 0, 0, look.attributes, look.blockPair)
    }

    /// Whether the C library, and so ncurses, uses the same width for a character as the grid.
    ///
    /// Quirk widths-differ: both follow Unicode, but possibly different versions; the row would be shifted.
    private func isAgreed(_ cell: Cell) -> Bool {
        let value = cell.scalar.value
        if value < 0x7F { return true }
        return cncurses_width(value) == CInt(cell.columns)
    }

    /// Places the cursor on the selected row, where screen readers and braille displays expect it, visible or not.
    private func placeCursor(_ position: Grid.Position?) {
        cncurses_move(CInt(position?.row ?? 0), CInt(position?.column ?? 0))
    }
}

/// The terminal's colours in ncurses, and the colour pairs in use.
///
/// Quirk truecolor-unsaid: any colour can be shown only if the terminal's description has `RGB`, as `xterm-direct`, or
/// if its palette can be changed and `COLORTERM` announces any colour. Then the nearest colour of the palette is
/// redefined exactly, or a free one if another colour needs that; a terminal that cannot redefine it shows the nearest
/// one. ncurses restores the palette at its end.
struct ColorPalette {
    /// The colour depth in use.
    private(set) var depth = ColorDepth.none
    private let available: ColorDepth
    private let canChange: Bool
    private let usualDeepest: ColorDepth
    /// The greatest depth wanted.
    private var wanted = ColorDepth.direct
    private var pairs: [Pair: Int16] = [:]
    /// The indices of redefined palette colours.
    private var changed: Set<Int16> = []
    /// The colours in use, as red, green and blue, by their indices in a palette that can be changed.
    private var used: [Int16: Int] = [:]

    private struct Pair: Hashable {
        var text: CInt
        var ground: CInt
    }

    /// Starts colours; call it after ncurses has started.
    init(_ traits: TerminalTraits) {
        usualDeepest = traits.deepestColor ?? .direct
        guard !traits.isColorRefused, has_colors(), start_color() == OK, use_default_colors() == OK else {
            (available, canChange) = (.none, false)
            return
        }
        let depth = ColorDepth(colorCount: Int(cncurses_color_count()))
        // Without RGB the numbers of direct colours would be undefined palette indices.
        available = depth == .direct && !cncurses_has_direct_color() ? .palette : depth
        canChange = available == .palette && traits.claimsAnyColor && can_change_color()
    }

    /// Begins with no pairs in use.
    mutating func begin(deepest: ColorDepth?) {
        wanted = deepest ?? usualDeepest
        depth = min(available, wanted)
        pairs = [:]
        for index in changed { put(Theme.Color(index, bright: 0, basic: 0), at: index) }
        changed = []
        used = [:]
    }

    /// The number of the pair of two colours, `nil` for the terminal's own; 0 without colours.
    mutating func pair(_ text: Theme.Color?, _ ground: Theme.Color?) -> Int16 {
        let pair = Pair(text: number(text), ground: number(ground))
        guard depth > .none, pair.text >= 0 || pair.ground >= 0 else { return 0 }
        if let known = pairs[pair] { return known }
        let number = pairs.count + 1
        guard number < cncurses_color_pair_count() else { return 0 }
        init_extended_pair(CInt(number), pair.text, pair.ground)
        pairs[pair] = Int16(number)
        return Int16(number)
    }

    private mutating func number(_ color: Theme.Color?) -> CInt {
        guard let color, let number = color.number(at: depth) else { return -1 }
        if depth == .palette, wanted == .direct, canChange, color.palette >= 16 { return CInt(index(of: color)) }
        return CInt(number)
    }

    /// The index of exactly this colour; redefines the palette if necessary.
    private mutating func index(of color: Theme.Color) -> Int16 {
        let present = used[color.palette]
        if present == color.rgb { return color.palette }
        if present != nil, let known = used.first(where: { $0.value == color.rgb })?.key { return known }
        let index = present == nil ? color.palette : (16..<256).last { used[$0] == nil } ?? color.palette
        used[index] = color.rgb
        if index != color.palette || !color.isOfPalette {
            changed.insert(index)
            put(color, at: index)
        }
        return index
    }

    /// Redefines a colour of the palette.
    private func put(_ color: Theme.Color, at index: Int16) {
        func thousandths(_ component: UInt8) -> CInt { CInt(component) * 1000 / 255 }
        init_extended_color(
            CInt(index), thousandths(color.red), thousandths(color.green), thousandths(color.blue))
    }
}
