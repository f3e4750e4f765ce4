import Base

/// A period without data, or a jump of the wall clock.
///
/// Measurements in it are lost; earlier values must not be drawn or computed as if they continued through it.
public struct Gap: Codable, Hashable, Sendable {
    /// Its beginning: the last moment at which everything worked.
    public var from: Moment
    /// Its end.
    ///
    /// After ``GapReason/clockSet`` only the wall times of `from` and `to` differ: the time that the clock would have
    /// shown, and the one that it shows.
    public var to: Moment
    /// The cause.
    public var reason: GapReason

    public init(from: Moment, to: Moment, reason: GapReason) {
        self.from = from
        self.to = to
        self.reason = reason
    }
}

/// The cause of a gap; the raw value is the word in `bedside watch --json`.
public enum GapReason: String, CaseIterable, Codable, Hashable, Sendable {
    /// The computer slept.
    case asleep
    /// The user or a time server set the clock; no data are missing, but wall times before and after cannot be
    /// compared.
    case clockSet = "clock_set"
    /// bluetoothd was not running.
    case daemon
    /// The message bus was not reachable.
    case bus
    /// The message bus did not answer; values sent during that time came late.
    case busSilent = "bus_silent"
    /// bluetoothd did not answer; values sent during that time came late.
    case daemonSilent = "daemon_silent"
    /// The adapter was missing or off.
    case adapter
    /// Bedside was not running, or could not keep up.
    case program

    /// Whether nothing could be heard though the sensors may have sent, so that their silence says nothing about them.
    public var hidesSensors: Bool {
        switch self {
        case .asleep, .program, .busSilent, .daemonSilent: true
        case .clockSet, .daemon, .bus, .adapter: false
        }
    }
}

/// The time of measurement of a late value, which arrived some time after it.
///
/// A late value never counts as present; it is stored and evaluated as of ``estimate``.
public struct LateInterval: Codable, Hashable, Sendable {
    /// The earliest possible time of its measurement.
    public var from: Moment
    /// The latest possible time of its measurement.
    public var to: Moment
    /// The time assigned to it: values that waited together are spread evenly over the interval, in their order.
    public var estimate: Moment
    /// How the interval was determined.
    public var source: Source

    /// Describes a value that waited during a stall.
    ///
    /// - Parameters:
    ///   - from: When data were last received before it.
    ///   - to: When the waiting data were read.
    ///   - place: Its index among the waiting values of the same vital and sensor.
    ///   - count: The number of these values, at least 1.
    public init(waitedFrom from: Moment, to: Moment, place: Int, of count: Int) {
        self.from = from
        self.to = to
        let share = (Double(max(0, place)) + 1) / Double(max(1, count))
        let nanoseconds = to.monotonicNanoseconds.subtractingSaturated(from.monotonicNanoseconds)
        estimate = share < 1 ? from.advanced(by: .nanoseconds(Int64(Double(nanoseconds) * share))) : to
        source = .waited
    }

    /// A value with its sensor's own timestamp.
    public init(sensorTime moment: Moment) {
        from = moment
        to = moment
        estimate = moment
        source = .sensorClock
    }

    /// The interval shifted by the difference of two moments, for a replay.
    public func moved(from moment: Moment, to other: Moment) -> LateInterval {
        var interval = self
        interval.from = other.advanced(by: from.since(moment))
        interval.to = other.advanced(by: to.since(moment))
        interval.estimate = other.advanced(by: estimate.since(moment))
        return interval
    }

    /// How the interval of a late value was determined; the raw value is the word in `bedside watch --json`.
    public enum Source: String, CaseIterable, Codable, Hashable, Sendable {
        /// The value waited while nothing was received, because this program, the message bus, bluetoothd or the way to
        /// it stood still; it was measured within the interval.
        case waited
        /// The sensor stored the value and sent its time.
        case sensorClock = "sensor_clock"
    }
}
