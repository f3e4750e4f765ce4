import Synchronization

extension EventLoop {
    /// Runs work on this loop and waits for its result within a limit; longer work is abandoned.
    ///
    /// The limit holds even when this loop's thread hangs in a call of the system.
    ///
    /// - Returns: The result; `nil` when the limit passed first.
    public func result<Value: Sendable>(
        within limit: Duration, _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let waiting = WaitingForResult<Value>()
        // The time limit has a separate thread, because this loop's and the caller's may be blocked.
        let clock = EventLoop()
        clock.startThread(named: "time limit")
        Task(executorPreference: clock) {
            _ = clock.schedule(after: limit) { waiting.finish(nil) }
        }
        Task(executorPreference: self) { waiting.finish(await work()) }
        let value = await withCheckedContinuation { waiting.begin($0) }
        clock.stop()
        return value
    }
}

/// The caller that waits in `result(within:_:)`, until the first answer.
private final class WaitingForResult<Value: Sendable>: Sendable {
    private struct State {
        var continuation: CheckedContinuation<Value?, Never>?
        /// An answer that came before the wait.
        var early: Value??
        var isOver = false
    }

    private let state = Mutex(State())

    func begin(_ continuation: CheckedContinuation<Value?, Never>) {
        let early = state.withLock { state in
            if state.early == nil { state.continuation = continuation }
            return state.early
        }
        if let early { continuation.resume(returning: early) }
    }

    func finish(_ value: Value?) {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            if !state.isOver, state.continuation == nil { state.early = .some(value) }
            state.isOver = true
            return state.continuation
        }
        continuation?.resume(returning: value)
    }
}
