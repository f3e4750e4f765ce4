import EventLoops
import Monitoring
import Synchronization

/// Reports how the store is, each change once, also while the thread that writes it waits for the disk.
///
/// A thread that waits for a disk cannot say so. So whatever touches the disk says when it begins and when it is back, and
/// another thread looks after a while whether it is. Nothing is looked at while nothing is written.
final class StorageReporter: Sendable {
    /// What is reported of a disk that does not answer.
    static let stalled = StorageState.failed(reason: "the disk does not answer")

    private struct State {
        /// What is known of the store, but for whether the disk answers.
        var known = StorageState.working
        var isStalled = false
        var reported = StorageState.working
        /// When what touches the disk now began; `nil` when nothing does.
        var began: Int64?
        var isWatched = false
    }

    private let state = Mutex(State())
    private let loop: EventLoop?
    private let limit: Duration
    private let onState: @Sendable (StorageState) -> Void

    /// Makes a reporter of a store that works.
    ///
    /// - Parameters:
    ///   - loop: A loop whose thread never waits for the disk; `nil` when nobody is to look.
    ///   - limit: How long the disk may take.
    ///   - onState: Called with each change, on the thread that noticed it.
    init(on loop: EventLoop?, limit: Duration, _ onState: @escaping @Sendable (StorageState) -> Void) {
        (self.loop, self.limit, self.onState) = (loop, limit, onState)
    }

    /// What was reported last.
    var reported: StorageState { state.withLock { $0.reported } }

    /// Reports what is known of the store.
    func report(_ known: StorageState) {
        change { $0.known = known }
    }

    /// Does something that may wait for the disk.
    func onDisk<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let now = Timestamp.monotonicNow()
        let mustWatch = state.withLock { state in
            state.began = now
            defer { state.isWatched = true }
            return !state.isWatched
        }
        if mustWatch { watch(after: limit) }
        defer {
            change {
                $0.began = nil
                $0.isStalled = false
            }
        }
        return try body()
    }

    private func watch(after delay: Duration) {
        guard let loop else { return }
        Task(executorPreference: loop) { [weak self] in
            _ = loop.schedule(after: delay) { self?.look() }
        }
    }

    private func look() {
        let now = Timestamp.monotonicNow()
        var next: Duration?
        change { state in
            let passed = state.began.map { Duration.nanoseconds(now - $0) }
            state.isStalled = passed.map { $0 >= limit } ?? false
            // Whoever is late is looked at no more; its end is news enough.
            next = state.isStalled ? nil : passed.map { limit - $0 }
            state.isWatched = next != nil
        }
        if let next { watch(after: next) }
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
