import Synchronization

/// What waits for one reader of a ``Broadcast``.
@usableFromInline
final class BroadcastReader<Element: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var queue: ElementQueue<Element>
        @usableFromInline var waiting: CheckedContinuation<Element?, Never>?
        @usableFromInline var isFinished = false
    }

    @usableFromInline let state: Mutex<State>

    init(_ initial: [Element]) {
        state = Mutex(State(queue: ElementQueue(initial)))
    }

    /// Takes the oldest element if there is one.
    @inlinable
    func takeFirst() -> Element? {
        state.withLock { $0.queue.popFirst() }
    }

    /// Resumes a continuation with the next element, or with `nil` at the end.
    @inlinable
    func wait(_ continuation: CheckedContinuation<Element?, Never>) {
        let (element, isAnswered) = state.withLock { state -> (Element?, Bool) in
            if let element = state.queue.popFirst() { return (element, true) }
            // A sequence has one iterating task; a second one ends at once rather than leaving the first for ever.
            if state.isFinished || state.waiting != nil { return (nil, true) }
            state.waiting = continuation
            return (nil, false)
        }
        if isAnswered { continuation.resume(returning: element) }
    }

    @inlinable
    func append(_ element: Element, supersessionKey: UInt64?) {
        let waiting = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            if state.isFinished { return nil }
            if let waiting = state.waiting {
                state.waiting = nil
                return waiting
            }
            state.queue.append(element, supersessionKey: supersessionKey)
            return nil
        }
        waiting?.resume(returning: element)
    }

    @usableFromInline
    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }
}
