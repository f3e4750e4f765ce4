import Glibc

/// A point in time as read from the system's two clocks.
public struct Timestamp: Hashable, Sendable {
    /// Nanoseconds since the computer started, sleep included (`CLOCK_BOOTTIME`).
    public var monotonicNanoseconds: Int64

    /// Milliseconds since 1970-01-01T00:00:00Z (`CLOCK_REALTIME`).
    public var wallMilliseconds: Int64

    /// Creates a timestamp from the readings of both clocks.
    public init(monotonicNanoseconds: Int64, wallMilliseconds: Int64) {
        self.monotonicNanoseconds = monotonicNanoseconds
        self.wallMilliseconds = wallMilliseconds
    }

    /// Reads both clocks.
    public static func now() -> Timestamp {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        return Timestamp(
            monotonicNanoseconds: monotonicNow(),
            wallMilliseconds: Int64(wall.tv_sec) * 1000 + Int64(wall.tv_nsec) / 1_000_000)
    }

    /// Reads the clock that never jumps, in nanoseconds.
    public static func monotonicNow() -> Int64 {
        var monotonic = timespec()
        clock_gettime(CLOCK_BOOTTIME, &monotonic)
        return Int64(monotonic.tv_sec) * 1_000_000_000 + Int64(monotonic.tv_nsec)
    }

    /// Reads the clock that never jumps and that stands still while the computer sleeps, in nanoseconds.
    static func awakeNow() -> Int64 {
        var awake = timespec()
        clock_gettime(CLOCK_MONOTONIC, &awake)
        return Int64(awake.tv_sec) * 1_000_000_000 + Int64(awake.tv_nsec)
    }
}
