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

    /// What can happen.
    public enum Kind: Hashable, Sendable {
        /// The message bus was reached or lost.
        ///
        /// A loss is followed by ``disconnected(_:)`` and the removal of everything that was there.
        case bus(BusState)
        /// The daemon came or went; after it has gone, everything is removed as with a lost bus.
        case daemon(DaemonState)
        /// An adapter came, changed or went.
        indirect case adapter(ObjectChange, Adapter)
        /// A peripheral came, changed or went; with its state after the change, or the last one.
        indirect case peripheral(PeripheralChange, Peripheral)
        /// A peripheral has a link now; also when it had one already as it was added.
        ///
        /// This is not yet success: a link that cannot be established ends some 0.2 s later.
        indirect case connected(Peripheral)
        /// A peripheral has its link no more; always comes between ``connected(_:)`` and the removal.
        indirect case disconnected(Peripheral)
        /// The services of a connected peripheral can be used from now on, once for every connection.
        indirect case servicesResolved(Peripheral)
        /// The services of a connected peripheral changed; notify sessions on removed characteristics are gone.
        ///
        /// Sent for each service and characteristic that came or went, mostly several in a row.
        indirect case servicesChanged(Peripheral)
        /// A characteristic that we called ``BluetoothCentral/startNotify(_:timeout:)`` on notified or indicated these octets.
        case notification(CharacteristicReference, [UInt8])
    }
}

/// What happened to an object.
public enum ObjectChange: Hashable, Sendable {
    /// It came, its state changed, or it went.
    case added, changed, removed
}

/// What happened to a peripheral.
public enum PeripheralChange: Hashable, Sendable {
    /// It came into BlueZ's list.
    case added
    /// A lasting property changed, such as its name or connection.
    case changed
    /// It was heard: an advertisement came, whether or not it changed anything.
    ///
    /// For a reader that lags behind, several of these become one, the newest.
    case advertised
    /// It went from BlueZ's list.
    case removed
    /// It goes by another address from now on, under which it is added next: a private address was resolved.
    case readdressed(to: BluetoothAddress)
}

extension BlueZEvent {
    /// The same for all advertisements of one peripheral, and `nil` for everything else.
    var supersessionKey: UInt64? {
        guard case .peripheral(.advertised, let peripheral) = kind else { return nil }
        // Two paths with one hash would cost a slow reader an advertisement, and nothing else.
        return UInt64(truncatingIfNeeded: Int64(peripheral.path.hashValue))
    }
}
