import EventLoops
import Monitoring
import Synchronization

/// Reports each change of the store's state once, even while the writing thread waits for the disk.
///
/// A thread that waits for a disk cannot report. So every disk access records its beginning and its end, and another
/// thread checks after a while whether it has ended. Without disk accesses nothing is checked, and a check causes no
/// additional wake-up.
final class StorageReporter: Sendable {
    static let stalled = StorageState.failed(reason: "the disk does not answer")

    private struct State {
        /// The state of the store apart from a stalled disk.
        var known = StorageState.working
        var isStalled = false
        var reported = StorageState.working
        /// When the present disk access began; `nil` without one.
        var began: Int64?
        var isWatched = false
        /// Whether the disk was touched since the last look.
        var isInUse = false
    }

    private let state = Mutex(State())
    private let loop: EventLoop?
    private let limit: Duration
    private let onState: @Sendable (StorageState) -> Void

    /// Creates a reporter for a working store.
    ///
    /// - Parameters:
    ///   - loop: A loop whose thread never waits for the disk; `nil` for no check.
    ///   - limit: The time limit of a disk access.
    ///   - onState: Called with each change, on the thread that detected it.
    init(on loop: EventLoop?, limit: Duration, _ onState: @escaping @Sendable (StorageState) -> Void) {
        (self.loop, self.limit, self.onState) = (loop, limit, onState)
    }

    /// The last reported state.
    var reported: StorageState { state.withLock { $0.reported } }

    /// Reports a state of the store.
    func report(_ known: StorageState) {
        change { $0.known = known }
    }

    /// Runs a closure that may wait for the disk.
    func onDisk<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let now = Timestamp.monotonicNow()
        let mustWatch = state.withLock { state in
            state.began = now
            state.isInUse = true
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if mustWatch, let loop {
            Task(executorPreference: loop) { self.look(after: self.limit) }
        }
        defer {
            change {
                $0.began = nil
                $0.isStalled = false
            }
        }
        return try body()
    }

    /// Checks once after a delay; called on the thread of the loop that never waits for the disk.
    private func look(after delay: Duration) {
        _ = loop?.schedule(after: delay, tolerance: limit / 5) { [weak self] in self?.look() }
    }

    private func look() {
        let now = Timestamp.monotonicNow()
        var next: Duration?
        change { state in
            let passed = state.began.map { Duration.nanoseconds(now - $0) }
            state.isStalled = passed.map { $0 >= limit } ?? false
            // A late disk is not checked again; its answer is the next report.
            next = state.isStalled ? nil : passed.map { limit - $0 } ?? (state.isInUse ? limit : nil)
            state.isInUse = false
            state.isWatched = next != nil
        }
        if let next { look(after: next) }
    }

    private func change(_ body: (inout State) -> Void) {
        let news = state.withLock { state -> StorageState? in
            body(&state)
            let present = state.isStalled ? Self.stalled : state.known
            defer { state.reported = present }
            return present == state.reported ? nil : present
        }
        if let news { onState(news) }
    }
}
