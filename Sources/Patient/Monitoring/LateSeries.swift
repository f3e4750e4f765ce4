import Base
import Vitals

/// Consecutive late values of one sensor and vital, without a current one between them.
public struct LateSeries: Codable, Hashable, Sendable {
    /// The earliest possible time of measurement.
    public private(set) var from: Moment
    /// The latest possible time of measurement.
    public private(set) var to: Moment
    /// When the newest of them arrived.
    public private(set) var arrived: Moment
    /// The number of values.
    public private(set) var count = 1
    /// The one measured last; its moment is the estimate.
    public private(set) var last: Sample
    public private(set) var highest: VitalValue
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
