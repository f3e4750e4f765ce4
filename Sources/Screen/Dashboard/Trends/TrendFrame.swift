import Appearance
import Base
import Vitals
import Wording

/// The period of the trends, divided into the cells of the screen and the columns of a graph.
///
/// Columns are fixed in time, so that the chart moves by whole columns and does not flicker.
struct TrendFrame: Hashable {
    /// The left edge.
    let start: Moment
    /// The right edge.
    let end: Moment
    /// The width in cells.
    let cells: Int
    /// The number of graph columns in a cell: two in braille.
    let columnsPerCell: Int
    /// The length of a column in nanoseconds.
    private let columnWidth: Int64

    /// Divides a window that ends with the column of a moment.
    ///
    /// - Parameter cells: At least 1.
    init(_ window: TrendWindow, cells: Int, glyphs: GlyphSet, endingAt end: Moment) {
        self.cells = max(1, cells)
        columnsPerCell = TrendGraph.columns(in: 1, glyphs: glyphs)
        let count = Int64(self.cells * columnsPerCell)
        columnWidth = max(1, window.seconds * 1_000_000_000 / count)
        let into = (end.monotonicNanoseconds % columnWidth + columnWidth) % columnWidth
        self.end = end.advanced(byNanoseconds: columnWidth - into).inTenthsOfSeconds
        start = self.end.advanced(byNanoseconds: -columnWidth * count)
    }

    /// The number of columns of the graph.
    var columns: Int { cells * columnsPerCell }

    /// The length of a cell.
    var cellWidth: Duration { .nanoseconds(columnWidth * Int64(columnsPerCell)) }

    /// The cell of a moment, from 0 at the left; `nil` outside.
    func cell(of moment: Moment) -> Int? {
        guard moment >= start, moment < end else { return nil }
        return min(cells - 1, column(of: moment.monotonic) / columnsPerCell)
    }

    /// The column of a monotonic time; outside of the window the first or the last.
    func column(of time: MonotonicTime) -> Int {
        let last = end.monotonic.advanced(byNanoseconds: -1)
        let bounded = min(max(time, start.monotonic), last)
        return min(columns - 1, Int(bounded.nanoseconds(since: start.monotonic) / columnWidth))
    }

    /// The beginning of a cell.
    func start(ofCell cell: Int) -> Moment {
        start.advanced(byNanoseconds: Int64(cell * columnsPerCell) * columnWidth)
    }
}

extension Moment {
    /// The same moment, rounded to a tenth of a second of the wall clock.
    ///
    /// The offset of the clocks is known to a millisecond, so the edge of a column would have another wall time in each
    /// frame, and everything that depends on it would be drawn again.
    fileprivate var inTenthsOfSeconds: Moment {
        let half = wallMilliseconds.addingSaturated(50)
        let into = (half % 100 + 100) % 100
        return Moment(monotonicNanoseconds: monotonicNanoseconds, wallMilliseconds: half.subtractingSaturated(into))
    }
}
