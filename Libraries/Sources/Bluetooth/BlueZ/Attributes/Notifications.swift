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

/// The readers of single characteristics, and the notify sessions that exist only for them.
struct NotificationReaders {
    /// The readers of one characteristic.
    private struct Group {
        let reference: CharacteristicReference
        let broadcast = Broadcast<StreamElement>()
        /// How many readers there are.
        var count = 0
        /// Whether the notify session exists only for the readers and ends with them.
        var ownsSession: Bool
        /// Distinguishes these readers from later ones of the same characteristic.
        let serial: UInt64
    }

    private var groups: [String: Group] = [:]
    private var lastSerial: UInt64 = 0

    var isEmpty: Bool { groups.isEmpty }

    /// Adds a reader; returns its values, and the number to leave with.
    ///
    /// - Parameter hasSession: Whether there is a notify session already; the caller who started it must end it.
    mutating func join(
        _ reference: CharacteristicReference, hasSession: Bool
    ) -> (values: BroadcastSequence<StreamElement>, serial: UInt64) {
        let key = reference.path.description
        if groups[key] == nil { lastSerial += 1 }
        var group = groups[key] ?? Group(reference: reference, ownsSession: !hasSession, serial: lastSerial)
        group.count += 1
        groups[key] = group
        return (group.broadcast.subscribe(), group.serial)
    }

    /// Removes a reader; returns whether it was the last one that the notify session existed for.
    mutating func leave(_ reference: CharacteristicReference, serial: UInt64) -> Bool {
        let key = reference.path.description
        guard var group = groups[key], group.serial == serial else { return false }
        group.count -= 1
        groups[key] = group.count > 0 ? group : nil
        return group.count == 0 && group.ownsSession
    }

    /// Leaves a notify session to the caller who started it: the readers no longer end it.
    mutating func giveUpSession(of reference: CharacteristicReference) {
        groups[reference.path.description]?.ownsSession = false
    }

    /// Passes an event to its readers; returns the notify sessions that are no longer needed.
    mutating func handle(_ kind: BlueZEvent.Kind, at timestamp: Timestamp) -> [CharacteristicReference] {
        if case .notification(let reference, let octets) = kind {
            groups[reference.path.description]?.broadcast.send(
                .value(Notification(octets: octets, timestamp: timestamp)))
            return []
        }
        let unneeded = end { kind.endOfNotifications(of: $0) }
        // Quirk session-outlives-link: unwanted values would come again with the next link. The sessions of a daemon end
        // with it.
        if case .disconnected = kind { return unneeded }
        return []
    }

    /// Ends the sequences of the readers for whom there is a reason; returns the notify sessions that existed only for them.
    @discardableResult
    mutating func end(
        _ reason: (CharacteristicReference) -> NotificationsEndedError.Reason?
    ) -> [CharacteristicReference] {
        var unneeded: [CharacteristicReference] = []
        for (key, group) in groups {
            guard let reason = reason(group.reference) else { continue }
            groups[key] = nil
            group.broadcast.send(.ended(reason))
            group.broadcast.finish()
            if group.ownsSession { unneeded.append(group.reference) }
        }
        return unneeded
    }
}

extension BlueZEvent.Kind {
    /// Why the notifications of a characteristic end with this event; `nil` when they go on.
    func endOfNotifications(of characteristic: CharacteristicReference) -> NotificationsEndedError.Reason? {
        switch self {
        case .disconnected(let peripheral): characteristic.path.isBelow(peripheral.path) ? .linkLost : nil
        case .daemon(.gone), .daemon(.unusable): .daemonGone
        case .bus(.lost), .bus(.foreign): .busLost
        case .daemon(.running), .daemon(.silent), .daemon(.refused), .bus(.connected), .bus(.silent), .adapter,
            .peripheral, .connected, .servicesResolved, .servicesChanged, .notification:
            nil
        }
    }
}
