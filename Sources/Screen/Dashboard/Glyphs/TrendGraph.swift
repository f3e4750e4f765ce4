import Appearance
import Base
import TextGrid

/// The values of one column of a trend: the lowest and the highest in hundredths of the unit.
struct TrendSpan: Hashable {
    /// The lowest value.
    var low: Int
    /// The highest value.
    var high: Int
}

/// Draws a trend as a line (braille, ASCII) or as bars (blocks).
///
/// Below a braille line the background has the line's colour, stronger towards the top, with 256 colours or more; the
/// level depends on the row only, so that little changes while the chart moves.
///
/// A gap stays empty and is never bridged: only measured values are drawn.
struct TrendGraph {
    /// One span for each column of ``columns(in:glyphs:)``, oldest first; `nil` is a gap.
    var spans: [TrendSpan?]
    /// The values at the lower and the upper edge.
    var range: ClosedRange<Int>
    /// Values with a faint line.
    var limits: [Int]
    /// Whether of several values in one column the lowest matters most (a desaturation) rather than the highest.
    var favoursLow: Bool
    /// The characters to draw with.
    var glyphs: GlyphSet
    /// The colours of the cells with an alarm, from the left; `nil` without one.
    var shades: [Style.Role?] = []
    /// The cell under the reader's cursor, from the left.
    var cursor: Int?
    /// Single values, by the cell from the left, that are not part of the line.
    var marks: [(cell: Int, value: Int)] = []
    /// Whether the ground below a line of braille has its colour.
    var hasGround = true
    /// The columns at which the line is not connected with the previous one, because the sensor changed.
    var breaks: Set<Int> = []
    /// The cells of these columns, which have a mark behind the line.
    var changeCells: Set<Int> = []

    /// The number of spans in a graph of this many cells: braille has two dots in each cell.
    static func columns(in cells: Int, glyphs: GlyphSet) -> Int {
        glyphs == .braille ? cells * 2 : cells
    }

    /// Draws into an area; the newest span is at its right edge.
    func draw(_ style: Style, in area: Area, on grid: inout Grid) {
        guard !area.isEmpty else { return }
        drawShades(in: area, on: &grid)
        drawLimits(in: area, on: &grid)
        switch glyphs {
        case .braille: drawBraille(style, in: area, on: &grid)
        case .blocks: drawBlocks(style, in: area, on: &grid)
        case .ascii: drawASCII(style, in: area, on: &grid)
        }
        drawMarks(in: area, on: &grid)
    }

    /// Draws single values on top of everything, because each was typed deliberately.
    private func drawMarks(in area: Area, on grid: inout Grid) {
        for mark in marks where (0..<area.columns).contains(mark.cell) {
            guard let row = row(of: mark.value, rows: area.rows) else { continue }
            grid.set(
                glyphs.manualMark, style(.strong, ofCell: mark.cell), column: area.column + mark.cell,
                row: area.row + row)
        }
    }

    /// The row of the area for a value, from 0 at the top; `nil` outside of the range.
    func row(of value: Int, rows: Int) -> Int? {
        guard range.contains(value), rows > 0 else { return nil }
        return rows - 1 - level(value, of: rows)
    }

    /// The step, from 0 at the lower edge, of a value in a range cut into `steps` steps.
    private func level(_ value: Int, of steps: Int) -> Int {
        let span = max(1, range.upperBound - range.lowerBound)
        let bounded = min(max(value, range.lowerBound), range.upperBound)
        return min(steps - 1, (bounded - range.lowerBound) * steps / span)
    }

    private func drawLimits(in area: Area, on grid: inout Grid) {
        guard area.rows > 2 else { return }
        for limit in limits {
            guard let row = row(of: limit, rows: area.rows) else { continue }
            for cell in 0..<area.columns where cell != cursor && !changeCells.contains(cell) {
                grid.set(glyphs.limitMark, .faint, column: area.column + cell, row: area.row + row)
            }
        }
    }

    /// Gives the time of alarms a dim background, and a line above that is also visible without colours; marks the
    /// cursor.
    private func drawShades(in area: Area, on grid: inout Grid) {
        for cell in 0..<area.columns {
            let column = Area(column: area.column + cell, row: area.row, columns: 1, rows: area.rows)
            if cell == cursor {
                grid.fill(column, glyphs.frame.vertical, .strong)
            } else if changeCells.contains(cell) {
                grid.fill(column, glyphs.sourceMark, .faint)
            } else if let role = role(ofCell: cell) {
                grid.fill(column, " ", Style(role, .tint(1)))
                grid.set(glyphs.alarmShade, Style(role, [.bold, .tint(1)]), column: column.column, row: area.row)
            }
        }
    }

    private func role(ofCell cell: Int) -> Style.Role? {
        shades.indices.contains(cell) ? shades[cell] : nil
    }

    /// The style of a part of the line: bold in the alarm's colour during one, reversed under the cursor.
    private func style(_ style: Style, ofCell cell: Int) -> Style {
        let shaded = role(ofCell: cell).map { Style($0, [.bold, .tint(1)]) } ?? style
        return cell == cursor ? shaded.reversed : shaded
    }

