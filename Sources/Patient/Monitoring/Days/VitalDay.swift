import Base
import Vitals

/// One vital's figures of one day, from all its sensors and manual entries.
public struct VitalDay: Hashable, Sendable {
    public var vital: Vital
    /// The number of values.
    public var count: Int
    /// The lowest, the median and the highest value; `nil` without values.
    ///
    /// The median is that of all values, not of averages; it is unknown if only summaries by the minute exist.
    public var minimum, median, maximum: VitalValue?
    /// The measured time of the day so far, in milliseconds; entered values cover no time.
    public var covered: Int64
    /// The time with a sensor's value outside the limits, in milliseconds; `nil` if unknown.
    public var outside: Int64?
    /// Whether only summaries by the minute exist for a part of the day.
    public var isOfSums: Bool
    /// The length of the day so far, in milliseconds.
    public var length: Int64

    public init(
        vital: Vital, count: Int, minimum: VitalValue?, median: VitalValue?, maximum: VitalValue?, covered: Int64,
        outside: Int64?, isOfSums: Bool, length: Int64
    ) {
        self.vital = vital
        self.count = count
        self.minimum = minimum
        self.median = median
        self.maximum = maximum
        self.covered = covered
        self.outside = outside
        self.isOfSums = isOfSums
        self.length = length
    }

    /// The measured share of the day so far, in percent, rounded down; `nil` if unknown.
    public var coveredPercent: Int? {
        if isOfSums { return nil }
        return length > 0 ? Int(min(covered, length).multipliedSaturated(by: 100) / length) : 0
    }
}

/// Collects the values of one vital of one day.
public struct VitalDayBuilder: Sendable {
    private let vital: Vital
    private var summary = SummaryBuilder()
    /// The sensor of the last value.
    private var sensor: Int64?

    public init(_ vital: Vital) {
        self.vital = vital
    }

    /// Adds a report of a sensor, in the order of time.
    ///
    /// - Parameters:
    ///   - value: `nil` for an absence.
    ///   - sensor: A number of the sensor.
    ///   - isOutside: Whether the value is outside the limits; `nil` without limits.
    ///   - wall: The wall time in milliseconds since 1970 (UTC).
    public mutating func add(_ value: VitalValue?, from sensor: Int64, isOutside: Bool?, at wall: Int64) {
        // A sensor without a measurement does not end the value of another sensor.
        if value == nil, sensor != self.sensor { return }
        self.sensor = sensor
        summary.add(value, isOutside: isOutside, at: wall)
    }

    /// Adds condensed reports, which come after what was added before.
    ///
    /// - Parameters:
    ///   - reports: The reports.
    ///   - isOutside: Whether a value is outside the limits in the whole stretch; `nil` without limits.
    public mutating func add(_ reports: CondensedReports, isOutside: (VitalValue) -> Bool?) {
        summary.add(reports, endOfEarlier: reports.end(ofValueFrom: sensor), isOutside: isOutside)
        sensor = reports.sensor ?? sensor
    }

    /// Adds a single measured value.
    public mutating func add(single value: VitalValue) { summary.add(single: value) }

    /// Adds the summary of one minute: the count, the lowest and the highest value.
    public mutating func add(count: Int, minimum: VitalValue?, maximum: VitalValue?) {
        summary.add(count: count, minimum: minimum, maximum: maximum)
    }

    /// The figures of the day from its begin until its end, or until now; `nil` without any value.
    public func figures(from: Int64, to: Int64) -> VitalDay? {
        var summary = summary
        let found = summary.summary(of: (.manual, vital), from: from, to: to)
        guard found.count > 0 else { return nil }
        return VitalDay(
            vital: vital, count: found.count, minimum: found.minimum, median: found.median, maximum: found.maximum,
            covered: found.covered, outside: found.outside, isOfSums: found.isOfSums,
            length: max(0, to.subtractingSaturated(from)))
    }
}

extension MonitorSettings {
    /// Values at which charts draw reference lines: the fever thresholds, and the ordinary limits.
    ///
    /// - Parameters:
    ///   - vital: The vital.
    ///   - limits: The limits in force, instead of those of the settings.
    public func referenceLines(of vital: Vital, limits: VitalLimits? = nil) -> [VitalValue] {
        // The second limit of a fever rule is so close to the first that they would be one line.
        let fever = vital == .bodyTemperature ? Array(self.fever.limits.prefix(1)) : []
        let own = limits ?? self.limits[vital]
        return Set(fever + [own?.low.value, own?.high.value].compactMap(\.self)).sorted()
    }
}
