import Vitals

/// The values of one vital over time, in bounded memory.
public struct Trend: Hashable, Sendable {
    init() {}
}

/// What happened to a vital within one column of a trend.
public struct TrendColumn: Hashable, Sendable {
    /// The lowest value.
    public var minimum: VitalValue
    /// The highest value.
    public var maximum: VitalValue
    /// The newest value.
    public var last: VitalValue
}

extension Trend {
    /// The trend from `from` to `to`, in `columns` parts of equal length; `nil` where nothing was measured.
    ///
    /// - Parameter holding: How long a value stands for the time after it, unless an absence or another value ends it;
    ///   three usual intervals join the dots of a slow sensor without hiding a gap.
    public func samples(
        from: Moment, to: Moment, columns: Int, holding: Duration = .zero
    ) -> [TrendColumn?] {
        Array(repeating: nil, count: max(0, columns))
    }
}
