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

/// A time of the monotonic clock, which counts while the computer sleeps and never jumps.
///
/// Deadlines, ages and times of trends are calculated with it. Results are clamped to the range of the clock. It is
/// encoded as its nanoseconds.
public struct MonotonicTime: Hashable, Sendable {
    /// Nanoseconds since the computer started, sleep included (`CLOCK_BOOTTIME`); negative for earlier times.
    public let nanoseconds: Int64

    /// Creates a time from a reading of the clock.
    @inlinable
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The end of the clock's range, which is never reached.
    @inlinable
    public static var distantFuture: MonotonicTime { MonotonicTime(nanoseconds: .max) }

    /// The beginning of the clock's range, before any event.
    @inlinable
    public static var distantPast: MonotonicTime { MonotonicTime(nanoseconds: .min) }

    /// The time from `earlier` to this one; negative when `earlier` is the later one.
    @inlinable
    public func since(_ earlier: MonotonicTime) -> Duration {
        .nanoseconds(nanoseconds(since: earlier))
    }

    /// The nanoseconds from `earlier` to this time; negative when `earlier` is the later one.
    @inlinable
    public func nanoseconds(since earlier: MonotonicTime) -> Int64 {
        nanoseconds.subtractingSaturated(earlier.nanoseconds)
    }

    /// The time `duration` after this one.
    @inlinable
    public func advanced(by duration: Duration) -> MonotonicTime {
        advanced(byNanoseconds: duration.nanoseconds)
    }

    /// The time a number of nanoseconds after this one.
    @inlinable
    public func advanced(byNanoseconds duration: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: nanoseconds.addingSaturated(duration))
    }
}

extension MonotonicTime: Comparable {
    /// Orders times, the earliest first.
    @inlinable
    public static func < (lhs: MonotonicTime, rhs: MonotonicTime) -> Bool {
        lhs.nanoseconds < rhs.nanoseconds
    }
}

extension MonotonicTime: Codable {
    /// Decodes the nanoseconds.
    ///
    /// - Throws: `DecodingError` when there is no 64-bit integer.
    public init(from decoder: any Decoder) throws {
        self.init(nanoseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Encodes the nanoseconds.
    ///
    /// - Throws: The error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(nanoseconds)
    }
}
