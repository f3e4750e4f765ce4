/// Decides when those who follow a monitor are told what is to be seen: soon after an alarm, else at most once a second.
struct StatusPacer {
    /// How long what has changed waits for more, in nanoseconds; so long an alarm waits, too.
    static let pause: Int64 = 100_000_000

    /// At most so often it is told that values have changed, in nanoseconds: whoever glances sees no more, and each time
    /// wakes the bus and its listeners.
    static let pace: Int64 = 1_000_000_000

    private var lastReported = Int64.min / 2
    private var due: Int64?

    /// Something may have changed.
    ///
    /// - Parameters:
    ///   - now: The monotonic time.
    ///   - isUrgent: Whether it must not wait for its turn: an alarm has begun or worsened.
    /// - Returns: When to tell, in the place of what was answered before; `nil` when that comes early enough.
    mutating func changed(now: Int64, isUrgent: Bool) -> Int64? {
        let time = isUrgent ? now + Self.pause : max(now + Self.pause, lastReported + Self.pace)
        if let due, due <= time { return nil }
        due = time
        return time
    }

    /// It has been told.
    mutating func told(now: Int64) {
        lastReported = now
        due = nil
    }
}
