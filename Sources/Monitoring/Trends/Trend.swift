import Vitals

/// The values of one vital over time, in bounded memory: 15 minutes by the second, 3 hours by ten seconds, a day by the
/// minute.
///
/// The extremes of each stretch are kept, so that a peak of one second is still there a day later; gaps stay gaps.
/// Memory is taken when the first value comes, about 70 KiB, and never grows after that.
public struct Trend: Hashable, Sendable {
    private var levels = [
        TrendLevel(width: .seconds(1), capacity: 15 * 60),
        TrendLevel(width: .seconds(10), capacity: 3 * 60 * 6),
        TrendLevel(width: .seconds(60), capacity: 24 * 60),
    ]
    private var newest: Int64 = .min

    /// Makes an empty trend.
    public init() {}

    /// Whether nothing was ever entered.
    public var isEmpty: Bool { newest == .min }

    /// How many buckets memory is held for.
    var bucketCount: Int { levels.reduce(0) { $0 + $1.bucketCount } }

    /// Enters a value.
    public mutating func insert(_ value: VitalValue, at moment: Moment) {
        enter(Int32(clamping: value.hundredths), at: moment)
    }

    /// Enters that there was no measurement: the value before does not stand for the time after.
    public mutating func insertAbsence(at moment: Moment) {
        enter(nil, at: moment)
    }

    private mutating func enter(_ value: Int32?, at moment: Moment) {
        newest = max(newest, moment.monotonicNanoseconds)
        for level in levels.indices { levels[level].insert(value, at: moment.monotonicNanoseconds) }
    }

    /// The trend from `from` to `to`, in `columns` parts of equal length; `nil` where nothing was measured.
    ///
    /// The cost depends on the number of columns only. A picture stands still between two columns if `from` and `to` are
    /// multiples of a column's length on the monotonic clock.
    ///
    /// - Parameters:
    ///   - columns: How many parts; none or fewer gives an empty array, and more than 10 000 are not made.
    ///   - holding: How long a value stands for the time after it, unless an absence or another value ends it; three
    ///     usual intervals join the dots of a slow sensor without hiding a gap.
    public func samples(
        from: Moment, to: Moment, columns: Int, holding: Duration = .zero
    ) -> [TrendColumn?] {
        let columns = columns.clamped(to: 0...10_000)
        var result: [TrendColumn?] = Array(repeating: nil, count: columns)
        let start = from.monotonicNanoseconds
        let length = to.monotonicNanoseconds.subtractingSaturated(start)
        guard columns > 0, length > 0, !isEmpty else { return result }
        let columnWidth = max(1, length / Int64(columns))
        let level = level(from: start, columnWidth: columnWidth)
        var held = HeldValue(holding: max(0, holding.nanoseconds), level: level, before: start)
        for column in 0..<columns {
            let columnStart = start.addingSaturated(Int64(column) * columnWidth)
            let isLast = column == columns - 1
            let columnEnd = isLast ? to.monotonicNanoseconds : columnStart.addingSaturated(columnWidth)
            result[column] = held.column(from: columnStart, to: columnEnd, isLast: isLast)
        }
        return result
    }

    /// The extremes of a stretch of time and how much of it was measured, over which gaps have no influence.
    ///
    /// - Parameter holding: As for ``samples(from:to:columns:holding:)``.
    /// - Returns: `nil` when nothing was measured.
    public func summary(from: Moment, to: Moment, holding: Duration = .zero) -> TrendSummary? {
        let parts = samples(from: from, to: to, columns: 100, holding: holding)
        let measured = parts.compactMap { $0 }
        guard let minimum = measured.map(\.minimum).min(), let maximum = measured.map(\.maximum).max() else {
            return nil
        }
        return TrendSummary(minimum: minimum, maximum: maximum, coveredPercent: measured.count)
    }

    /// The coarsest resolution that still fills each column, or a coarser one if that does not reach back far enough.
    private func level(from start: Int64, columnWidth: Int64) -> TrendLevel {
        let fitting = levels.lastIndex { $0.width <= columnWidth } ?? 0
        let reaching = levels.firstIndex { newest.subtractingSaturated(start) < $0.span } ?? levels.count - 1
        return levels[max(fitting, reaching)]
    }
}

/// What happened to a vital within one column of a trend.
public struct TrendColumn: Hashable, Sendable {
    /// The lowest value.
    public var minimum: VitalValue
    /// The highest value.
    public var maximum: VitalValue
    /// The newest value.
    public var last: VitalValue

    /// Makes a column.
    public init(minimum: VitalValue, maximum: VitalValue, last: VitalValue) {
        self.minimum = minimum
        self.maximum = maximum
        self.last = last
    }
}

/// The extremes of a stretch of time, and how much of it was measured.
public struct TrendSummary: Hashable, Sendable {
    /// The lowest value.
    public var minimum: VitalValue
    /// The highest value.
    public var maximum: VitalValue
    /// The part of the time for which there are values, in percent, 1 to 100.
    public var coveredPercent: Int
}

/// Walks along a trend, column by column, remembering the last value for as long as it stands.
private struct HeldValue {
    private let holding: Int64
    private let level: TrendLevel
    private var value: Int32?
    private var until: Int64 = .min

    init(holding: Int64, level: TrendLevel, before start: Int64) {
        self.holding = holding
        self.level = level
        guard holding > 0 else { return }
        let first = level.number(of: start)
        let earliest = max(level.number(of: start.subtractingSaturated(holding)), first - Int64(level.capacity))
        for number in stride(from: first - 1, through: earliest, by: -1) {
            guard let bucket = level.bucket(number) else { continue }
            take(bucket, number)
            return
        }
    }

    mutating func column(from start: Int64, to end: Int64, isLast: Bool) -> TrendColumn? {
        let first = level.number(of: start)
        let last = max(first, level.number(of: end) - (isLast ? 0 : 1))
        var column: TrendLevel.Bucket?
        var lowest = Int32.max
        var highest = Int32.min
        // What is further back than the ring has buckets is not in it; so the work has a bound.
        for number in max(first, last - Int64(level.capacity))...last {
            guard let bucket = level.bucket(number) else { continue }
            take(bucket, number)
            guard bucket.hasValue else { continue }
            column = bucket
            lowest = min(lowest, bucket.minimum)
            highest = max(highest, bucket.maximum)
        }
        if let column {
            return TrendColumn(
                minimum: VitalValue(hundredths: Int(lowest)), maximum: VitalValue(hundredths: Int(highest)),
                last: VitalValue(hundredths: Int(column.last)))
        }
        guard let value, start < until else { return nil }
        let held = VitalValue(hundredths: Int(value))
        return TrendColumn(minimum: held, maximum: held, last: held)
    }

    private mutating func take(_ bucket: TrendLevel.Bucket, _ number: Int64) {
        value = bucket.hasValue && !bucket.endsAbsent ? bucket.last : nil
        until = ((number &+ 1) &* level.width).addingSaturated(holding)
    }
}