    private func drawBraille(_ style: Style, in area: Area, on grid: inout Grid) {
        let dotRows = area.rows * 4
        let columns = area.columns * 2
        let skipped = spans.count - columns
        var bits = [UInt8](repeating: 0, count: area.columns * area.rows)
        var previous: (low: Int, high: Int)?
        for column in 0..<columns {
            let index = column + skipped
            guard index >= 0, let span = spans[index] else {
                previous = nil
                continue
            }
            var low = level(span.low, of: dotRows)
            var high = level(span.high, of: dotRows)
            let own = (low: low, high: high)
            if let previous, !breaks.contains(index) {
                // Connected with the previous column, so that a step is a line and not two dots.
                if previous.high < low { low = previous.high + 1 }
                if previous.low > high { high = previous.low - 1 }
            }
            previous = own
            for level in low...high {
                let y = dotRows - 1 - level
                bits[y / 4 * area.columns + column / 2] |= Self.brailleDot(column: column & 1, row: y & 3)
            }
        }
        for row in 0..<area.rows {
            for column in 0..<area.columns {
                let pattern = bits[row * area.columns + column]
                guard pattern != 0, let scalar = Unicode.Scalar(0x2800 + UInt32(pattern)) else { continue }
                grid.set(
                    scalar, self.style(style, ofCell: column), column: area.column + column, row: area.row + row)
            }
        }
        for column in 0..<area.columns where hasGround && isWhole(column, skipped: skipped) {
            let lowest = (0..<area.rows).last { bits[$0 * area.columns + column] != 0 } ?? area.rows
            drawGround(style, below: lowest, ofCell: column, in: area, on: &grid)
        }
    }

    /// Whether both columns of a braille cell have values: only measured values are filled.
    private func isWhole(_ cell: Int, skipped: Int) -> Bool {
        let index = cell * 2 + skipped
        return spans.indices.contains(index) && spans.indices.contains(index + 1) && spans[index] != nil
            && spans[index + 1] != nil
    }

    /// Fills the empty cells below a row, and the limits there, with the line's colour as background.
    private func drawGround(
        _ style: Style, below lowest: Int, ofCell cell: Int, in area: Area, on grid: inout Grid
    ) {
        guard cell != cursor, !changeCells.contains(cell), lowest + 1 < area.rows else { return }
        let alarm = role(ofCell: cell)
        for row in lowest + 1..<area.rows {
            // During an alarm all cells have a background, the faintest of the three.
            let level = max(alarm == nil ? 1 : 2, 3 - row * 3 / area.rows)
            let scalar = grid[area.column + cell, area.row + row].scalar
            grid.set(
                scalar, Style(alarm ?? style.role, .tint(level)), column: area.column + cell, row: area.row + row)
        }
    }

    /// The bit of a dot in a braille pattern (Unicode, block 2800: dots 1-2-3-7 on the left, 4-5-6-8 on the right).
    private static func brailleDot(column: Int, row: Int) -> UInt8 {
        switch (column, row) {
        case (0, 0): 0x01
        case (0, 1): 0x02
        case (0, 2): 0x04
        case (0, _): 0x40
        case (_, 0): 0x08
        case (_, 1): 0x10
        case (_, 2): 0x20
        default: 0x80
        }
    }

    private func drawBlocks(_ style: Style, in area: Area, on grid: inout Grid) {
        let skipped = spans.count - area.columns
        for column in 0..<area.columns {
            let index = column + skipped
            guard index >= 0, let span = spans[index] else { continue }
            let low = level(span.low, of: area.rows * 8)
            let high = level(span.high, of: area.rows * 8)
            // The most important value is shown to an eighth of a cell; the values in between are shaded.
            let exact = favoursLow ? low : high
            for cell in 0...high / 8 {
                let glyph: Unicode.Scalar =
                    cell == exact / 8
                    ? Unicode.Scalar(0x2581 + UInt32(exact % 8)) ?? "█" : cell <= low / 8 ? "█" : "▒"
                grid.set(
                    glyph, self.style(style, ofCell: column), column: area.column + column,
                    row: area.row + area.rows - 1 - cell)
            }
        }
    }

    private func drawASCII(_ style: Style, in area: Area, on grid: inout Grid) {
        let marks: [Unicode.Scalar] = area.rows == 1 ? ["_", ".", "-", "=", "#"] : [".", "-", "'"]
        let steps = area.rows * marks.count
        let skipped = spans.count - area.columns
        for column in 0..<area.columns {
            let index = column + skipped
            guard index >= 0, let span = spans[index] else { continue }
            let low = level(span.low, of: steps)
            let high = level(span.high, of: steps)
            let shown = favoursLow ? low : high
            for step in stride(from: low, through: high, by: 1) {
                let row = area.row + area.rows - 1 - step / marks.count
                let isWholeRow = step / marks.count != shown / marks.count
                grid.set(
                    isWholeRow ? "|" : marks[shown % marks.count], self.style(style, ofCell: column),
                    column: area.column + column, row: row)
            }
        }
    }
}
