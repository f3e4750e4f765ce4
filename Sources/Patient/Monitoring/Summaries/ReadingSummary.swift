import Base
import Vitals

/// A summary of one vital's readings from one sensor in one period.
public struct ReadingSummary: Hashable, Sendable {
    public var sensor: SensorIdentity
    public var vital: Vital
    /// The period, as wall times in milliseconds since 1970 (UTC).
    public var from, to: Int64
    /// The number of the wear period, if the period is one.
    public var wearing: Int64?
    /// The number of values.
    public var count: Int
    /// The lowest, the median and the highest value; `nil` without values.
    ///
    /// For an even number of values the median is the lower one of the two in the middle, because it was measured.
    public var minimum, median, maximum: VitalValue?
    /// The measured time, in milliseconds.
    public var covered: Int64
    /// The time outside the limits, in milliseconds; `nil` without limits.
    public var outside: Int64?
    /// Whether only summaries by the minute exist for a part of the period, so that neither median nor coverage is
    /// known.
    public var isOfSums = false

    /// The measured share of the time, in percent, rounded down, so that 100 means all of it.
    public var coveredPercent: Int {
        let length = to.subtractingSaturated(from)
        return length > 0
            ? Int(min(covered, length).multipliedSaturated(by: 100) / length) : count > 0 ? 100 : 0
    }
}

/// Collects readings of one vital of one sensor and summarizes them.
///
/// A value counts until the sensor's next report of the vital, but for 15 seconds at most.
public struct SummaryBuilder: Sendable {
    /// The longest time that a value counts, in milliseconds.
    public static let longestStanding: Int64 = 15_000

    private var counts: [Int: Int] = [:]
    private var covered: Int64 = 0
    private var outside: Int64 = 0
    private var hasLimits = false
    /// The summaries of minutes whose values were removed.
    private var sums: (count: Int, minimum: VitalValue?, maximum: VitalValue?)?
    /// The start of the current value, and whether it is outside.
    private var standing: (since: Int64, isOutside: Bool)?

    public init() {}

    /// Adds a report of the sensor.
    ///
    /// - Parameters:
    ///   - value: `nil` for an absence.
    ///   - isOutside: Whether the value is outside the limits; `nil` without limits.
    ///   - wall: The wall time in milliseconds since 1970 (UTC).
    public mutating func add(_ value: VitalValue?, isOutside: Bool?, at wall: Int64) {
        settle(until: wall)
        guard let value else { return }
        counts[value.hundredths, default: 0] += 1
        standing = (wall, isOutside ?? false)
        if isOutside != nil { hasLimits = true }
    }

    /// Adds a single measured value: it counts, but covers no time.
    mutating func add(single value: VitalValue) { counts[value.hundredths, default: 0] += 1 }

    /// Adds the summary of one minute: the count, the lowest and the highest value.
    public mutating func add(count: Int, minimum: VitalValue?, maximum: VitalValue?) {
        let before = sums ?? (0, nil, nil)
        sums = (
            before.count.addingSaturated(count), [before.minimum, minimum].compactMap { $0 }.min(),
            [before.maximum, maximum].compactMap { $0 }.max()
        )
    }

    /// Adds condensed reports.
    ///
    /// - Parameters:
    ///   - reports: The reports of a stretch after what was added before.
    ///   - end: When they end the value from before; `nil` if they do not.
    ///   - isOutside: Whether a value is outside the limits in the whole stretch; `nil` without limits.
    mutating func add(_ reports: CondensedReports, endOfEarlier end: Int64?, isOutside: (VitalValue) -> Bool?) {
        if let end { settle(until: end) }
        for (value, tally) in reports.tallies {
            counts[value.hundredths, default: 0] += tally.count
            covered = covered.addingSaturated(tally.time)
            guard let isOutside = isOutside(value) else { continue }
            hasLimits = true
            if isOutside { outside = outside.addingSaturated(tally.time) }
        }
        guard reports.first != nil else { return }
        standing = reports.standing.map { ($0.since, isOutside($0.value) ?? false) }
    }

    /// How long a value holds, until the next report, in milliseconds.
    static func time(from since: Int64, to wall: Int64) -> Int64 {
        // A clock that was set back adds no time.
        min(max(0, wall.subtractingSaturated(since)), longestStanding)
    }

    private mutating func settle(until wall: Int64) {
        guard let standing else { return }
        let time = Self.time(from: standing.since, to: wall)
        covered = covered.addingSaturated(time)
        if standing.isOutside { outside = outside.addingSaturated(time) }
        self.standing = nil
    }

    /// The summary at the end of the period.
    public mutating func summary(
        of source: (sensor: SensorIdentity, vital: Vital), from: Int64, to: Int64, wearing: Int64? = nil
    ) -> ReadingSummary {
        settle(until: to)
        let length = max(0, to.subtractingSaturated(from))
        let values = counts.keys.sorted()
        let count = counts.values.reduce(0, +)
        var (before, median): (Int, Int?) = (0, nil)
        for value in values where median == nil {
            before += counts[value] ?? 0
            if 2 * before >= count { median = value }
        }
        var summary = ReadingSummary(
            sensor: source.sensor, vital: source.vital, from: from, to: to, wearing: wearing, count: count,
            minimum: values.first.map { VitalValue(hundredths: $0) }, median: median.map { VitalValue(hundredths: $0) },
            maximum: values.last.map { VitalValue(hundredths: $0) }, covered: min(covered, length),
            outside: hasLimits ? min(outside, length) : nil)
        if let sums {
            summary.isOfSums = true
            summary.count = summary.count.addingSaturated(sums.count)
            summary.minimum = [summary.minimum, sums.minimum].compactMap { $0 }.min()
            summary.maximum = [summary.maximum, sums.maximum].compactMap { $0 }.max()
            (summary.median, summary.outside) = (nil, nil)
        }
        return summary
    }
}
