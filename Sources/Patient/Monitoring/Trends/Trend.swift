import Base
import Vitals

/// The values of one vital over time, in bounded memory: 15 minutes by the second, 3 hours by ten seconds, two days by
/// the minute.
///
/// The extremes of each stretch are kept, so that a peak of one second is still there a day later; gaps stay gaps.
/// Memory is allocated with the first value, about 95 KiB, and does not grow after that. Earlier records can be merged:
/// ``init(_:now:)``.
public struct Trend: Codable, Hashable, Sendable {
    /// The resolutions, the finest first: buckets of `width`, back to `reach` before the newest value.
    public static let resolutions: [(width: Duration, reach: Duration)] = [
        (.seconds(1), .seconds(15 * 60)), (.seconds(10), .seconds(3 * 3600)), (.seconds(60), .seconds(48 * 3600)),
    ]

    /// How far back a trend reaches.
    public static let longestReach = resolutions.last?.reach ?? .zero

    var levels = resolutions.map { width, reach in
        TrendLevel(width: width, capacity: Int(reach.nanoseconds / width.nanoseconds))
    } {
        didSet { revision.count &+= 1 }
    }
    /// The sources of the values.
    var sources = TrendSources() {
        didSet { revision.count &+= 1 }
    }
    /// The newest time with an entry; the distant past before the first.
    var newest = MonotonicTime.distantPast

    /// The number of changes of this copy; see ``mark``.
    private var revision = Revision()

    private enum CodingKeys: String, CodingKey {
        case levels, sources, newest
    }

    /// A count of changes, which is not part of the value.
    private struct Revision: Hashable, Sendable {
        var count = 0

        static func == (_: Revision, _: Revision) -> Bool { true }

        func hash(into hasher: inout Hasher) {}
    }

    /// Change stamp; keep this instead of a copy of the trend (copy-on-write).
    ///
    /// It distinguishes the versions of one trend in one state over time, not trends of different states.
    public var mark: Mark { Mark(revision: revision.count, newest: newest) }

    /// See ``mark``.
    public struct Mark: Hashable, Sendable {
        fileprivate let revision: Int
        fileprivate let newest: MonotonicTime
    }

    public init() {}

    /// Creates a trend of one resolution, for drawing a single length of time.
    ///
    /// - Parameters:
    ///   - width: The length of a bucket, more than zero.
    ///   - reach: How far back it reaches, at least one bucket.
    public init(width: Duration, reach: Duration) {
        levels = [TrendLevel(width: width, capacity: Int(reach.nanoseconds / width.nanoseconds))]
    }

    /// Whether nothing was ever entered.
    public var isEmpty: Bool { newest == .distantPast }

    /// The number of allocated buckets.
    var bucketCount: Int { levels.reduce(0) { $0 + $1.bucketCount } }

    /// Adds a value.
    ///
    /// A trend has one source at a time: when the values of another one begin, the stretch they fall into belongs to the
    /// new one. A value that is older than the newest belongs to the source of that time; if that is another one, it is
    /// omitted.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - moment: When it was measured.
    ///   - source: Its source; `nil` for that of the previous values.
    public mutating func insert(_ value: VitalValue, at moment: Moment, from source: TrendSource? = nil) {
        let time = moment.monotonic
        let hundredths = Int32(clamping: value.hundredths)
        guard let source else { return enter(hundredths, at: time) }
        guard time >= newest else { return enterLate(hundredths, at: time, from: source) }
        if sources.record(source, at: time) {
            for level in levels.indices { levels[level].clearBucket(at: time) }
        }
        enter(hundredths, at: time)
    }

    private mutating func enterLate(_ hundredths: Int32, at time: MonotonicTime, from source: TrendSource) {
        sources.precede(with: source, from: time)
        for level in levels.indices {
            // A bucket belongs to the source with which it ends.
            let next = levels[level].number(of: time) &+ 1
            let end = levels[level].start(of: next).advanced(byNanoseconds: -1)
            guard sources.source(at: end)?.isSame(as: source) == true else { continue }
            levels[level].insert(hundredths, at: time)
        }
    }

    /// Adds an absence: the previous value does not extend beyond it.
    public mutating func insertAbsence(at moment: Moment) {
        enter(nil, at: moment.monotonic)
    }

    mutating func enter(_ value: Int32?, at time: MonotonicTime) {
        newest = max(newest, time)
        for level in levels.indices { levels[level].insert(value, at: time) }
    }

    /// The trend from `from` to `to`, in `columns` parts of equal length; `nil` for parts without a measurement.
    ///
    /// The cost depends on the number of columns only. A chart does not move between two columns if `from` and `to` are
    /// multiples of a column's length on the monotonic clock.
    ///
    /// - Parameters:
    ///   - from: The first moment.
    ///   - to: The moment at which it ends.
    ///   - columns: The number of parts; zero or less gives an empty array, and the maximum is 10 000.
    ///   - holding: How long a value extends, unless an absence or another value ends it; three usual intervals join the
    ///     dots of a slow sensor without hiding a gap.
    public func samples(
        from: Moment, to: Moment, columns: Int, holding: Duration = .zero
    ) -> [TrendColumn?] {
        walk(from: from, to: to, columns: columns, holding: holding).columns
    }

    /// The columns, and the number of buckets read, which bounds the cost.
    func walk(
        from: Moment, to: Moment, columns: Int, holding: Duration
    ) -> (columns: [TrendColumn?], visitedCount: Int) {
        let columns = columns.clamped(to: 0...10_000)
        var result: [TrendColumn?] = Array(repeating: nil, count: columns)
        let start = from.monotonic
        let length = to.monotonic.nanoseconds(since: start)
        guard columns > 0, length > 0, !isEmpty else { return (result, 0) }
        let columnWidth = max(1, length / Int64(columns))
        let level = level(from: start, columnWidth: columnWidth)
        var held = HeldValue(holding: max(0, holding.nanoseconds), level: level, before: start)
        let changes = sources.changes.map { level.number(of: $0) }
        // Where a column ends the next one begins, so that each edge is looked up once.
        var (columnStart, first) = (start, level.number(of: start))
        for column in 0..<columns {
            let isLast = column == columns - 1
            let columnEnd = isLast ? to.monotonic : columnStart.advanced(byNanoseconds: columnWidth)
            let next = level.number(of: columnEnd)
            let last = max(first, isLast ? next : next - 1)
            // A column in which the source changes belongs to the new one.
            let begin = changes.last { $0 > first && $0 <= last } ?? first
            result[column] = held.column(from: columnStart, begin, through: last)
            (columnStart, first) = (columnEnd, next)
        }
        return (result, held.visitedCount)
    }

    /// The coarsest resolution that still fills each column, or a coarser one if that does not reach back far enough.
    func level(from start: MonotonicTime, columnWidth: Int64) -> TrendLevel {
        let fitting = levels.lastIndex { $0.width <= columnWidth } ?? 0
        let reaching = levels.firstIndex { newest.nanoseconds(since: start) < $0.span } ?? levels.count - 1
        return levels[max(fitting, reaching)]
    }
}

extension Trend {
    /// Whether it has the required levels and valid times; another program may have sent it.
    var isCoherent: Bool {
        levels.count == Self.resolutions.count
            && zip(levels, Self.resolutions).allSatisfy { $0.width == $1.width.nanoseconds }
            && sources.isCoherent && (isEmpty || Coherence.nanoseconds.contains(newest.nanoseconds))
    }
}
