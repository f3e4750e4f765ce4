/// What waits for a reader of a ``Broadcast`` that takes all of it at once, whenever it likes.
///
/// For a reader on another thread, to whom being woken for each element would cost more than handling it.
/// Any thread may call it; the reader is forgotten when this object is gone.
public final class BroadcastInbox<Element: Sendable>: Sendable {
    @usableFromInline let subscription: BroadcastSubscription<Element>

    init(_ subscription: BroadcastSubscription<Element>) {
        self.subscription = subscription
    }

    /// Takes everything that waits, the oldest first; empty when nothing does.
    @inlinable
    public func drain() -> [Element] {
        subscription.reader.takeAll()
    }

    /// Has the next element wake the reader, which until then is taken to be awake.
    ///
    /// - Returns: `false` when an element waits already: the reader stays awake and should take it.
    @inlinable
    public func goToSleep() -> Bool {
        subscription.reader.goToSleep()
    }
}

extension BroadcastSequence {
    /// Lets elements wait to be taken all at once, in the place of iterating.
    ///
    /// - Parameter wake: Called on the thread that sends, at once if something waits already; after that it is called for
    ///   the first element after each ``BroadcastInbox/goToSleep()``, and for no other. It must not wait.
    public func collect(_ wake: @escaping @Sendable () -> Void) -> BroadcastInbox<Element> {
        subscription.reader.collect(wake)
        return BroadcastInbox(subscription)
    }
}
