import Vitals

/// Iterates over a trend, column by column, and holds the last value for a limited time.
struct HeldValue {
    /// The time in nanoseconds.
    private let holding: Int64
    private let level: TrendLevel
    private var value: Int32?
    private var until = MonotonicTime.distantPast
    /// The number of visited buckets.
    private(set) var visitedCount = 0

    init(holding: Int64, level: TrendLevel, before start: MonotonicTime) {
        self.holding = holding
        self.level = level
        guard holding > 0 else { return }
        let first = level.number(of: start)
        let earliest = max(level.number(of: start.advanced(byNanoseconds: -holding)), first - Int64(level.capacity))
        for number in stride(from: first - 1, through: earliest, by: -1) {
            visitedCount += 1
            guard let bucket = level.bucket(number) else { continue }
            handle(bucket, number)
            return
        }
    }

    /// The column of the buckets from `first` through `last` for the time from `start`.
    mutating func column(from start: MonotonicTime, _ first: Int64, through last: Int64) -> TrendColumn? {
        // Buckets further back than the ring's length do not exist, which bounds the work.
        let found = level.extremes(from: max(first, last - Int64(level.capacity)), through: last)
        visitedCount += found.visitedCount
        if let newest = found.newest { handle(newest.bucket, newest.number) }
        if let last = found.lastValue {
            return TrendColumn(
                minimum: VitalValue(hundredths: Int(found.lowest)), maximum: VitalValue(hundredths: Int(found.highest)),
                last: VitalValue(hundredths: Int(last)))
        }
        guard let value, start < until else { return nil }
        let held = VitalValue(hundredths: Int(value))
        return TrendColumn(minimum: held, maximum: held, last: held)
    }

    private mutating func handle(_ bucket: TrendLevel.Bucket, _ number: Int64) {
        value = bucket.hasValue && !bucket.endsAbsent ? bucket.last : nil
        until = level.start(of: number &+ 1).advanced(byNanoseconds: holding)
    }
}
