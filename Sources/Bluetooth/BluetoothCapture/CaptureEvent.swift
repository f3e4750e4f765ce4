import VitalDecoders

/// An event on the air in a capture.
public struct CaptureEvent: Hashable, Sendable {
    /// The wall time in microseconds since 1970 (UTC), by the capturing computer's clock.
    public var microseconds: Int64
    /// The peripheral.
    public var peer: CapturedPeer
    /// What happened.
    public var kind: Kind

    public init(microseconds: Int64, peer: CapturedPeer, kind: Kind) {
        self.microseconds = microseconds
        self.peer = peer
        self.kind = kind
    }

    /// The kinds of events.
    public enum Kind: Hashable, Sendable {
        /// It advertised itself.
        case advertised(Advertisement)
        /// A link to it was made.
        case connected
        case disconnected(LinkEnd)
        /// It reported services that were not known before.
        case services([BluetoothUUID])
        /// It sent a value of a characteristic, or of a handle that the capture does not name.
        case value(Attribute, [UInt8], Origin)
    }

    /// Why a link ended.
    public enum LinkEnd: Hashable, Sendable {
        /// The controller's reason (Core Specification, Vol 1 Part F).
        case reason(UInt8)
        /// The controller disappeared or was reset.
        case controller

        /// Whether the capturing computer ended it.
        public var isByHost: Bool { self == .reason(0x16) }
    }

    /// The attribute of a value.
    public enum Attribute: Hashable, Sendable {
        /// A characteristic, known from the discovery in the capture or given by the user.
        case characteristic(BluetoothUUID)
        /// A handle without a name in the capture.
        case unnamed(handle: UInt16)
    }

    /// How a value was received.
    public enum Origin: Hashable, Sendable {
        /// By notification or indication.
        case notified
        /// As the answer to a read request.
        case read
    }
}

/// A peripheral in a capture.
public enum CapturedPeer: Hashable, Sendable {
    /// The peripheral with this address, in upper-case hexadecimal with colons.
    case address(String)
    /// A peripheral whose link was established before the capture began, so that only the link's handle is known.
    case link(handle: UInt16)
}

/// The content of an advertisement.
public struct Advertisement: Hashable, Sendable {
    /// Its name, complete or shortened, not sanitized.
    public var name: String?
    /// The services that it advertises.
    public var services: [BluetoothUUID] = []
    /// The signal strength in dBm, where it was measured.
    public var signalStrength: Int?

    public init() {}
}
