import Appearance
import Base
import Monitoring
import Vitals

/// The axis of days: each has the same number of cells, whether it has 23, 24 or 25 hours.
struct DayAxis {
    private let overview: PatientOverview
    private let columnsPerCell: Int
    /// The number of cells of a day.
    let dayColumns: Int

    /// The columns of the numbers on the left.
    static let labelColumns = 8
    /// The fewest columns of a day in which a bar and its median can be distinguished.
    static let fewestDayColumns = 3

    /// Divides a width; `nil` without room for the days.
    init?(_ overview: PatientOverview, columns: Int, glyphs: GlyphSet) {
        let days = max(1, overview.days.count)
        dayColumns = min(14, (columns - Self.labelColumns) / days)
        guard dayColumns >= Self.fewestDayColumns else { return nil }
        self.overview = overview
        columnsPerCell = TrendGraph.columns(in: 1, glyphs: glyphs)
    }

    /// The number of cells of all days.
    var columns: Int { dayColumns * overview.days.count }

    /// The first cell of a day, counted from the left edge including its numbers.
    func start(ofDay day: Int) -> Int { Self.labelColumns + day * dayColumns }

    /// The cell of a time, counted from the first day; `nil` outside of the days.
    func cell(of wall: Int64) -> Int? {
        overview.place(of: wall).map { min(columns - 1, Int($0 * Double(dayColumns))) }
    }

    /// The columns of the graph for a day: a bar from the lowest to the highest value, and the median across.
    func spans(of figures: VitalDay?, _ shown: (VitalValue) -> Int) -> [TrendSpan?] {
        let count = dayColumns * columnsPerCell
        var spans = [TrendSpan?](repeating: nil, count: count)
        guard let figures, let minimum = figures.minimum, let maximum = figures.maximum else { return spans }
        if let median = figures.median {
            let value = shown(median)
            for column in (count >= 6 ? 1 : 0)..<count - 1 { spans[column] = TrendSpan(low: value, high: value) }
        }
        let middle = (count - 1) / 2
        let bar = TrendSpan(low: shown(minimum), high: shown(maximum))
        for column in middle...(count >= 8 ? middle + 1 : middle) where column < count { spans[column] = bar }
        return spans
    }
}
