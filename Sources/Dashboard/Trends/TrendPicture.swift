import Monitoring
import Vitals

/// The content of a vital's graph, independent of its size: values by column, alarms, the extremes of the window.
struct TrendPicture {
    /// The stretch of time.
    let frame: TrendFrame
    /// One for each column of the frame; `nil` is a gap.
    let columns: [TrendColumn?]
    /// The priority of the vital's alarm in each column; `nil` where there was none.
    let alarms: [AlarmPriority?]
    /// What was typed by hand in the window, each with its cell.
    let marks: [(cell: Int, value: VitalValue)]
    /// The cell under the cursor; `nil` while the newest is looked at.
    let cursor: Int?
    /// The columns in which the values of another source begin.
    let sourceChanges: [Int]
    /// Where the values under the cursor come from, when that is not the present source, or not always the same one.
    let sourceUnderCursor: TrendSource?
    private let trend: Trend
    private let holding: Duration

    /// Finds the content.
    ///
    /// - Parameter manual: What was typed by hand.
    init(_ vital: VitalState, _ frame: TrendFrame, screen: ScreenState, now: Moment, manual: [Sample] = []) {
        self.frame = frame
        marks = manual.compactMap { sample in frame.cell(of: sample.moment).map { ($0, sample.value) } }
        let trend = screen.trend(of: vital, in: frame)
        self.trend = trend
        // Three usual intervals join the dots of a slow sensor and hide no gap.
        holding = vital.interval * 3
        columns = trend.samples(from: frame.start, to: frame.end, columns: frame.columns, holding: holding)
        var alarms = [AlarmPriority?](repeating: nil, count: frame.columns)
        let recorded = screen.past(in: frame)?.episodes
        for stretch in [screen.session.log.episodes, recorded].compactMap(\.self).flatMap({
            $0.stretches(of: vital.vital, from: frame.start, to: frame.end, now: now)
        }) {
            for column in frame.column(of: stretch.start)...frame.column(of: stretch.end) {
                alarms[column] = max(alarms[column] ?? .low, stretch.priority)
            }
        }
        self.alarms = alarms
        let cursor = screen.trends.past.flatMap { frame.cell(of: $0.cursor) }
        self.cursor = cursor
        sourceChanges = trend.sourceChanges(from: frame.start, to: frame.end, columns: frame.columns)
        let source = cursor.flatMap { trend.source(at: frame.start(ofCell: $0 + 1)) }
        let isPresent = source?.sensor.address == vital.source?.address
        sourceUnderCursor = sourceChanges.isEmpty && isPresent ? nil : source
    }

    /// The cells in which the values of another source begin.
    var changeCells: Set<Int> { Set(sourceChanges.map { $0 / frame.columnsPerCell }) }

    /// Extremes and median of the window; `nil` when nothing was measured.
    var summary: TrendSummary? { trend.summary(from: frame.start, to: frame.end, holding: holding) }

    /// What happened in the cell under the cursor; `nil` when nothing was measured there.
    var underCursor: TrendColumn? {
        guard let cursor else { return nil }
        let cell = columns(ofCell: cursor)
        // Values of two sensors are not joined.
        let first = sourceChanges.last { cell.indices.contains($0) } ?? cell.startIndex
        return cell[first...].reduce(nil) { joined, column in
            guard let joined, let column else { return joined ?? column }
            return joined.joined(with: column)
        }
    }

    /// What was typed by hand in the cell under the cursor; the newest, if there are several.
    var markUnderCursor: VitalValue? { marks.last { $0.cell == cursor }?.value }

    /// The alarm of a cell of the screen.
    func alarm(ofCell cell: Int) -> AlarmPriority? {
        alarms[cell * frame.columnsPerCell..<(cell + 1) * frame.columnsPerCell].compactMap { $0 }.max()
    }

    private func columns(ofCell cell: Int) -> ArraySlice<TrendColumn?> {
        columns[cell * frame.columnsPerCell..<(cell + 1) * frame.columnsPerCell]
    }
}

extension VitalPanel {
    /// Extremes and median of the window, from the longest text to the shortest; empty without measurements.
    func summaryText(_ screen: ScreenState) -> [String] {
        guard let summary = picture?.summary else { return [] }
        let (low, middle, high) = (
            text(summary.minimum, screen), text(summary.median, screen), text(summary.maximum, screen)
        )
        let dot = screen.glyphs.dot
        let named = ["min \(low)\(dot)median \(middle)\(dot)max \(high)", "min \(low)\(dot)max \(high)"]
        // A single number without a name would look like a current value.
        let words = low == high ? named : named + [range(low, high, screen)]
        guard let since = summary.since else { return words }
        // Before that the values were another sensor's.
        let clock = TimeText(now: since, timeZoneOffset: screen.session.timeZoneOffset).clock(since)
        return words.map { "since \(clock) \($0)" }
    }

    /// What the vital was under the cursor: "71–74", "72", "no data"; empty while the newest is looked at.
    func cursorText(_ screen: ScreenState) -> String {
        guard let picture, picture.cursor != nil else { return "" }
        let manual = picture.markUnderCursor.map { "manual \(text($0, screen))" }
        guard let column = picture.underCursor else {
            if let manual { return manual }
            return screen.trends.reading == .idle
                ? "no data" : screen.trends.reading == .reading ? screen.glyphs.ellipsis : "?"
        }
        let (low, high) = (text(column.minimum, screen), text(column.maximum, screen))
        let source = picture.sourceUnderCursor.map { source in
            [source.site?.text, source.sensor.shortName()].compactMap { $0 }.joined(separator: " ")
        }
        return [range(low, high, screen), source, manual].compactMap { $0 }.joined(separator: ", ")
    }

    private func range(_ low: String, _ high: String, _ screen: ScreenState) -> String {
        low == high ? low : "\(low)\(screen.glyphs.dash)\(high)"
    }

    private func text(_ value: VitalValue, _ screen: ScreenState) -> String {
        ValueText(screen.units).digits(value, of: vital, limits: valueLimits)
    }
}
