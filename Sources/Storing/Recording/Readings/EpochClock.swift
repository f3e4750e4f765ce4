import Vitals

/// Both clocks at the beginning of an epoch, in which they advance together.
///
/// A row has its wall time, and only how far its monotonic time is from the line through this beginning: less than a
/// millisecond, which takes three octets instead of eight.
struct EpochClock: Hashable, Sendable {
    /// Milliseconds since 1970 (UTC).
    var wall: Int64 = 0
    /// Nanoseconds since the computer started.
    var monotonic: Int64 = 0

    /// How much more the monotonic clock has advanced until a moment than the wall clock, in nanoseconds.
    func drift(at moment: Moment) -> Int64 {
        moment.monotonicNanoseconds &- line(at: moment.wallMilliseconds)
    }

    /// The moment of a row.
    func moment(wall: Int64, drift: Int64) -> Moment {
        Moment(monotonicNanoseconds: line(at: wall) &+ drift, wallMilliseconds: wall)
    }

    // It wraps, so that any two times can be stored, and come back as they were.
    private func line(at wall: Int64) -> Int64 { monotonic &+ (wall &- self.wall) &* 1_000_000 }
}
