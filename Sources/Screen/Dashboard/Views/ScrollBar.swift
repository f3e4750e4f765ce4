import Appearance
import Base
import TextGrid

/// Which part of a page can be seen, as a thumb on the right border of its frame.
struct ScrollBar: Hashable {
    /// How many rows are scrolled past.
    var top: Int
    /// How many can be seen.
    var shown: Int
    /// How many there are.
    var total: Int

    /// Draws over a border; nothing where everything can be seen.
    ///
    /// The thumb is at an end of the border only where nothing is hidden beyond it.
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
