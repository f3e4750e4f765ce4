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
        Iterator(base: values.notifications.makeAsyncIterator(), values: values, lease: lease)
    }

    /// Gives one notification after another.
    public struct Iterator: AsyncIteratorProtocol {
        var base: BroadcastSequence<Notification>.Iterator
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
    let notifications: BroadcastSequence<Notification>
    private let broadcast = Broadcast<Notification>()
    private let reason = Mutex<NotificationsEndedError.Reason?>(nil)

    /// - Parameter limit: The most unread notifications, at least 1.
    init(keeping limit: Int) {
        notifications = broadcast.subscribe(keeping: limit)
    }

    var droppedCount: Int { notifications.droppedCount }

    /// Why no more can come; `nil` while more can.
    var end: NotificationsEndedError.Reason? { reason.withLock { $0 } }

    func send(_ notification: Notification) { broadcast.send(notification) }

    /// Ends the sequence after its unread notifications.
    func finish(_ reason: NotificationsEndedError.Reason?) {
        self.reason.withLock { $0 = $0 ?? reason }
        broadcast.finish()
    }
}
