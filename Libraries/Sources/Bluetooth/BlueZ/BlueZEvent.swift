import EventLoops

/// Something that happened on the bus, in the daemon, at an adapter or at a peripheral.
public struct BlueZEvent: Hashable, Sendable {
    /// When it was taken from the bus.
    public let timestamp: Timestamp
    /// What happened.
    public let kind: Kind

    /// Makes an event, for tests and for readers of recorded events.
    public init(timestamp: Timestamp, kind: Kind) {
        self.timestamp = timestamp
        self.kind = kind
    }

    /// The kinds of events.
    public enum Kind: Hashable, Sendable {
        /// The message bus was reached or lost.
        ///
        /// A loss is followed by ``disconnected(_:)`` and the removal of everything that was there.
        case bus(BusState)
        /// The daemon started or stopped; when it stops, everything is removed as with a lost bus.
        case daemon(DaemonState)
        /// An adapter was added, changed or removed.
        indirect case adapter(ObjectChange, Adapter)
        /// A peripheral was added, changed or removed; with its state after the change, or its last state.
        indirect case peripheral(PeripheralChange, Peripheral)
        /// A peripheral is connected now, or was when it was added.
        ///
        /// This is not yet success: a link that cannot be established ends after some 0.2 s.
        indirect case connected(Peripheral)
        /// A peripheral's link has ended; always between ``connected(_:)`` and the removal.
        indirect case disconnected(Peripheral)
        /// The services of a connected peripheral can be used from now on; once per connection.
        indirect case servicesResolved(Peripheral)
        /// The services of a connected peripheral changed; notify sessions on removed characteristics have ended.
        ///
        /// Sent for each added or removed service and characteristic, usually several in a row.
        indirect case servicesChanged(Peripheral)
        /// A notification or indication of a characteristic that ``BluetoothCentral/startNotify(_:timeout:)`` was
        /// called for.
        case notification(CharacteristicReference, [UInt8])
    }
}

/// What happened to an object.
public enum ObjectChange: Hashable, Sendable {
    case added, changed, removed
}

/// What happened to a peripheral.
public enum PeripheralChange: Hashable, Sendable {
    /// It was added to BlueZ's list.
    case added
    /// A lasting property changed, such as its name or connection.
    case changed
    /// An advertisement was received, with or without new data.
    ///
    /// For a reader that lags behind, only the newest one stays.
    case advertised
    /// It was removed from BlueZ's list.
    case removed
    /// Its address changed to this one, with which it is added next: a private address was resolved.
    case readdressed(to: BluetoothAddress)
}

extension BlueZEvent {
    /// The same key for all advertisements of one peripheral; `nil` for all other events.
    var supersessionKey: UInt64? {
        guard case .peripheral(.advertised, let peripheral) = kind else { return nil }
        // If two paths have the same hash, a slow reader loses an advertisement, and nothing else.
        return UInt64(truncatingIfNeeded: Int64(peripheral.path.hashValue))
    }
}
