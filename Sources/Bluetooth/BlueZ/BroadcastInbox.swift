/// The buffered elements of a reader that takes them all at once.
///
/// For a reader on another thread, when waking it for each element would cost more than handling it. Any thread may
/// call it; the reader ends with this object.
public final class BroadcastInbox<Element: Sendable>: Sendable {
    @usableFromInline let subscription: BroadcastSubscription<Element>

    init(_ subscription: BroadcastSubscription<Element>) {
        self.subscription = subscription
    }

    /// Removes and returns all waiting elements, the oldest first.
    @inlinable
    public func drain() -> [Element] {
        subscription.reader.takeAll()
    }

    /// Lets the next element wake the reader, which counts as awake until then.
    ///
    /// - Returns: `false` when an element already waits: the reader should take it.
    @inlinable
    public func goToSleep() -> Bool {
        subscription.reader.goToSleep()
    }
}

extension BroadcastSequence {
    /// Buffers elements to be taken all at once, instead of iterating.
    ///
    /// - Parameter wake: Called on the thread that sends, at once if something waits already; after that it is called for
    ///   the first element after each ``BroadcastInbox/goToSleep()``, and for no other. It must not wait.
    public func collect(_ wake: @escaping @Sendable () -> Void) -> BroadcastInbox<Element> {
        subscription.reader.collect(wake)
        return BroadcastInbox(subscription)
    }
}
