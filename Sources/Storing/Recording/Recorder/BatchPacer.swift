import EventLoops
import Base

/// Times the batches: waiting items are written together with a later value, and within the promised second.
///
/// It runs on the loop where items arrive. A tolerant timer there fires in a turn that a later item causes; a thread
/// that waited for a fixed time would be woken once more for each batch.
final class BatchPacer: @unchecked Sendable {
    // `@unchecked Sendable`: only the loop's thread uses it, which every entry point checks.

    /// The longest time from the first item of a batch to its transaction: most of the promised second; the rest is for
    /// the disk.
    static let limit = Duration.milliseconds(950)
    /// The least time between two batches for alarms, so that a flood of them is written together.
    static let alarmLimit = Duration.milliseconds(100)
    /// How much earlier a batch may be written to avoid an additional wake-up, at most.
    private static let longestWindow = Duration.milliseconds(350)

    /// The loop of incoming items.
    let loop: EventLoop
    private let write: @Sendable () -> Void
    private var timer: LoopTimer?
    /// When the last batch was written, in nanoseconds of the monotonic clock.
    private var last = Int64.min / 2
    /// When the present batch must be written, by the same clock.
    private var latest = Int64.max
    /// Whether the last batch caused a wake-up because no item arrived in time.
    private var wokeForBatch = false

    /// Creates a pacer without a batch.
    ///
    /// - Parameters:
    ///   - loop: The loop of incoming items.
    ///   - write: Called on the loop's thread when a batch is due; it must not block.
    init(on loop: EventLoop, write: @escaping @Sendable () -> Void) {
        (self.loop, self.write) = (loop, write)
    }

    /// Begins a batch with its first item.
    ///
    /// - Parameter lastCount: The number of items in the last batch.
    func begin(after lastCount: Int) {
        loop.checkIsolated()
        if timer != nil { return }
        let passed = Duration.nanoseconds(Timestamp.monotonicNow().subtractingSaturated(last))
        // If values at fixed times always fell between the ends of batches, this moves the end to one of them.
        guard !wokeForBatch, let delay = Self.delay(sinceLast: passed, lastCount: lastCount) else { return end() }
        latest = Timestamp.monotonicNow() + delay.most.nanoseconds
        timer = loop.schedule(after: delay.least, tolerance: delay.most - delay.least) { [weak self] in self?.end() }
    }

    /// Writes the present batch at once for an alarm, or else as soon as the last one is ``alarmLimit`` ago.
    func hasten() {
        loop.checkIsolated()
        if let timer { loop.cancel(timer) }
        timer = nil
        let passed = Duration.nanoseconds(Timestamp.monotonicNow().subtractingSaturated(last))
        guard passed < Self.alarmLimit else { return end() }
        latest = .max
        timer = loop.schedule(after: Self.alarmLimit - passed) { [weak self] in self?.end() }
    }

    /// The least and the greatest delay of a batch; `nil` to write it at once.
    ///
    /// - Parameters:
    ///   - passed: The time since the last batch was written.
    ///   - lastCount: Its number of items.
    static func delay(sinceLast passed: Duration, lastCount: Int) -> (least: Duration, most: Duration)? {
        // After a quiet time the thread is awake anyway; the next item may be further away than the promised second.
        if passed >= limit { return nil }
        // Twice the interval between items, within which another one is likely to arrive.
        return (limit - min(longestWindow, .seconds(2) / max(lastCount, 1)), limit)
    }

    private func end() {
        last = Timestamp.monotonicNow()
        wokeForBatch = timer != nil && last >= latest
        timer = nil
        write()
    }
}
