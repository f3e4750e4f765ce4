import Monitoring
import Vitals
import Wording

/// The content of a vital's graph, independent of its size: values by column, alarms, the extremes of the window.
struct TrendPicture: Hashable {
    /// The stretch of time.
    let frame: TrendFrame
    /// One for each column of the frame; `nil` is a gap.
    let columns: [TrendColumn?]
    /// The priority of the vital's alarm in each column; `nil` without one.
    let alarms: [AlarmPriority?]
    /// The drawn limits.
    let limits: Limits
    /// The inputs of the picture; `nil` for a picture of the past.
    private let content: Content?
    /// The manual entries in the window, each with its cell.
    let marks: [Mark]
    /// The cell under the cursor; `nil` while the newest values are shown.
    let cursor: Int?
    /// The columns in which the values of another source begin.
    let sourceChanges: [Int]
    /// The source of the values under the cursor, if it is not the present one, or if the source changed.
    let sourceUnderCursor: TrendSource?
    /// Extremes and median of the window; `nil` without a measurement.
    let summary: TrendSummary?

    /// A typed value.
    struct Mark: Hashable {
        /// The cell of the screen, counted from the left.
        var cell: Int
        var value: VitalValue
    }

    /// The limits in a graph, each group with the most important first.
    struct Limits: Hashable {
        /// The fever thresholds, and the ordinary limits.
        var ordinary: [VitalValue] = []
        /// The severe limits, for high graphs.
        var severe: [VitalValue] = []

        init(_ vital: Vital, _ state: borrowing MonitorState) {
            // Both limits of a fever rule would be on one row: the first, which needs no hour, is drawn.
            if vital == .bodyTemperature { ordinary += state.settings.fever.limits.prefix(1) }
            guard let limits = state.currentLimits[vital] else { return }
            ordinary += [.low, .high].compactMap { limits[$0].value }
            severe = [.severeLow, .severeHigh].compactMap { limits[$0].value }
        }
    }

    /// The inputs of a frame's picture, without the trend itself.
    private struct Content: Hashable {
        var frame: TrendFrame
        var vital: Vital
        var trend: Trend.Mark
        var interval: Duration
        var source: SensorIdentity?
        var limits: Limits
        var manual: [Sample]
        var episodes: AlarmEpisodes
    }

    /// Creates the content.
    ///
    /// - Parameters:
    ///   - manual: The manual entries.
    ///   - former: The picture of the previous frame, which is reused if its inputs are the same.
    init(
        _ vital: borrowing VitalState, _ frame: TrendFrame, screen: borrowing ScreenState, now: Moment, limits: Limits,
        manual: [Sample], former: TrendPicture?
    ) {
        let content =
            screen.trends.isPast
            ? nil
            : Content(
                frame: frame, vital: vital.vital, trend: vital.trend.mark, interval: vital.interval,
                source: vital.source, limits: limits, manual: manual,
                episodes: screen.session.log.episodes)
        if let content, let former, former.content == content {
            self = former
            return
        }
        self.content = content
        self.frame = frame
        self.limits = limits
        marks = manual.compactMap { sample in frame.cell(of: sample.moment).map { Mark(cell: $0, value: sample.value) }
        }
        let trend = screen.trend(of: vital, in: frame)
        // Three usual intervals join the dots of a slow sensor and hide no gap.
        let holding = vital.interval + vital.interval + vital.interval
        columns = trend.samples(from: frame.start, to: frame.end, columns: frame.columns, holding: holding)
        // Computed here, not when drawing: keeping a trend for longer than a frame would copy it with the next value.
        summary = trend.summary(from: frame.start, to: frame.end, holding: holding)
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

    /// The values of the cell under the cursor; `nil` without a measurement.
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

    /// The manual entry in the cell under the cursor; the newest, if there are several.
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
        // Earlier values were another sensor's.
        let clock = TimeText(now: since, timeZoneOffset: screen.session.timeZoneOffset).clock(since)
        return words.map { "since \(clock) \($0)" }
    }

    /// The value under the cursor: "71–74", "72", "no data"; empty while the newest values are shown.
    func cursorText(_ screen: ScreenState) -> String {
        guard picture?.cursor != nil, let picture else { return "" }
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
