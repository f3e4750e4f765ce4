import Base

/// A point in time on two clocks: a monotonic one and the wall clock.
///
/// Durations (age, freshness, delays) come from ``monotonic``, which also counts while the computer sleeps.
/// `wallMilliseconds` is for display and recording only: it may jump when the clock is set.
public struct Moment: Codable, Hashable, Sendable {
    /// Nanoseconds since the computer started, sleep included (`CLOCK_BOOTTIME`).
    public var monotonicNanoseconds: Int64

    /// Milliseconds since 1970-01-01T00:00:00Z (`CLOCK_REALTIME`).
    public var wallMilliseconds: Int64

    /// Creates a moment from the readings of both clocks.
    public init(monotonicNanoseconds: Int64, wallMilliseconds: Int64) {
        self.monotonicNanoseconds = monotonicNanoseconds
        self.wallMilliseconds = wallMilliseconds
    }

    /// The moment on the monotonic clock.
    @inlinable
    public var monotonic: MonotonicTime { MonotonicTime(nanoseconds: monotonicNanoseconds) }

    /// The time from `earlier` to this moment, clamped to 292 years; negative when `earlier` is the later one.
    public func since(_ earlier: Moment) -> Duration {
        monotonic.since(earlier.monotonic)
    }

    /// The moment `duration` after this one, on both clocks, clamped to their ranges.
    public func advanced(by duration: Duration) -> Moment { advanced(byNanoseconds: duration.nanoseconds) }

    /// The moment a number of nanoseconds after this one.
    public func advanced(byNanoseconds nanoseconds: Int64) -> Moment {
        Moment(
            monotonicNanoseconds: monotonicNanoseconds.addingSaturated(nanoseconds),
            wallMilliseconds: wallMilliseconds.addingSaturated(nanoseconds / 1_000_000))
    }
}

extension Moment: Comparable {
    /// Orders moments by the monotonic clock.
    public static func < (lhs: Moment, rhs: Moment) -> Bool {
        lhs.monotonicNanoseconds < rhs.monotonicNanoseconds
    }
}
