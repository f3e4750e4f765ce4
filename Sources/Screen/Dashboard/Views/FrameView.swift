import Appearance
import Base
import TextGrid

/// Rules and borders.
struct FrameView {
    let glyphs: GlyphSet

    /// Draws the border of an area.
    func drawBox(_ box: Area, on grid: inout Grid) {
        guard box.rows >= 2, box.columns >= 2 else { return }
        let lines = glyphs.frame
        let right = box.column + box.columns - 1
        let bottom = box.row + box.rows - 1
        for row in box.row...bottom {
            grid.set(lines.vertical, Style(.frame), column: box.column, row: row)
            grid.set(lines.vertical, Style(.frame), column: right, row: row)
        }
        grid.fill(box.line(0), lines.horizontal, Style(.frame))
        grid.fill(box.line(box.rows - 1), lines.horizontal, Style(.frame))
        grid.set(lines.corners[0], Style(.frame), column: box.column, row: box.row)
        grid.set(lines.corners[1], Style(.frame), column: right, row: box.row)
        grid.set(lines.corners[2], Style(.frame), column: box.column, row: bottom)
        grid.set(lines.corners[3], Style(.frame), column: right, row: bottom)
    }

    /// Draws a rule that meets the left and the right border.
    func drawRule(_ line: Area, on grid: inout Grid) {
        guard line.columns >= 2 else { return }
        let lines = glyphs.frame
        color(line, Style(.frame), on: &grid)
        grid.set(lines.left, Style(.frame), column: line.column, row: line.row)
        grid.set(lines.right, Style(.frame), column: line.column + line.columns - 1, row: line.row)
    }

    /// Draws a rule between its ends in another style.
    func color(_ line: Area, _ style: Style, on grid: inout Grid) {
        grid.fill(line.line(0).inset(left: 1, right: 1), glyphs.frame.horizontal, style)
    }
}
