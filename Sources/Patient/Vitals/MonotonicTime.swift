import Base

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
