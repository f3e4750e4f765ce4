import Base
import Vitals

/// The recorded values of one vital from one sensor: compact columns, the oldest first.
///
/// It only becomes part of a ``Trend``. It is not a reading: recorded values are never fresh, live or evaluated by an
/// alarm.
public struct RecordedTrend: Hashable, Sendable {
    public var vital: Vital
    /// The source of the values; `nil` if unknown.
    public var source: TrendSource?
    /// The points, the oldest first.
    public var points: [Point]

    public init(_ vital: Vital, from source: TrendSource? = nil, _ points: [Point]) {
        self.vital = vital
        self.source = source
        self.points = points
    }

    /// A stretch of time.
    public struct Point: Hashable, Sendable {
        /// Its beginning, in milliseconds since 1970 (UTC).
        public var wallMilliseconds: Int64
        /// Its length; zero for a single reading.
        public var duration: Duration
        /// The values; `nil` without a measurement.
        public var values: TrendColumn?
        /// Whether it ended without a measurement, so that its last value does not extend beyond it.
        public var endsAbsent: Bool

        public init(wallMilliseconds: Int64, duration: Duration, values: TrendColumn?, endsAbsent: Bool = false) {
            self.wallMilliseconds = wallMilliseconds
            self.duration = duration
            self.values = values
            self.endsAbsent = endsAbsent || values == nil
        }

        public init(wallMilliseconds: Int64, _ outcome: Reading.Outcome) {
            let values = outcome.figure.map { TrendColumn(minimum: $0, maximum: $0, last: $0) }
            self.init(wallMilliseconds: wallMilliseconds, duration: .zero, values: values)
        }
    }
}

extension Trend {
    /// Creates the trend of one vital from its records.
    ///
    /// Recorded wall times are converted to the present monotonic clock by the offset of the two at `now`; times later
    /// than `now`, from before the clock was set back, are omitted. Each point is added to the resolutions that are not
    /// finer than it (``resolutions``): minutes of an hour ago appear in a window of hours, and leave the seconds empty.
    /// So the records of the last quarter of an hour should be given by the second, of three hours by ten seconds, and
    /// older ones by the minute. A point longer than a minute is added to each minute that it touches.
    ///
    /// - Parameters:
    ///   - recorded: One record for each sensor, the most trusted first: where it has values, the others are ignored.
    ///     Records of other vitals do not belong here.
    ///   - now: The present, by both clocks.
    public init(_ recorded: [RecordedTrend], now: Moment) {
        var stretches = RecordedStretches()
        for record in recorded {
            var own = Trend()
            for point in stretches.handle(record) { own.enter(point, now: now) }
            // Do not extend the last value past the end of the record.
            if !own.isEmpty { own.enter(nil, at: own.newest) }
            underlay(own, merging: false)
        }
        for (wall, source) in stretches.beginnings where wall <= now.wallMilliseconds {
            _ = sources.record(source, at: Self.time(of: wall, now: now) ?? .distantPast)
        }
    }

    /// A wall time on the present monotonic clock; `nil` for a future or impossible one.
    private static func time(of wallMilliseconds: Int64, now: Moment) -> MonotonicTime? {
        let age = now.wallMilliseconds.subtractingSaturated(wallMilliseconds)
        let (nanoseconds, overflow) = age.multipliedReportingOverflow(by: 1_000_000)
        guard age >= 0, !overflow else { return nil }
        return now.monotonic.advanced(byNanoseconds: -nanoseconds)
    }

    /// Merges an older trend: this one's values stay, and its gaps are filled from the other.
    ///
    /// - Parameter merging: Whether the extremes of both count for a stretch of time that both have.
    mutating func underlay(_ other: Trend, merging: Bool) {
        newest = max(newest, other.newest)
        // Other sources are ignored where this one has values.
        let first = sources.beginnings.first
        let former = first.flatMap { other.sources.source(at: $0.time) }
        let isOther = first.map { former?.isSame(as: $0.source) == false } ?? false
        for index in levels.indices {
            levels[index].underlay(
                other.levels[index], merging: merging && !isOther, until: isOther ? first?.time : nil)
        }
        if merging { sources.precede(with: other.sources) }
    }

