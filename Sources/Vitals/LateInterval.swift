import SaturatingArithmetic

/// When a late value was measured: one that became known here only after it had been true.
///
/// Such a value is never *now*. It is kept and evaluated as of ``estimate``.
public struct LateInterval: Codable, Hashable, Sendable {
    /// The earliest moment at which it can have been measured.
    public var from: Moment
    /// The latest moment at which it can have been measured.
    public var to: Moment
    /// Where within the interval it belongs: values that waited together are spread over it evenly, in their order.
    public var estimate: Moment
    /// How the interval is known.
    public var source: Source

    /// Describes a value that waited while nothing was received.
    ///
    /// - Parameters:
    ///   - from: When something was received last before it.
    ///   - to: When what waited was read.
    ///   - place: Its place among the values of the same vital and sensor that waited with it, from 0.
    ///   - count: How many of these there are, at least 1.
    public init(waitedFrom from: Moment, to: Moment, place: Int, of count: Int) {
        self.from = from
        self.to = to
        let share = (Double(max(0, place)) + 1) / Double(max(1, count))
        let nanoseconds = to.monotonicNanoseconds.subtractingSaturated(from.monotonicNanoseconds)
        estimate = share < 1 ? from.advanced(by: .nanoseconds(Int64(Double(nanoseconds) * share))) : to
        source = .waited
    }

    /// Describes a value with the time that its sensor gave it.
    public init(sensorTime moment: Moment) {
        from = moment
        to = moment
        estimate = moment
        source = .sensorClock
    }

    /// The interval as far from another moment as it is from this one, for a record that is played again.
    public func moved(from moment: Moment, to other: Moment) -> LateInterval {
        var interval = self
        interval.from = other.advanced(by: from.since(moment))
        interval.to = other.advanced(by: to.since(moment))
        interval.estimate = other.advanced(by: estimate.since(moment))
        return interval
    }

    /// How the interval of a late value is known; the raw value is the word in `bedside watch --json`.
    public enum Source: String, CaseIterable, Codable, Hashable, Sendable {
        /// The value waited while this program stood still: it came at some time within the interval.
        case waited
        /// The sensor kept it and said when it measured it.
        case sensorClock = "sensor_clock"
    }
}
