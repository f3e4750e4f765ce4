import Vitals

/// The times of the tone that reminds of alarms whose sound is paused or off.
struct SoundReminder: Codable, Hashable, Sendable {
    /// When the next tone is due.
    private(set) var next: MonotonicTime?

    /// The start of the interval to the next tone: the last tone, or when a reminder was first needed.
    private var counted: MonotonicTime?
    /// Since when no reminder has been needed.
    private var quietSince: MonotonicTime?
    /// The interval in nanoseconds.
    private var pause: Int64?

    /// Recalculates when the next tone is due.
    ///
    /// - Parameters:
    ///   - pause: The nanoseconds from one tone to the next; `nil` for none.
    ///   - isWanted: Whether an alarm needs a sound; a short interruption does not restart the interval.
    mutating func plan(every pause: Int64?, isWanted: Bool, at time: MonotonicTime) {
        next = nil
        self.pause = pause
        guard let pause else {
            counted = nil
            quietSince = nil
            return
        }
        guard isWanted else {
            quietSince = quietSince ?? time
            return
        }
        if let quietSince, time.nanoseconds(since: quietSince) >= pause { counted = nil }
        quietSince = nil
        let start = counted ?? time
        counted = start
        next = max(time, start.advanced(byNanoseconds: pause))
    }

    /// Whether a tone is due; if so, the next one is planned.
    mutating func isDue(at time: MonotonicTime) -> Bool {
        guard let next, next <= time, let pause else { return false }
        counted = time
        self.next = time.advanced(byNanoseconds: pause)
        return true
    }
}
