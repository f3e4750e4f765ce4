import EventLoops
import Synchronization

/// The notifications of an acquired characteristic for one reader, to be iterated once
/// (``BluetoothCentral/acquireNotify(_:keeping:timeout:)``).
///
/// The iteration throws ``NotificationsEndedError`` when no more can come, and ends without an error when its task is
/// cancelled. With this sequence and its iterator the characteristic is released.
public struct AcquiredNotifications: AsyncSequence, Sendable {
    /// The ATT MTU of the link in octets; a notification has at most 3 octets less.
    public let transferUnit: Int

    let values: AcquiredValues
    let lease: NotificationLease

    /// How many notifications this program has dropped until now, because its reader was too slow.
    ///
    /// What the daemon drops is not counted.
    public var droppedCount: Int { values.droppedCount }

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: values.stream.makeAsyncIterator(), values: values, lease: lease)
    }

    /// Gives one notification after another.
    public struct Iterator: AsyncIteratorProtocol {
        var base: AsyncStream<Notification>.Iterator
        let values: AcquiredValues
        let lease: NotificationLease

        /// The next notification, as soon as there is one; `nil` when the task is cancelled.
        ///
        /// - Throws: ``NotificationsEndedError``.
        public mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async throws(NotificationsEndedError) -> Notification? {
            if let notification = await base.next(isolation: isolation) { return notification }
            if let reason = values.end, !Task.isCancelled { throw NotificationsEndedError(reason: reason) }
            return nil
        }
    }
}

/// The unread notifications of an acquired characteristic; of too many the oldest are dropped and counted.
final class AcquiredValues: Sendable {
    let stream: AsyncStream<Notification>
    private let continuation: AsyncStream<Notification>.Continuation
    private let state = Mutex(State())

    private struct State {
        var droppedCount = 0
        var end: NotificationsEndedError.Reason?
    }

    /// - Parameter limit: The most unread notifications, at least 1.
    init(keeping limit: Int) {
        (stream, continuation) = AsyncStream<Notification>.makeStream(bufferingPolicy: .bufferingNewest(max(1, limit)))
    }

    var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Why no more can come; `nil` while more can.
    var end: NotificationsEndedError.Reason? { state.withLock { $0.end } }

    func send(_ notification: Notification) {
        if case .dropped = continuation.yield(notification) { state.withLock { $0.droppedCount += 1 } }
    }

    /// Ends the sequence after its unread notifications.
    func finish(_ reason: NotificationsEndedError.Reason?) {
        state.withLock { $0.end = $0.end ?? reason }
        continuation.finish()
    }
}
