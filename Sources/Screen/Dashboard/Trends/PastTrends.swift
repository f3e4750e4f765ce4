import Appearance
import Base
import Monitoring
import Vitals
import Wording

/// Trends of a stretch of the past that were loaded from records, because those in memory are too coarse or too short.
///
/// The caller asks ``ScreenState/missingPast(in:at:)`` what to load, and puts it into ``TrendView/loaded``. While it
/// covers the window it replaces the trends in memory only: no number, age or alarm comes from it.
public struct PastTrends: Hashable, Sendable {
    /// From when on it knows what was recorded.
    public let from: Moment
    /// Until when.
    public let to: Moment
    private let trends: RestoredTrends
    /// The alarms that there were.
    let episodes: AlarmEpisodes

    /// Creates trends from the records between two moments.
    ///
    /// - Parameters:
    ///   - from: The first moment.
    ///   - to: The moment at which they end.
    ///   - recorded: All that was recorded of this patient between them, as finely as a trend is that ends then.
    ///   - alarms: What became of alarms then, the oldest first.
    public init(from: Moment, to: Moment, _ recorded: [RecordedTrend], alarms: [AlarmLogEntry] = []) {
        self.from = from
        self.to = to
        episodes = AlarmLog(alarms).episodes
        trends = RestoredTrends(recorded, now: to)
    }

    /// Whether it covers a stretch of time.
    func covers(_ frame: TrendFrame) -> Bool { from <= frame.start && frame.end <= to }

    /// The trend of a vital; an empty one when nothing was recorded of it.
    package func trend(of vital: Vital) -> Trend { trends.trend(of: vital) }
}

/// A period of the past to load from records.
public struct MissingPast: Hashable, Sendable {
    /// From when on.
    public var from: Moment
    /// Until when.
    public var to: Moment
    /// The finest resolution that can be stored or seen on the screen.
    public var finest: Duration

    public init(from: Moment, to: Moment, finest: Duration) {
        (self.from, self.to, self.finest) = (from, to, finest)
    }
}

/// Whether the past that is shown is being loaded.
public enum PastReading: Hashable, Sendable {
    /// It is not; what is shown is all that is known.
    case idle
    /// It is being loaded.
    case reading
    /// It cannot be read.
    case failed
}

extension ScreenState {
    /// The stretch of the past that is shown and that the trends in memory hold more coarsely than the screen could show,
    /// or not at all; `nil` while they serve it well, or what is in ``TrendView/loaded`` does.
    ///
    /// It is wider than the window, if the resolution allows, so that the next steps need no loading.
    ///
    /// - Parameters:
    ///   - state: What is known.
    ///   - now: When.
    public func missingPast(in state: MonitorState, at now: Moment) -> MissingPast? {
        guard trends.isPast, let frame = trends.frame(glyphs: glyphs, now: now) else { return nil }
        if let loaded = trends.loaded, loaded.covers(frame) { return nil }
        let levels = Trend.resolutions
        let columnWidth = frame.cellWidth / frame.columnsPerCell
        let span = frame.end.since(frame.start) + frame.cellWidth * 2
        // Which level fills the columns, and which reaches back far enough: here, and in trends that end with the frame.
        let fitting = levels.lastIndex { $0.width <= columnWidth } ?? 0
        let offered = max(fitting, levels.firstIndex { span < $0.reach } ?? levels.count - 1)
        let held = levels.firstIndex { now.since(frame.start) < $0.reach }.map { max(fitting, $0) }
        if let held, held <= offered { return nil }
        let reach = levels[offered].reach
        let margin = max(frame.cellWidth, min(frame.end.since(frame.start), (reach - span) / 2))
        return MissingPast(
            from: frame.start.advanced(by: .zero - margin), to: min(now, frame.end.advanced(by: margin)),
            finest: levels[offered].width)
    }

    /// The trend of a vital that a stretch of time is drawn from.
    func trend(of vital: VitalState, in frame: TrendFrame) -> Trend {
        past(in: frame)?.trend(of: vital.vital) ?? vital.trend
    }

    /// What stands in for memory in a stretch of time; `nil` when nothing does.
    func past(in frame: TrendFrame) -> PastTrends? {
        guard trends.isPast, let loaded = trends.loaded, loaded.covers(frame) else { return nil }
        return loaded
    }
}
