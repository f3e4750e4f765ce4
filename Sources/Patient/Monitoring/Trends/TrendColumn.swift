import Vitals

/// The values of a vital within one column of a trend.
public struct TrendColumn: Hashable, Sendable {
    /// The lowest value.
    public var minimum: VitalValue
    /// The highest value.
    public var maximum: VitalValue
    /// The newest value.
    public var last: VitalValue

    public init(minimum: VitalValue, maximum: VitalValue, last: VitalValue) {
        self.minimum = minimum
        self.maximum = maximum
        self.last = last
    }

    /// A column for the time of both: this one, and a later one.
    public func joined(with later: TrendColumn) -> TrendColumn {
        TrendColumn(
            minimum: min(minimum, later.minimum), maximum: max(maximum, later.maximum), last: later.last)
    }
}

/// The extremes and the median of a stretch of time, and its measured share.
public struct TrendSummary: Hashable, Sendable {
    /// The lowest value.
    public var minimum: VitalValue
    /// The median value over time; see ``Trend/summary(from:to:holding:)``.
    public var median: VitalValue
    /// The highest value.
    public var maximum: VitalValue
    /// The share of the time with values, in percent, 1 to 100.
    public var coveredPercent: Int
    /// Since when it has one source, if that changed within the stretch; earlier values are omitted.
    public var since: Moment?
}

extension Trend {
    /// The number of samples for the median.
    static let summaryParts = 240

    /// The extremes and the median of a stretch of time, and its measured share; gaps have no influence.
    ///
    /// Only values since the last change of the source count.
    ///
    /// The extremes are exact. The median is that of 240 values, the newest of each of 240 equal parts of the time: one
    /// every half second of two minutes, one every six minutes of a day. Each part has the same weight for any number of
    /// values, so that a sensor that sends faster for a while has no more weight; the lower middle one is taken, so that it
    /// is always a measured value.
    ///
    /// - Parameters:
    ///   - from: The first moment.
    ///   - to: The moment at which it ends.
    ///   - holding: As for ``samples(from:to:columns:holding:)``.
    /// - Returns: `nil` without a measurement.
    public func summary(from: Moment, to: Moment, holding: Duration = .zero) -> TrendSummary? {
        let since = lastSourceChange(from: from, to: to)
        var summary = wholeSummary(from: since ?? from, to: to, holding: since == nil ? holding : .zero)
        summary?.since = since
        return summary
    }

    private func wholeSummary(from: Moment, to: Moment, holding: Duration) -> TrendSummary? {
        var (lowest, highest) = (Int.max, Int.min)
        // Integers, because they are sorted with each frame.
        var values: [Int] = []
        values.reserveCapacity(Self.summaryParts)
        for case let part? in samples(from: from, to: to, columns: Self.summaryParts, holding: holding) {
            lowest = min(lowest, part.minimum.hundredths)
            highest = max(highest, part.maximum.hundredths)
            values.append(part.last.hundredths)
        }
        if values.isEmpty { return nil }
        values.sort()
        return TrendSummary(
            minimum: VitalValue(hundredths: lowest),
            median: VitalValue(hundredths: values[(values.count - 1) / 2]),
            maximum: VitalValue(hundredths: highest),
            coveredPercent: max(1, values.count * 100 / Self.summaryParts))
    }
}