    private mutating func enter(_ point: RecordedTrend.Point, now: Moment) {
        guard let start = Self.time(of: point.wallMilliseconds, now: now) else { return }
        let duration = max(0, point.duration.nanoseconds)
        let end = min(start.advanced(byNanoseconds: max(0, duration - 1)), now.monotonic)
        for index in levels.indices {
            let level = levels[index]
            let isCoarsest = index == levels.count - 1
            guard duration <= level.width || isCoarsest else { continue }
            let first = level.number(of: start)
            let last = duration <= level.width ? first : level.number(of: end)
            for number in max(first, last - Int64(level.capacity) + 1)...last {
                levels[index].insert(point, at: level.start(of: number))
            }
        }
        newest = max(newest, duration <= levels[levels.count - 1].width ? start : end)
    }
}

/// Divides the past among the records of several sensors, so that each stretch belongs to one only.
private struct RecordedStretches {
    /// Values at most this far apart, in milliseconds, belong to one stretch.
    private static let longestPause: Int64 = 180_000

    /// The stretches with values of earlier records; in the order of time, and disjoint.
    private var taken: [ClosedRange<Int64>] = []
    /// The sources, with the time of each accepted value.
    private var values: [(wall: Int64, source: TrendSource)] = []

    /// Adds the points of a record that are outside the stretches of others.
    mutating func handle(_ record: RecordedTrend) -> [RecordedTrend.Point] {
        guard let source = record.source else { return record.points }
        var others = taken[...]
        let points = record.points.filter { point in
            while let first = others.first, first.upperBound < point.wallMilliseconds { others.removeFirst() }
            return others.first?.contains(point.wallMilliseconds) != true
        }
        for point in points where point.values != nil {
            values.append((point.wallMilliseconds, source))
            let end = point.wallMilliseconds.addingSaturated(max(0, point.duration.nanoseconds / 1_000_000))
            taken.append(point.wallMilliseconds...end)
        }
        join()
        return points
    }

    private mutating func join() {
        var joined: [ClosedRange<Int64>] = []
        for range in taken.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound.subtractingSaturated(last.upperBound) <= Self.longestPause {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        taken = joined
    }

    /// When the values of each source begin, the oldest first.
    var beginnings: [(wall: Int64, source: TrendSource)] { values.sorted { $0.wall < $1.wall } }
}

extension TrendLevel {
    fileprivate mutating func insert(_ point: RecordedTrend.Point, at time: MonotonicTime) {
        if let values = point.values {
            for value in [values.minimum, values.maximum, values.last] {
                insert(Int32(clamping: value.hundredths), at: time)
            }
        }
        if point.endsAbsent { insert(nil, at: time) }
    }
}

/// The trends of all vitals from the store; creating them is most of the work, and can be done on any thread.
public struct RestoredTrends: Hashable, Sendable {
    fileprivate let trends: [Vital: Trend]

    /// Creates trends from records.
    ///
    /// - Parameters:
    ///   - recorded: The patient's records, in any order of vitals; of several sensors for one vital the most trusted
    ///     first. For their resolution see ``Trend/init(_:now:)``.
    ///   - now: The present, by both clocks.
    public init(_ recorded: [RecordedTrend], now: Moment) {
        let vitals = Dictionary(grouping: recorded.filter { !$0.points.isEmpty }, by: \.vital)
        trends = vitals.mapValues { Trend($0, now: now) }
    }

    /// The trend of a vital; an empty one without records.
    public func trend(of vital: Vital) -> Trend { trends[vital] ?? Trend() }
}

extension MonitorState {
    /// Extends the trends back into earlier runs of the program.
    ///
    /// Only the trends change: conditions, freshness, sources, alarms, limits and deadlines are as before, and there
    /// are no effects, because recorded values say nothing about the present. Values of this run take precedence; where
    /// both have the same second or minute, the extremes of both count.
    public mutating func restore(_ restored: RestoredTrends) {
        for index in vitals.indices {
            guard let trend = restored.trends[vitals[index].vital] else { continue }
            vitals[index].trend.underlay(trend, merging: true)
        }
    }

    /// Extends the trends by records, whose trends are created now.
    public mutating func restore(_ recorded: [RecordedTrend], now: Moment) {
        restore(RestoredTrends(recorded, now: now))
    }
}
