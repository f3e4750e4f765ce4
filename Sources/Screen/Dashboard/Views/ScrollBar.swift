import Appearance
import Base
import TextGrid

/// The visible part of a page, as a thumb on the right border of its frame.
struct ScrollBar: Hashable {
    /// The number of rows scrolled past.
    var top: Int
    /// The number of visible rows.
    var shown: Int
    /// The number of all rows.
    var total: Int

    /// Draws over a border; nothing if everything is visible.
    ///
    /// The thumb is at an end of the border only if nothing is hidden beyond it.
    func draw(_ glyphs: GlyphSet, over border: Area, on grid: inout Grid) {
        guard shown > 0, total > shown, border.rows >= 3 else { return }
        let length = max(1, min(border.rows - 2, border.rows * shown / total))
        let travel = border.rows - length
        let last = total - shown
        let offset = top <= 0 ? 0 : top >= last ? travel : min(max(1, travel * top / last), travel - 1)
        grid.fill(
            Area(column: border.column, row: border.row + offset, columns: 1, rows: length), glyphs.scrollThumb, .plain)
    }
}
