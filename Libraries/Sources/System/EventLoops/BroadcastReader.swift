import Synchronization

/// The unread elements of one reader of a ``Broadcast``.
@usableFromInline
final class BroadcastReader<Element: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var queue: ElementQueue<Element>
        @usableFromInline var waiting: CheckedContinuation<Element?, Never>?
        /// The receiver that handles elements at once, without the queue.
        @usableFromInline var handler: (@Sendable (Element) -> Void)?
        @usableFromInline var isFinished = false
        /// How many elements the limit has dropped.
        @usableFromInline var droppedCount = 0
    }

    @usableFromInline let state: Mutex<State>
    /// The most unread elements.
    @usableFromInline let limit: Int

    init(_ initial: [Element], keeping limit: Int) {
        state = Mutex(State(queue: ElementQueue(initial)))
        self.limit = limit
    }

    var droppedCount: Int { state.withLock { $0.droppedCount } }

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
            // A sequence has one iterating task; a second one ends at once instead of leaving the first waiting for
            // ever.
            if state.isFinished || state.waiting != nil { return (nil, true) }
            state.waiting = continuation
            return (nil, false)
        }
        if isAnswered { continuation.resume(returning: element) }
    }

    /// Passes the elements to a handler from now on, beginning with those that wait.
    func deliver(to handler: @escaping @Sendable (Element) -> Void) {
        while let element = takeFirstOrInstall(handler) { handler(element) }
    }

    private func takeFirstOrInstall(_ handler: @escaping @Sendable (Element) -> Void) -> Element? {
        state.withLock { state in
            if let element = state.queue.popFirst() { return element }
            if !state.isFinished { state.handler = handler }
            return nil
        }
    }

    /// The action for an element after the lock is released.
    @usableFromInline
    enum Receiver {
        case queue
        case waiting(CheckedContinuation<Element?, Never>)
        case handler(@Sendable (Element) -> Void)
    }

    @inlinable
    func append(_ element: Element, supersessionKey: @Sendable (Element) -> UInt64?) {
        let receiver = state.withLock { state -> Receiver in
            if let handler = state.handler { return .handler(handler) }
            if state.isFinished { return .queue }
            if let waiting = state.waiting {
                state.waiting = nil
                return .waiting(waiting)
            }
            state.queue.append(element, supersessionKey: supersessionKey(element))
            if state.queue.count > limit {
                _ = state.queue.popFirst()
                state.droppedCount += 1
            }
            return .queue
        }
        switch receiver {
        case .queue: break
        case .waiting(let continuation): continuation.resume(returning: element)
        case .handler(let handler): handler(element)
        }
    }

    @usableFromInline
    func finish() {
        let waiting = state.withLock { state in
            state.isFinished = true
            state.handler = nil
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(returning: nil)
    }
}

/// A queue in which a newer element may drop an older one that still waits.
@usableFromInline
struct ElementQueue<Element> {
    /// The elements, `nil` where one was removed or dropped.
    @usableFromInline var elements: [Element?]
    /// The index of the oldest element.
    @usableFromInline var front = 0
    /// How many elements have been dropped behind `front`.
    @usableFromInline var dropped = 0
    /// The index of the waiting element of a key.
    @usableFromInline var positions: [UInt64: Int] = [:]

    init(_ elements: [Element]) {
        self.elements = elements
    }

    /// Adds an element; one with the same key that still waits is dropped.
    @inlinable
    mutating func append(_ element: Element, supersessionKey: UInt64?) {
        if let supersessionKey {
            // The first element has been removed, and another may follow.
            if let position = positions[supersessionKey], position >= front {
                elements[position] = nil
                dropped += 1
                if dropped >= 64, dropped > (elements.count - front) / 2 { compact() }
            }
            positions[supersessionKey] = elements.count
        }
        elements.append(element)
    }

    /// Removes the oldest element; `nil` when there is none.
    @inlinable
    mutating func popFirst() -> Element? {
        while front < elements.count {
            let element = elements[front]
            elements[front] = nil
            front += 1
            if front == elements.count {
                clear()
            } else if front >= 1024, front > elements.count / 2 {
                compact()
            }
            if let element { return element }
            dropped -= dropped > 0 ? 1 : 0
        }
        return nil
    }

    /// How many elements wait.
    @inlinable
    var count: Int { elements.count - front - dropped }

    /// Whether nothing waits.
    @inlinable
    var isEmpty: Bool { count == 0 }

    /// How many places are in use, dropped ones included.
    var capacityInUse: Int { elements.count }

    @inlinable
    mutating func clear() {
        elements.removeAll(keepingCapacity: elements.capacity <= 1024)
        positions.removeAll()
        front = 0
        dropped = 0
    }

    @usableFromInline
    mutating func compact() {
        var kept: [Element?] = []
        var moved: [Int: Int] = [:]
        for index in front..<elements.count {
            guard let element = elements[index] else { continue }
            moved[index] = kept.count
            kept.append(element)
        }
        positions = positions.compactMapValues { moved[$0] }
        elements = kept
        front = 0
        dropped = 0
    }
}
