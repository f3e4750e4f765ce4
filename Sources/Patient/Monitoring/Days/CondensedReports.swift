import Base
import Vitals

/// The reports of one vital in a stretch of time, condensed so that many stretches are summed up quickly.
///
/// ``VitalDayBuilder`` makes the same figures of it as of the reports one by one.
public struct CondensedReports: Hashable, Sendable {
    /// How often a value came, and for how long it held within the stretch, in milliseconds.
    public struct Tally: Hashable, Sendable {
        public var count: Int
        public var time: Int64

        public init(count: Int, time: Int64) {
            (self.count, self.time) = (count, time)
        }
    }

    /// A value that still holds at the end.
    public struct Standing: Hashable, Sendable {
        public var since: Int64
        public var value: VitalValue

        public init(since: Int64, value: VitalValue) {
            (self.since, self.value) = (since, value)
        }
    }

    /// The tallies of all values; that of a standing value does not have its time yet.
    public var tallies: [VitalValue: Tally] = [:]
    /// When each sensor first reported an absence before the first value, in milliseconds since 1970 (UTC).
    public var absences: [Int64: Int64] = [:]
    /// When the first value came.
    public var first: Int64?
    /// The sensor of the last value.
    public var sensor: Int64?
    /// The value that holds at the end; `nil` if an absence of its sensor ended it.
    public var standing: Standing?

    public init() {}

    /// Adds a report of a sensor, in the order of time.
    ///
    /// - Parameters:
    ///   - value: `nil` for an absence.
    ///   - sensor: A number of the sensor.
    ///   - wall: The wall time in milliseconds since 1970 (UTC).
    public mutating func add(_ value: VitalValue?, from sensor: Int64, at wall: Int64) {
        guard let value else {
            if first == nil, absences[sensor] == nil { absences[sensor] = wall }
            // As in ``VitalDayBuilder``: a sensor without a measurement does not end the value of another one.
            if sensor == self.sensor { settle(until: wall) }
            return
        }
        settle(until: wall)
        if first == nil { first = wall }
        self.sensor = sensor
        tallies[value, default: Tally(count: 0, time: 0)].count += 1
        standing = Standing(since: wall, value: value)
    }

    private mutating func settle(until wall: Int64) {
        guard let standing else { return }
        tallies[standing.value]?.time += SummaryBuilder.time(from: standing.since, to: wall)
        self.standing = nil
    }

    /// When the reports end a value of a sensor from before; `nil` if they do not.
    func end(ofValueFrom sensor: Int64?) -> Int64? {
        [first, sensor.flatMap { absences[$0] }].compactMap(\.self).min()
    }
}
