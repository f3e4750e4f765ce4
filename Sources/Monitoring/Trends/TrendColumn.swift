import Vitals

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

    /// A column for the time of both: this one, and a later one.
    public func joined(with later: TrendColumn) -> TrendColumn {
        TrendColumn(
            minimum: min(minimum, later.minimum), maximum: max(maximum, later.maximum), last: later.last)
    }
}

/// The extremes and the middle of a stretch of time, and how much of it was measured.
public struct TrendSummary: Hashable, Sendable {
    /// The lowest value.
    public var minimum: VitalValue
    /// A value that about half of the time was not above, and half not below; see ``Trend/summary(from:to:holding:)``.
    public var median: VitalValue
    /// The highest value.
    public var maximum: VitalValue
    /// The part of the time for which there are values, in percent, 1 to 100.
    public var coveredPercent: Int
}

extension Trend {
    /// How many samples the median is taken from.
    static let summaryParts = 240

    /// The extremes and the middle of a stretch of time, and how much of it was measured; gaps have no influence.
    ///
    /// The extremes are exact. The median is that of 240 values, the newest of each of 240 equal parts of the time: one
    /// every half second of two minutes, one every six minutes of a day. Each part counts the same however many values it
    /// had, so that a sensor that sends faster for a while has no more weight; the lower middle one is taken, so that it is
    /// always a value that was measured.
    ///
    /// - Parameter holding: As for ``samples(from:to:columns:holding:)``.
    /// - Returns: `nil` when nothing was measured.
    public func summary(from: Moment, to: Moment, holding: Duration = .zero) -> TrendSummary? {
        let parts = samples(from: from, to: to, columns: Self.summaryParts, holding: holding).compactMap { $0 }
        guard let minimum = parts.map(\.minimum).min(), let maximum = parts.map(\.maximum).max() else { return nil }
        let middle = parts.map(\.last).sorted()[(parts.count - 1) / 2]
        return TrendSummary(
            minimum: minimum, median: middle, maximum: maximum,
            coveredPercent: max(1, parts.count * 100 / Self.summaryParts))
    }
}
