import Synchronization

/// A sequence of elements for many readers; each gets every element from when it subscribed.
///
/// A slow reader delays no other: its elements are buffered without a bound, except those that
/// ``init(supersessionKey:)`` or ``subscribe(startingWith:keeping:)`` allows to drop. A reader on the actor or loop that sends is resumed without a hop;
/// sending costs a system call only where a reader sleeps on another thread.
public final class Broadcast<Element: Sendable>: Sendable {
    @usableFromInline
    struct State {
        @usableFromInline var readers: [BroadcastReader<Element>] = []
        @usableFromInline var isFinished = false
    }

    // All code on an element's way is inlinable, so that a module that sends its own type pays nothing for generics.
    @usableFromInline let state = Mutex(State())
    @usableFromInline let supersessionKey: @Sendable (Element) -> UInt64?

    /// Creates a broadcast without readers.
    ///
    /// - Parameter supersessionKey: Returns the same key for elements if a reader needs only the newest unread
    ///   one, and `nil` for those that are never dropped; by default for all.
    public init(supersessionKey: @escaping @Sendable (Element) -> UInt64? = { _ in nil }) {
        self.supersessionKey = supersessionKey
    }

    deinit {
        finish()
    }

    /// Begins to read.
    ///
    /// - Parameters:
    ///   - initial: The first elements for this reader.
    ///   - limit: The most unread elements that are kept, at least 1; of more the oldest are dropped and counted
    ///     (``BroadcastSequence/droppedCount``). All are kept by default.
    public func subscribe(
        startingWith initial: [Element] = [], keeping limit: Int = .max
    ) -> BroadcastSequence<Element> {
        let reader = BroadcastReader(initial, keeping: max(1, limit))
        let isFinished = state.withLock { state in
            if !state.isFinished { state.readers.append(reader) }
            return state.isFinished
        }
        if isFinished { reader.finish() }
        return BroadcastSequence(subscription: BroadcastSubscription(reader: reader, broadcast: self))
    }

    /// Gives an element to every reader.
    @inlinable
    public func send(_ element: Element) {
        let readers = state.withLock { $0.readers }
        for reader in readers { reader.append(element, supersessionKey: supersessionKey) }
    }

    /// Ends every reader's sequence after its unread elements; later readers end at once.
    public func finish() {
        let readers = state.withLock { state in
            state.isFinished = true
            defer { state.readers = [] }
            return state.readers
        }
        for reader in readers { reader.finish() }
    }

    /// How many readers there are.
    public var readerCount: Int { state.withLock { $0.readers.count } }

    func unsubscribe(_ reader: BroadcastReader<Element>) {
        state.withLock { $0.readers.removeAll { $0 === reader } }
        reader.finish()
    }
}

/// The elements of a ``Broadcast`` for one reader, to be iterated once.
///
/// The reader is forgotten when this value and its iterator are gone, or when its task is cancelled.
public struct BroadcastSequence<Element: Sendable>: AsyncSequence, Sendable {
    @usableFromInline let subscription: BroadcastSubscription<Element>

    /// How many elements were dropped until now, because the reader was too slow for its limit.
    public var droppedCount: Int { subscription.reader.droppedCount }

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: subscription)
    }

    /// Gives one element after another.
    public struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let subscription: BroadcastSubscription<Element>

        @usableFromInline
        init(subscription: BroadcastSubscription<Element>) {
            self.subscription = subscription
        }

        /// The next element, as soon as there is one; `nil` at the end or when the task is cancelled.
        @inlinable
        public mutating func next(isolation: isolated (any Actor)? = #isolation) async -> Element? {
            if let element = subscription.reader.takeFirst() { return element }
            let reader = subscription.reader
            return await withTaskCancellationHandler(
                operation: {
                    await withCheckedContinuation(isolation: isolation) { reader.wait($0) }
                },
                onCancel: { reader.finish() },
                isolation: isolation)
        }
    }
}

extension BroadcastSequence {
    /// Delivers every element to an actor at once, within the sending call, instead of iterating.
    ///
    /// For an actor that runs on the thread that sends: nothing is queued, no task is resumed. Buffered elements are
    /// delivered first, before this returns.
    ///
    /// - Parameters:
    ///   - receiver: An actor whose executor is `loop`.
    ///   - loop: The loop on whose thread elements are sent; the program traps when they are sent on another thread.
    ///   - handler: Called with every element; it must not send to the same broadcast.
    /// - Returns: A token that ends the delivery when it is released.
    public func deliver<Receiver: Actor>(
        to receiver: isolated Receiver, on loop: EventLoop,
        _ handler: @escaping @Sendable (isolated Receiver, Element) -> Void
    ) -> BroadcastDelivery {
        let handle = loop.handler(handler)
        subscription.reader.deliver { [weak receiver] element in
            if let receiver { handle(receiver, element) }
        }
        return BroadcastDelivery(subscription)
    }
}

extension BroadcastSequence {
    /// Hands every element to a handler at once, within the call that sends it and on the thread that sends.
    ///
    /// For a receiver that only stores elements: it must be safe on any thread and must never wait. Buffered elements
    /// come first, before this returns.
    ///
    /// - Parameter handler: Called with every element; it must not send to the same broadcast.
    /// - Returns: A token that ends the delivery when it is released.
    public func deliver(_ handler: @escaping @Sendable (Element) -> Void) -> BroadcastDelivery {
        subscription.reader.deliver(to: handler)
        return BroadcastDelivery(subscription)
    }
}

/// A delivery that ends with this object (``BroadcastSequence/deliver(to:on:_:)``).
public final class BroadcastDelivery: Sendable {
    private let subscription: any Sendable

    init(_ subscription: any Sendable) {
        self.subscription = subscription
    }
}

/// Ends a reader when it is released.
@usableFromInline
final class BroadcastSubscription<Element: Sendable>: Sendable {
    @usableFromInline let reader: BroadcastReader<Element>
    private let broadcast: Broadcast<Element>

    init(reader: BroadcastReader<Element>, broadcast: Broadcast<Element>) {
        self.reader = reader
        self.broadcast = broadcast
    }

    deinit {
        broadcast.unsubscribe(reader)
    }
}
