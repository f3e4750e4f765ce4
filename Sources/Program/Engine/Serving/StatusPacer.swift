import Base

/// Decides when followers of a monitor receive a new status: soon after an alarm, else at most once a second.
struct StatusPacer {
    /// The delay in which changes are collected, in nanoseconds; it also applies to alarms.
    static let pause: Int64 = 100_000_000

    /// The shortest interval between changes of values: a reader needs no more, and each change wakes the bus
    /// and its listeners.
    private var pace = Pace(interval: .seconds(1))
    private var due: Int64?

    /// Handles a possible change.
    ///
    /// - Parameters:
    ///   - now: The monotonic time.
    ///   - isUrgent: Whether the interval does not apply: an alarm has begun or worsened.
    /// - Returns: The new time to send; `nil` when the previous one is early enough.
    mutating func changed(now: Int64, isUrgent: Bool) -> Int64? {
        let time = isUrgent ? now + Self.pause : max(now + Self.pause, pace.next)
        if let due, due <= time { return nil }
        due = time
        return time
    }

    /// Records that the status was sent.
    mutating func sent(now: Int64) {
        pace.count(at: now)
        due = nil
    }
}
