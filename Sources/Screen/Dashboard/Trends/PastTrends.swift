import Appearance
import Base
import Monitoring
import Vitals
import Wording

/// Trends of a period of the past, loaded from records because those in memory are too coarse or too short.
///
/// The caller asks ``ScreenState/missingPast(in:at:)`` what to load, and stores it in ``TrendView/loaded``. While it
/// covers the window it only replaces the trends in memory: it is never the source of a number, age or alarm.
public struct PastTrends: Hashable, Sendable {
    /// The beginning of the loaded period.
    public let from: Moment
    /// Its end.
    public let to: Moment
    private let trends: RestoredTrends
    /// The alarms of the period.
    let episodes: AlarmEpisodes

    /// Creates trends from the records between two moments.
    ///
    /// - Parameters:
    ///   - from: The first moment.
    ///   - to: The moment at which they end.
    ///   - recorded: All records of this patient in the period, at the resolution of a trend that ends then.
    ///   - alarms: The alarm log of the period, the oldest first.
    public init(from: Moment, to: Moment, _ recorded: [RecordedTrend], alarms: [AlarmLogEntry] = []) {
        self.from = from
        self.to = to
        episodes = AlarmLog(alarms).episodes
        trends = RestoredTrends(recorded, now: to)
    }

    /// Whether it covers a period.
    func covers(_ frame: TrendFrame) -> Bool { from <= frame.start && frame.end <= to }

    /// The trend of a vital; an empty one without records.
    package func trend(of vital: Vital) -> Trend { trends.trend(of: vital) }
}

/// A period of the past to load from records.
public struct MissingPast: Hashable, Sendable {
    /// The beginning.
    public var from: Moment
    /// The end.
    public var to: Moment
    /// The finest resolution that is stored or visible.
    public var finest: Duration

    public init(from: Moment, to: Moment, finest: Duration) {
        (self.from, self.to, self.finest) = (from, to, finest)
    }
}

/// Whether the shown past is being loaded.
public enum PastReading: Hashable, Sendable {
    /// Not loading: all known data are shown.
    case idle
    /// It is being loaded.
    case reading
    /// It cannot be read.
    case failed
}

extension ScreenState {
    /// The shown period of the past that the trends in memory hold more coarsely than the screen can show, or not at all;
    /// `nil` if they are sufficient, or ``TrendView/loaded`` is.
    ///
    /// It is wider than the window, if the resolution allows, so that the next steps need no loading.
    ///
    /// - Parameters:
    ///   - state: The monitor's state.
    ///   - now: The present moment.
    public func missingPast(in state: MonitorState, at now: Moment) -> MissingPast? {
        guard trends.isPast, let frame = trends.frame(glyphs: glyphs, now: now) else { return nil }
        if let loaded = trends.loaded, loaded.covers(frame) { return nil }
        let levels = Trend.resolutions
        let columnWidth = frame.cellWidth / frame.columnsPerCell
        let span = frame.end.since(frame.start) + frame.cellWidth * 2
        // The level that fills the columns, and the one that reaches back far enough: here, and in trends that end with
        // the frame.
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

    /// The trend of a vital to draw for a period.
    func trend(of vital: VitalState, in frame: TrendFrame) -> Trend {
        past(in: frame)?.trend(of: vital.vital) ?? vital.trend
    }

    /// The loaded trends for a period; `nil` for those in memory.
    func past(in frame: TrendFrame) -> PastTrends? {
        guard trends.isPast, let loaded = trends.loaded, loaded.covers(frame) else { return nil }
        return loaded
    }
}
