import EventLoops
import Base

/// Has waiting items written together with a value that comes anyway, and within the promised second.
///
/// It runs on the loop where items arrive. A timer there that may be late fires in a turn that a later item causes, while
/// a thread that waits for a time of its own is woken once more for each batch.
final class BatchPacer: @unchecked Sendable {
    // `@unchecked Sendable`: it belongs to the thread of its loop, which every entry point checks.

    /// The longest time from the first item of a batch to its transaction: most of the promised second, which leaves the
    /// disk the rest.
    static let limit = Duration.milliseconds(950)
    /// How much earlier a batch may be written so that it needs no wake-up of its own, at most.
    private static let longestWindow = Duration.milliseconds(350)

    /// The loop where items arrive.
    let loop: EventLoop
    private let write: @Sendable () -> Void
    private var timer: LoopTimer?
    /// When the last batch was written, in nanoseconds of the monotonic clock.
    private var last = Int64.min / 2
    /// When the present batch must be written, by the same clock.
    private var latest = Int64.max
    /// Whether no item came in time to have the last batch written with it.
    private var wokeForBatch = false

    /// Creates a pacer without a batch.
    ///
    /// - Parameters:
    ///   - loop: The loop where items arrive.
    ///   - write: Called on the loop's thread to have a batch written; it must not wait.
    init(on loop: EventLoop, write: @escaping @Sendable () -> Void) {
        (self.loop, self.write) = (loop, write)
    }

    /// The first item of a batch has come.
    ///
    /// - Parameter lastCount: How many items the last batch had.
    func begin(after lastCount: Int) {
        loop.checkIsolated()
        if timer != nil { return }
        let passed = Duration.nanoseconds(Timestamp.monotonicNow().subtractingSaturated(last))
        // Values at fixed times would find the end of a batch between them each time; this moves it to one of them.
        guard !wokeForBatch, let delay = Self.delay(sinceLast: passed, lastCount: lastCount) else { return end() }
        latest = Timestamp.monotonicNow() + delay.most.nanoseconds
        timer = loop.schedule(after: delay.least, tolerance: delay.most - delay.least) { [weak self] in self?.end() }
    }

    /// How long a batch waits for more items, at least and at most; `nil` when it is written at once.
    ///
    /// - Parameters:
    ///   - passed: How long ago the last batch was written.
    ///   - lastCount: How many items it had.
    static func delay(sinceLast passed: Duration, lastCount: Int) -> (least: Duration, most: Duration)? {
        // What arrives after a quiet time is the wake-up; the next item may be further away than the promised second.
        if passed >= limit { return nil }
        // Twice the time from one item to the next, within which one is likely to come.
        return (limit - min(longestWindow, .seconds(2) / max(lastCount, 1)), limit)
    }

    private func end() {
        last = Timestamp.monotonicNow()
        wokeForBatch = timer != nil && last >= latest
        timer = nil
        write()
    }
}
