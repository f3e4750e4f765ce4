import Base
import SensorDrivers
import Vitals

/// Determines from a sensor's time stamps which values are present and which were stored.
///
/// A time stamp older than ``tolerance`` indicates a stored value, unless the clock is wrong. A clock is known to be
/// wrong, and by how much, when its time stamps are in the future or older than any sensor stores values, or when they
/// keep pace with the arrivals: stored values arrive faster than they were measured, present values do not.
public struct SensorClock: Sendable {
    /// A stamp within this difference means a current value.
    public static let tolerance = Duration.seconds(120)
    /// Time stamps that are older than this mean a wrong clock.
    public static let longestStorage = Duration.seconds(30 * 86_400)
    /// How long time stamps must keep pace with the arrivals until the clock counts as wrong.
    public static let trial = Duration.seconds(30)

    /// How far the clock is behind, in milliseconds.
    private var error: Int64 = 0
    /// The first value whose time stamp keeps pace with its arrival: when it arrived, and how far it was behind.
    private var anchor: (arrival: Moment, behind: Int64)?
    /// Milliseconds since 1970 (UTC) of a sensor's time; `nil` for incomplete dates.
    private let milliseconds: @Sendable (DeviceTime) -> Int64?

    /// Creates an unknown clock.
    ///
    /// - Parameter milliseconds: Converts a sensor's time, which has no time zone; by default as local time.
    public init(_ milliseconds: @escaping @Sendable (DeviceTime) -> Int64? = { $0.localMilliseconds }) {
        self.milliseconds = milliseconds
    }

    /// When a value was measured, if it is not a present one.
    ///
    /// - Parameters:
    ///   - time: The value's time stamp.
    ///   - arrival: When it arrived.
    /// - Returns: `nil` for a present value, or one with a useless time stamp.
    public mutating func lateness(of time: DeviceTime, arrival: Moment) -> LateInterval? {
        guard let stamp = milliseconds(time) else { return nil }
        let tolerance = Self.tolerance.nanoseconds / 1_000_000
        let behind = arrival.wallMilliseconds.subtractingSaturated(stamp)
        let isInStep = isInStep(behind, arrival)
        if abs(behind) <= tolerance {
            error = 0
            return nil
        }
        let age = behind.subtractingSaturated(error)
        let isImpossible = behind < 0 || behind > Self.longestStorage.nanoseconds / 1_000_000
        // The same error of a clock that is known to be wrong.
        let isBelievable = error != 0 ? age > tolerance : !isImpossible
        guard isBelievable, !isInStep, age < Self.longestStorage.nanoseconds / 1_000_000, age > tolerance else {
            error = behind
            return nil
        }
        return LateInterval(sensorTime: arrival.advanced(by: .milliseconds(-age)))
    }

    /// Whether the time stamps have kept pace with the arrivals for long enough.
    private mutating func isInStep(_ behind: Int64, _ arrival: Moment) -> Bool {
        guard let anchor else {
            self.anchor = (arrival, behind)
            return false
        }
        let passed = max(0, arrival.since(anchor.arrival).nanoseconds / 1_000_000)
        // Some clocks have no seconds, which matters for measurements hours apart, not for a stream.
        let slack = min(max(passed / 20, 5_000), 60_000)
        guard abs(behind.subtractingSaturated(anchor.behind)) <= slack else {
            self.anchor = (arrival, behind)
            return false
        }
        return passed >= Self.trial.nanoseconds / 1_000_000
    }
}
