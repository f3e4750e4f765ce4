import EventLoops

/// A value that a characteristic notified or indicated.
public struct Notification: Hashable, Sendable {
    /// The octets.
    public let octets: [UInt8]
    /// When it was taken from the bus.
    public let timestamp: Timestamp

    /// Makes a value, for tests.
    public init(octets: [UInt8], timestamp: Timestamp) {
        self.octets = octets
        self.timestamp = timestamp
    }
}

/// Why no more notifications of a characteristic can come.
public struct NotificationsEndedError: Error, Hashable, Sendable, CustomStringConvertible {
    public let reason: Reason

    /// The reasons.
    public enum Reason: Hashable, Sendable {
        /// The link to the peripheral ended, by itself or by a disconnect.
        case linkLost
        /// The characteristic disappeared: the peripheral was removed, or its services changed.
        case characteristicGone
        /// The Bluetooth daemon stopped.
        case daemonGone
        /// The message bus was lost.
        case busLost
        /// The caller ended the session with ``BluetoothCentral/stopNotify(_:timeout:)``.
        case stopped
    }

    /// What happened and what to do, as a sentence for users.
    public var description: String {
        switch reason {
        case .linkLost: "The link to the peripheral was lost; connect again and subscribe anew."
        case .characteristicGone: "The peripheral's services have changed; look for the characteristic again."
        case .daemonGone: "The Bluetooth daemon has gone; wait until it runs again, connect and subscribe anew."
        case .busLost: "The message bus was lost; wait until it is back, connect and subscribe anew."
        case .stopped: "The notifications were stopped."
        }
    }
}

/// The notifications of one characteristic for one reader, to be iterated once (``BluetoothCentral/notifications(of:timeout:)``).
///
/// The iteration throws ``NotificationsEndedError`` when no more can come, and ends without an error when its task is
/// cancelled. With the last reader's sequence the notify session ends, too.
public struct NotificationSequence: AsyncSequence, Sendable {
    let elements: BroadcastSequence<StreamElement>
    let lease: NotificationLease

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(base: elements.makeAsyncIterator(), lease: lease)
    }

    /// Gives one notification after another.
    public struct Iterator: AsyncIteratorProtocol {
        var base: BroadcastSequence<StreamElement>.Iterator
        let lease: NotificationLease

        /// The next notification, as soon as there is one; `nil` when the task is cancelled.
        ///
        /// - Throws: ``NotificationsEndedError``.
        public mutating func next(
            isolation: isolated (any Actor)? = #isolation
        ) async throws(NotificationsEndedError) -> Notification? {
            switch await base.next(isolation: isolation) {
            case .value(let notification): return notification
            case .ended(let reason): throw NotificationsEndedError(reason: reason)
            case nil: return nil
            }
        }
    }
}

/// An element of a reader's sequence.
enum StreamElement: Hashable, Sendable {
    case value(Notification)
    case ended(NotificationsEndedError.Reason)
}

/// Reports when a reader of a characteristic has gone.
final class NotificationLease: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    deinit {
        end()
    }
}
