import Monitoring
import Vitals

/// Trends of a stretch of the past that were loaded from records, because those in memory are too coarse or too short.
///
/// Whoever draws asks ``ScreenState/missingPast(in:at:)`` what is wanted, loads it, and puts it into
/// ``ScreenState/pastTrends``. While it covers what is shown it stands in for the trends in memory, and for nothing else:
/// no number, age or alarm is taken from it.
public struct PastTrends: Hashable, Sendable {
    /// From when on it knows what was recorded.
    public let from: Moment
    /// Until when.
    public let to: Moment
    private let trends: [Vital: Trend]

    /// Makes trends of what was recorded between two moments.
    ///
    /// - Parameter recorded: All that was recorded of this patient between them, as finely as a trend is that ends then.
    public init(from: Moment, to: Moment, _ recorded: [RecordedTrend]) {
        self.from = from
        self.to = to
        let vitals = Set(recorded.map(\.vital))
        trends = Dictionary(
            uniqueKeysWithValues: vitals.map { vital in
                (vital, Trend(recorded.filter { $0.vital == vital }, now: to))
            })
    }

    /// Whether it covers a stretch of time.
    func covers(_ frame: TrendFrame) -> Bool { from <= frame.start && frame.end <= to }

    /// The trend of a vital; an empty one when nothing was recorded of it.
    func trend(of vital: Vital) -> Trend { trends[vital] ?? Trend() }
}

extension ScreenState {
    /// The stretch of the past that is shown and that the trends in memory hold more coarsely than the screen could show,
    /// or not at all; `nil` while they serve it well, or what is in ``pastTrends`` does.
    ///
    /// - Parameters:
    ///   - state: What is known.
    ///   - now: When.
    public func missingPast(in state: MonitorState, at now: Moment) -> (from: Moment, to: Moment)? {
        guard trends.isPast, let frame = trends.frame(glyphs: glyphs, now: now) else { return nil }
        if let pastTrends, pastTrends.covers(frame) { return nil }
        let age = now.since(frame.start)
        // Columns no shorter than the buckets of the finest level that reaches back as far are all that can be wanted.
        let fitting = Trend.resolutions.first { age < $0.reach }
        if let fitting, frame.cellWidth / frame.columnsPerCell >= fitting.width { return nil }
        // A cell more on each side, so that a step of the cursor needs nothing new.
        return (
            frame.start.advanced(by: .zero - frame.cellWidth),
            min(now, frame.end.advanced(by: frame.cellWidth))
        )
    }

    /// The trend of a vital that a stretch of time is drawn from.
    func trend(of vital: VitalState, in frame: TrendFrame) -> Trend {
        guard trends.isPast, let pastTrends, pastTrends.covers(frame) else { return vital.trend }
        return pastTrends.trend(of: vital.vital)
    }
}
