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

/// Draws a trend as a line (braille, ASCII) or as bars (blocks), with a glow below it (``TrendGlow``).
///
/// A gap stays empty and is never bridged: only measured values are drawn, and only they glow.
struct TrendGraph {
    /// One span for each column of ``columns(in:glyphs:)``, oldest first; `nil` is a gap.
    var spans: [TrendSpan?]
    /// The values at the lower and the upper edge.
    var range: ClosedRange<Int>
    /// Values with a dashed line behind the trend.
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
    /// Whether anything glows below the line; not where its lower end is a value that is read.
    var glows = true
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
        let parts = parts(of: area)
        drawEmpty(style, around: parts, in: area, on: &grid)
        drawColumns(in: area, on: &grid)
        for (place, part) in zip(0..., parts) {
            guard let part else { continue }
            let (cell, row) = (place % area.columns, place / area.columns)
            // Marks of a whole column are not covered by what only decorates.
            if part.depth > 0, hasMark(cell) { continue }
            // The eye finds where now is.
            let isNewest = cursor == nil && cell == area.columns - 1 && part.depth == 0
            let style = self.style(isNewest ? style.bold : style, of: part, ofCell: cell)
            grid.set(part.scalar, style, column: area.column + cell, row: area.row + row)
        }
        drawLimits(over: parts, in: area, on: &grid)
        drawMarks(in: area, on: &grid)
    }

    /// What a trend has in a cell.
    struct Part {
        var scalar: Unicode.Scalar
        /// The cells below the line, from 1; 0 for the line itself.
        var depth = 0
    }

    /// The glow in a graph of a height.
    func glow(rows: Int) -> TrendGlow { TrendGlow(rows: glows ? rows : 0) }

    /// The line and its glow, row by row.
    private func parts(of area: Area) -> [Part?] {
        switch glyphs {
        case .braille: brailleParts(columns: area.columns, rows: area.rows)
        case .blocks: blockParts(columns: area.columns, rows: area.rows)
        case .ascii: asciiParts(columns: area.columns, rows: area.rows)
        }
    }

    /// The row of the area for a value, from 0 at the top; `nil` outside of the range.
    func row(of value: Int, rows: Int) -> Int? {
        guard range.contains(value), rows > 0 else { return nil }
        return rows - 1 - level(value, of: rows)
    }

    /// The step, from 0 at the lower edge, of a value in a range cut into `steps` steps.
    func level(_ value: Int, of steps: Int) -> Int {
        let span = max(1, range.upperBound - range.lowerBound)
        let bounded = min(max(value, range.lowerBound), range.upperBound)
        return min(steps - 1, (bounded - range.lowerBound) * steps / span)
    }

    // MARK: Around the trend

    /// Gives empty cells the colour of the part of the trend above them, which cannot be seen: a terminal then needs no
    /// other colour between two cells of the trend.
    private func drawEmpty(_ style: Style, around parts: [Part?], in area: Area, on grid: inout Grid) {
        for cell in 0..<area.columns {
            var above = Style(role(ofCell: cell) ?? style.role, style.attributes)
            for row in 0..<area.rows {
                if let part = parts[row * area.columns + cell] {
                    above = self.style(style, of: Part(scalar: " ", depth: part.depth), ofCell: cell)
                } else {
                    grid.set(" ", above, column: area.column + cell, row: area.row + row)
                }
            }
        }
    }

    /// Marks the cursor, the beginnings of other sensors, and above the time of alarms.
    private func drawColumns(in area: Area, on grid: inout Grid) {
        for cell in 0..<area.columns {
            let column = Area(column: area.column + cell, row: area.row, columns: 1, rows: area.rows)
            if cell == cursor {
                grid.fill(column, glyphs.frame.vertical, .strong)
            } else if changeCells.contains(cell) {
                grid.fill(column, glyphs.sourceMark, .faint)
            } else if let role = role(ofCell: cell) {
                grid.set(glyphs.alarmShade, Style(role, [.bold, .stroke]), column: column.column, row: area.row)
            }
        }
    }

    /// Draws spaced dashes where nothing was measured: over the glow, but never over the line.
    private func drawLimits(over parts: [Part?], in area: Area, on grid: inout Grid) {
        guard area.rows > 2 else { return }
        for row in Set(limits.compactMap { row(of: $0, rows: area.rows) }) {
            for cell in stride(from: 0, to: area.columns, by: 3) where !hasMark(cell) {
                let isLine = parts[row * area.columns + cell].map { $0.depth == 0 } ?? false
                // The mark of an alarm is above the line.
                if isLine || row == 0 && role(ofCell: cell) != nil { continue }
                grid.set(glyphs.limitMark, Style(.frame), column: area.column + cell, row: area.row + row)
            }
        }
    }

    /// Draws single values on top of everything, because each was typed deliberately.
    private func drawMarks(in area: Area, on grid: inout Grid) {
        for mark in marks where (0..<area.columns).contains(mark.cell) {
            guard let row = row(of: mark.value, rows: area.rows) else { continue }
            let alarm = role(ofCell: mark.cell).map { Style($0, .bold) } ?? .strong
            grid.set(
                glyphs.manualMark, mark.cell == cursor ? alarm.reversed : alarm, column: area.column + mark.cell,
                row: area.row + row)
        }
    }

    /// Whether a cell's whole column has a mark.
    private func hasMark(_ cell: Int) -> Bool { cell == cursor || changeCells.contains(cell) }

    private func role(ofCell cell: Int) -> Style.Role? {
        shades.indices.contains(cell) ? shades[cell] : nil
    }

    /// The style of a part of the trend: in the alarm's colour, and bold, during one; fainter below the line; reversed
    /// under the cursor.
    private func style(_ style: Style, of part: Part, ofCell cell: Int) -> Style {
        let alarm = role(ofCell: cell)
        let own = Style(alarm ?? style.role, style.attributes)
        if part.depth > 0 { return own.with(.fade(part.depth)) }
        let line = alarm == nil ? own : own.bold.with(.stroke)
        return cell == cursor ? line.reversed : line
    }
}
