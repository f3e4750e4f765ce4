import Synchronization

/// What waits for one reader of a ``Broadcast``.
final class BroadcastReader<Element: Sendable>: Sendable {
    private struct State {
        var queue: ElementQueue<Element>
        var waiting: CheckedContinuation<Element?, Never>?
        var isFinished = false
    }

    private let state: Mutex<State>

    init(_ initial: [Element]) {
        state = Mutex(State(queue: ElementQueue(initial)))
    }

    /// Takes the oldest element if there is one.
    func takeFirst() -> Element? {
        state.withLock { $0.queue.popFirst() }
    }

    /// Resumes a continuation with the next element, or with `nil` at the end.
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

    func append(_ element: Element, _ supersession: Supersession) {
        let waiting = state.withLock { state -> CheckedContinuation<Element?, Never>? in
            if state.isFinished { return nil }
            if let waiting = state.waiting {
                state.waiting = nil
                return waiting
            }
            state.queue.append(element, supersession)
            return nil
        }
        waiting?.resume(returning: element)
    }

    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }
}

/// A queue in which a newer element may take an older one's place.
struct ElementQueue<Element> {
    private var elements: [Element?]
    /// How many of `elements` have been taken already.
    private var taken = 0
    /// How many elements have left the front of `elements` for good.
    private var base = 0
    /// Where, counted from the very first element, the replaceable element of a key waits.
    private var replaceable: [UInt64: Int] = [:]

    init(_ elements: [Element]) {
        self.elements = elements
    }

    mutating func append(_ element: Element, _ supersession: Supersession) {
        switch supersession {
        case .none:
            break
        case .separates(let key):
            if !replaceable.isEmpty { replaceable[key] = nil }
        case .replaces(let key):
            if let position = replaceable[key], position >= base + taken {
                elements[position - base] = element
                return
            }
            replaceable[key] = base + elements.count
        }
        elements.append(element)
    }

    mutating func popFirst() -> Element? {
        guard taken < elements.count else { return nil }
        let element = elements[taken]
        elements[taken] = nil
        taken += 1
        if taken == elements.count {
            base += taken
            taken = 0
            elements.removeAll(keepingCapacity: elements.capacity <= 1024)
            if !replaceable.isEmpty { replaceable = [:] }
        } else if taken >= 1024, taken * 2 >= elements.count {
            base += taken
            elements.removeFirst(taken)
            taken = 0
        }
        return element
    }
}
