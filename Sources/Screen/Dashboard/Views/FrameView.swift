import Appearance
import Base
import TextGrid

/// Borders.
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
}
