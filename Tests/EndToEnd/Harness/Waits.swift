import EventLoops

/// The waits of one actor for conditions on its state, each with a limit.
///
/// There is no polling: code that changes the state calls ``settle(_:)``.
struct Waits<State: Sendable> {
    private struct Wait {
        var identifier: Int
        var condition: (State) -> Bool
        var continuation: CheckedContinuation<State?, Never>
        var timer: LoopTimer
    }

    private let loop: EventLoop
    private var waits: [Wait] = []
    private var lastIdentifier = 0

    init(on loop: EventLoop) {
        self.loop = loop
    }

    /// Whether there are no waits.
    var isEmpty: Bool { waits.isEmpty }

    /// Adds a wait.
    ///
    /// - Parameters:
    ///   - limit: After this time the continuation gets `nil`; before, the state that has met the condition, which may
    ///     have changed again when the waiting code continues.
    ///   - expired: Called then with the wait's number, to be handed to ``giveUp(_:)``.
    mutating func add(
        limit: Duration, condition: @escaping (State) -> Bool, continuation: CheckedContinuation<State?, Never>,
        expired: @escaping (Int) -> Void
    ) {
        lastIdentifier += 1
        let identifier = lastIdentifier
        let timer = loop.schedule(after: limit) { expired(identifier) }
        waits.append(
            Wait(identifier: identifier, condition: condition, continuation: continuation, timer: timer))
    }

    /// Ends every wait whose condition is met.
    mutating func settle(_ state: @autoclosure () -> State) {
        if waits.isEmpty { return }
        let state = state()
        let met = waits.filter { $0.condition(state) }
        waits.removeAll { wait in met.contains { $0.identifier == wait.identifier } }
        for wait in met {
            loop.cancel(wait.timer)
            wait.continuation.resume(returning: state)
        }
    }

    /// Ends a wait whose time is up.
    mutating func giveUp(_ identifier: Int) {
        guard let index = waits.firstIndex(where: { $0.identifier == identifier }) else { return }
        waits.remove(at: index).continuation.resume(returning: nil)
    }
}
