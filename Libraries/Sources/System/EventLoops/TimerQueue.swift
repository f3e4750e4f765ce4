import Base

/// A timer of a loop, until it has fired or is cancelled.
public struct LoopTimer: Hashable, Sendable {
    let identifier: UInt64
}

extension EventLoop {
    /// Calls `handler` once on the loop's thread, at or soon after a point of monotonic time.
    ///
    /// - Parameters:
    ///   - monotonicNanoseconds: A time of ``Timestamp/monotonicNanoseconds``; one in the past fires at once.
    ///   - tolerance: How much later it may fire, so that it can share a wake-up of the loop.
    ///   - handler: The function to call.
    public func schedule(
        at monotonicNanoseconds: Int64, tolerance: Duration = .zero, _ handler: @escaping () -> Void
    ) -> LoopTimer {
        checkOwnership()
        return timers.add(due: monotonicNanoseconds, tolerance: tolerance.nanoseconds, handler)
    }

    /// Calls `handler` once on the loop's thread after a delay; one of zero or less fires in the loop's next turn.
    ///
    /// - Parameters:
    ///   - delay: How long to wait at least.
    ///   - tolerance: How much longer it may take (``schedule(at:tolerance:_:)``).
    ///   - handler: The function to call.
    public func schedule(
        after delay: Duration, tolerance: Duration = .zero, _ handler: @escaping () -> Void
    ) -> LoopTimer {
        let due = Timestamp.monotonicNow().addingSaturated(max(0, delay.nanoseconds))
        return schedule(at: due, tolerance: tolerance, handler)
    }

    /// Moves a timer that has not fired yet to another time; returns whether there was one.
    public func move(_ timer: LoopTimer, to monotonicNanoseconds: Int64) -> Bool {
        checkOwnership()
        return timers.move(timer, to: monotonicNanoseconds)
    }

    /// Cancels a timer; its handler is never called.
    public func cancel(_ timer: LoopTimer) {
        checkOwnership()
        // The handler is released after the change of the table, because its deinitialisation may change the table
        // again.
        let handler = timers.cancel(timer)
        withExtendedLifetime(handler) {}
    }

    /// Suspends the calling task for a time, on this loop.
    ///
    /// The caller must be isolated to an actor of this loop. Throws `CancellationError` when the task is cancelled
    /// before or at the end of the wait; cancellation does not cut the wait short.
    public func sleep(for delay: Duration, isolation: isolated (any Actor)? = #isolation) async throws {
        try Task.checkCancellation()
        // Quirk resumed-through-the-pool: unless the task prefers another executor.
        await withTaskExecutorPreference(self) {
            await withCheckedContinuation { continuation in
                _ = schedule(after: delay) { continuation.resume() }
            }
        }
        try Task.checkCancellation()
    }
}

/// The timers of one loop, sorted by time, the earliest last.
struct TimerQueue {
    private struct Entry {
        var due: Int64
        /// How much later it may fire, in nanoseconds.
        var tolerance: Int64
        var identifier: UInt64
        var handler: () -> Void
    }

    /// A day, in nanoseconds; a later timer is checked again then.
    private static let longestWait: Int64 = 86_400_000_000_000

    // A loop has a handful of timers, so a sorted array beats a heap.
    private var entries: [Entry] = []
    private var lastIdentifier: UInt64 = 0

    mutating func add(due: Int64, tolerance: Int64 = 0, _ handler: @escaping () -> Void) -> LoopTimer {
        lastIdentifier += 1
        let entry = Entry(due: due, tolerance: tolerance, identifier: lastIdentifier, handler: handler)
        // Among equal times the one that was added first fires first.
        let index = entries.firstIndex { $0.due <= due } ?? entries.endIndex
        entries.insert(entry, at: index)
        return LoopTimer(identifier: lastIdentifier)
    }

    mutating func cancel(_ timer: LoopTimer) -> (() -> Void)? {
        guard let index = entries.firstIndex(where: { $0.identifier == timer.identifier }) else { return nil }
        return entries.remove(at: index).handler
    }

    mutating func move(_ timer: LoopTimer, to due: Int64) -> Bool {
        guard let index = entries.firstIndex(where: { $0.identifier == timer.identifier }) else { return false }
        var entry = entries.remove(at: index)
        entry.due = due
        entries.insert(entry, at: entries.firstIndex { $0.due <= due } ?? entries.endIndex)
        return true
    }

    var isEmpty: Bool { entries.isEmpty }

    /// The identifier of the timer that was added last.
    var newest: UInt64 { lastIdentifier }

    /// Removes the earliest timer that is due and was added no later than `newest`.
    mutating func takeDue(now: Int64, upTo newest: UInt64) -> (() -> Void)? {
        guard let index = entries.lastIndex(where: { $0.due <= now && $0.identifier <= newest }) else { return nil }
        return entries.remove(at: index).handler
    }

    /// How long `poll` may wait: -1 for no limit, else milliseconds, rounded up so that it does not spin before the
    /// time.
    ///
    /// - Parameter longest: The longest time to wait if no timer is due, in nanoseconds; `nil` for no limit.
    func pollTimeout(longest: Int64? = nil) -> Int32 {
        let longestWait = min(longest ?? Self.longestWait, Self.longestWait)
        var latest = Int64.max
        for entry in entries { latest = min(latest, entry.due.addingSaturated(entry.tolerance)) }
        if entries.isEmpty { return longest == nil ? -1 : Self.milliseconds(longestWait) }
        let now = Timestamp.monotonicNow()
        if latest <= now { return 0 }
        // The clock's readings are never negative, so the difference cannot overflow.
        return Self.milliseconds(min(latest - now, longestWait))
    }

    private static func milliseconds(_ nanoseconds: Int64) -> Int32 {
        Int32((nanoseconds + 999_999) / 1_000_000)
    }
}
