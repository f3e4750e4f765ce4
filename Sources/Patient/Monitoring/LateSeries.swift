import Base
import Vitals

/// Consecutive late values of one sensor and vital, without a current one between them.
public struct LateSeries: Codable, Hashable, Sendable {
    /// The earliest moment at which one of them can have been measured.
    public private(set) var from: Moment
    /// The latest moment at which one of them can have been measured.
    public private(set) var to: Moment
    /// When the newest of them came.
    public private(set) var arrived: Moment
    /// How many there are.
    public private(set) var count = 1
    /// The one that was measured last; its moment is the estimate.
    public private(set) var last: Sample
    /// The highest value.
    public private(set) var highest: VitalValue
    /// The lowest value.
    public private(set) var lowest: VitalValue

    init(_ sample: Sample, _ interval: LateInterval, arrived: Moment) {
        (from, to, self.arrived) = (interval.from, interval.to, arrived)
        (last, highest, lowest) = (sample, sample.value, sample.value)
    }

    mutating func append(_ sample: Sample, _ interval: LateInterval, arrived: Moment) {
        (from, to, self.arrived) = (min(from, interval.from), max(to, interval.to), max(self.arrived, arrived))
        count = count.addingSaturated(1)
        if sample.moment >= last.moment { last = sample }
        (highest, lowest) = (max(highest, sample.value), min(lowest, sample.value))
    }
}
