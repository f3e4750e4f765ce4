import EventLoops

/// The single timer that wakes a reader of the state when time alone changes it (`MonitorState.nextDeadline`).
///
/// It belongs to a loop's thread.
final class DeadlineTimer {
    private let loop: EventLoop
    private let fired: () -> Void
    private var planned: Int64?
    private var timer: LoopTimer?

    init(on loop: EventLoop, _ fired: @escaping () -> Void) {
        self.loop = loop
        self.fired = fired
    }

    /// Waits for a monotonic time in nanoseconds, replacing the previous one; `nil` or `Int64.max` for none.
    func plan(at next: Int64?) {
        if next == planned { return }
        planned = next
        guard let next, next != .max else { return cancel() }
        if let timer, loop.move(timer, to: next) { return }
        timer = loop.schedule(at: next) { [weak self] in
            self?.planned = nil
            self?.timer = nil
            self?.fired()
        }
    }

    /// Cancels the wait.
    func cancel() {
        if let timer { loop.cancel(timer) }
        timer = nil
        planned = nil
    }
}
