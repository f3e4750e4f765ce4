import Base
import Vitals

/// The source of a trend's values.
public struct TrendSource: Codable, Hashable, Sendable {
    public var sensor: SensorIdentity
    /// The site on the body, if known; records do not contain it.
    public var site: BodySite?
    /// What the values were calibrated with; `nil` for others, and in records.
    public var calibration: AppliedCalibration?

    public init(sensor: SensorIdentity, site: BodySite? = nil, calibration: AppliedCalibration? = nil) {
        self.sensor = sensor
        self.site = site
        self.calibration = calibration
    }

    /// Whether values of both belong to one line: of one sensor, and not of two sites or two calibrations.
    func isSame(as other: TrendSource) -> Bool {
        sensor.address == other.sensor.address && (site == other.site || site == nil || other.site == nil)
            && calibration == other.calibration
    }
}

/// The sources of a trend, each with the time of its first value; the oldest first.
struct TrendSources: Codable, Hashable, Sendable {
    /// The greatest number of remembered changes: before them the source is unknown.
    static let limit = 64

    /// The beginning of a source's values.
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
    /// - Returns: Whether the previous value came from another one.
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

    /// The source at a time; `nil` before the first known one.
    func source(at time: MonotonicTime) -> TrendSource? {
        beginnings.last { $0.time <= time }?.source
    }

    /// The times at which the source changed, after the first known one.
    var changes: [MonotonicTime] { beginnings.dropFirst().map(\.time) }

    /// Adds a source before the first known one; ignores any later time.
    mutating func precede(with source: TrendSource, from time: MonotonicTime) {
        // If there were more changes than are remembered, the time before is unknown, not empty.
        guard beginnings.count < Self.limit, time < beginnings.first?.time ?? .distantFuture else { return }
        if beginnings.first?.source.isSame(as: source) == true {
            beginnings[0].time = time
        } else {
            beginnings.insert(Beginning(time: time, source: source), at: 0)
        }
    }

    /// Adds the sources of earlier times.
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

    /// Whether it is valid; another program may have sent it.
    var isCoherent: Bool {
        beginnings.count <= Self.limit && beginnings.allSatisfy { Coherence.nanoseconds.contains($0.time.nanoseconds) }
            && zip(beginnings, beginnings.dropFirst()).allSatisfy { $0.time <= $1.time }
    }
}

extension Trend {
    /// The source of the values at a moment; `nil` if unknown.
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
            // A bucket belongs to the source with which it ends.
            let bucketStart = level.start(of: level.number(of: change))
            return Int(max(0, bucketStart.nanoseconds(since: start)) / columnWidth).clamped(to: 0...columns - 1)
        }
    }

    /// The last change of the source between two moments, as a moment; `nil` for none.
    func lastSourceChange(from: Moment, to: Moment) -> Moment? {
        sources.changes.last { $0 > from.monotonic && $0 <= to.monotonic }.map { change in
            to.advanced(by: change.since(to.monotonic))
        }
    }
}
