import Base
import Vitals

/// Where the values of a trend come from.
public struct TrendSource: Codable, Hashable, Sendable {
    /// The sensor.
    public var sensor: SensorIdentity
    /// Where on the body, as far as that is known; records do not keep it.
    public var site: BodySite?

    public init(sensor: SensorIdentity, site: BodySite? = nil) {
        self.sensor = sensor
        self.site = site
    }

    /// Whether values of both belong to one line: of one sensor, and not of two sites.
    func isSame(as other: TrendSource) -> Bool {
        sensor.address == other.sensor.address && (site == other.site || site == nil || other.site == nil)
    }
}

/// The sources of a trend, each with the time from which its values come; the oldest first.
struct TrendSources: Codable, Hashable, Sendable {
    /// No more changes than this are remembered: before them the trend knows no source.
    static let limit = 64

    /// From when on values come from a source.
    struct Beginning: Codable, Hashable, Sendable {
        var time: MonotonicTime
        var source: TrendSource

        private enum CodingKeys: String, CodingKey {
            case time = "nanoseconds"
            case source
        }
    }

    private(set) var beginnings: [Beginning] = []

    /// Records the source of the newest value.
    ///
    /// - Returns: Whether the value before came from another one.
    mutating func record(_ source: TrendSource, at time: MonotonicTime) -> Bool {
        guard let last = beginnings.last else {
            beginnings = [Beginning(time: time, source: source)]
            return false
        }
        guard !last.source.isSame(as: source), time >= last.time else { return false }
        beginnings.append(Beginning(time: time, source: source))
        beginnings.removeFirst(max(0, beginnings.count - Self.limit))
        return true
    }

    /// The source at a time; `nil` from before the first that is known.
    func source(at time: MonotonicTime) -> TrendSource? {
        beginnings.last { $0.time <= time }?.source
    }

    /// When the source changed, after the first that is known.
    var changes: [MonotonicTime] { beginnings.dropFirst().map(\.time) }

    /// Lets values come from a source from a time on that lies before the first that is known; ignores any other time.
    mutating func precede(with source: TrendSource, from time: MonotonicTime) {
        // When there were more changes than are remembered, the time before is unknown and not empty.
        guard beginnings.count < Self.limit, time < beginnings.first?.time ?? .distantFuture else { return }
        if beginnings.first?.source.isSame(as: source) == true {
            beginnings[0].time = time
        } else {
            beginnings.insert(Beginning(time: time, source: source), at: 0)
        }
    }

    /// Puts what is known of earlier times before it.
    mutating func precede(with older: TrendSources) {
        guard let first = beginnings.first else {
            self = older
            return
        }
        var joined = older.beginnings.filter { $0.time < first.time }
        if let last = joined.last, last.source.isSame(as: first.source) {
            joined += beginnings.dropFirst()
        } else {
            joined += beginnings
        }
        beginnings = Array(joined.suffix(Self.limit))
    }

    /// Whether it may be what another program has sent.
    var isCoherent: Bool {
        beginnings.count <= Self.limit && beginnings.allSatisfy { Coherence.nanoseconds.contains($0.time.nanoseconds) }
            && zip(beginnings, beginnings.dropFirst()).allSatisfy { $0.time <= $1.time }
    }
}

extension Trend {
    /// The source of the values at a moment; `nil` when it is not known.
    public func source(at moment: Moment) -> TrendSource? { sources.source(at: moment.monotonic) }

    /// The columns of ``samples(from:to:columns:holding:)`` in which values of another source begin.
    public func sourceChanges(from: Moment, to: Moment, columns: Int) -> [Int] {
        let start = from.monotonic
        let length = to.monotonic.nanoseconds(since: start)
        guard columns > 0, length > 0, !sources.changes.isEmpty else { return [] }
        let columnWidth = max(1, length / Int64(columns))
        let level = level(from: start, columnWidth: columnWidth)
        return sources.changes.compactMap { change in
            guard change >= start, change < to.monotonic else { return nil }
            // A bucket is of the source with which it ends.
            let bucketStart = level.start(of: level.number(of: change))
            return Int(max(0, bucketStart.nanoseconds(since: start)) / columnWidth).clamped(to: 0...columns - 1)
        }
    }

    /// The last change of the source between two moments, as a moment; `nil` when there was none.
    func lastSourceChange(from: Moment, to: Moment) -> Moment? {
        sources.changes.last { $0 > from.monotonic && $0 <= to.monotonic }.map { change in
            to.advanced(by: change.since(to.monotonic))
        }
    }
}
