import Appearance
import Base
import TextGrid
import Vitals
import Wording

/// The times below a graph: as many round ones as fit.
struct TimeAxis {
    /// A time and its cell.
    struct Tick: Hashable {
        /// Counted from the left of the graph.
        var cell: Int
        /// The local time: "13:50".
        var label: String
    }

    /// From the left to the right.
    let ticks: [Tick]

    /// The possible distances of ticks, in minutes; each divides the day.
    static let steps: [Int64] = [1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360, 720, 1440]

    /// Chooses the shortest step at which labels do not touch.
    init(_ frame: TrendFrame, time: TimeText) {
        let span = max(1, frame.end.since(frame.start).components.seconds)
        let columnsPerLabel: Int64 = 9
        let step =
            (Self.steps.first { $0 * 60 * Int64(frame.cells) / span >= columnsPerLabel } ?? 1440) * 60_000
        let offset = Int64(min(max(time.timeZoneOffset, -86_400), 86_400)) * 1000
        let local = frame.start.wallMilliseconds.addingSaturated(offset)
        var distance = (step - (local % step + step) % step) % step
        var ticks: [Tick] = []
        while let cell = frame.cell(of: frame.start.advanced(by: .milliseconds(distance))) {
            ticks.append(Tick(cell: cell, label: time.clock(frame.start.advanced(by: .milliseconds(distance)))))
            distance += step
        }
        self.ticks = ticks
    }

    /// Draws into the row of an area that is as wide as the graph; only over `blank` cells, and no label partially.
    ///
    /// - Parameters:
    ///   - mark: The character at the exact time, before its label.
    ///   - blank: The character of the cells that may be drawn over.
    func draw(_ style: Style, mark: Unicode.Scalar, over blank: Unicode.Scalar, in area: Area, on grid: inout Grid) {
        // Without a row, its marks would be in the graph below.
        guard area.rows > 0 else { return }
        for tick in ticks {
            let width = 1 + columnWidth(of: tick.label)
            guard tick.cell + width <= area.columns else { continue }
            // One more cell on each side stays unchanged, so that two texts never touch.
            let around = max(0, tick.cell - 1)...min(area.columns - 1, tick.cell + width)
            guard around.allSatisfy({ grid[area.column + $0, area.row].scalar == blank }) else { continue }
            grid.set(mark, style, column: area.column + tick.cell, row: area.row)
            grid.put(tick.label, style, at: tick.cell + 1, in: area)
        }
    }
}
