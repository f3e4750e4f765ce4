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

extension Advertisement {
    /// The limit of services per advertisement; no more fit into the longest one.
    private static let serviceLimit = 128

    /// Reads the structures of advertising data or of a scan response; damaged ones are ignored.
    ///
    /// Source: Core Specification Supplement 11, Part A.
    init(_ octets: ArraySlice<UInt8>, signalStrength: Int8?) {
        // 127 means that no strength is available.
        self.signalStrength = signalStrength.flatMap { $0 == 127 ? nil : Int($0) }
        var cursor = OctetCursor(octets)
        while let length = cursor.uint8(), length > 0 {
            guard let structure = cursor.consume(Int(length)) else { return }
            add(type: structure.first ?? 0, structure.dropFirst())
        }
    }

    private mutating func add(type: UInt8, _ data: ArraySlice<UInt8>) {
        var cursor = OctetCursor(data)
        switch type {
        case 0x02, 0x03:
            while let short = cursor.uint16() { add(BluetoothUUID(short)) }
        case 0x06, 0x07:
            while let octets = cursor.consume(16) { add(BluetoothUUID(littleEndian: octets)) }
        case 0x08 where name == nil, 0x09:
            name = String(decoding: data, as: UTF8.self)
        default: break
        }
    }

    private mutating func add(_ service: BluetoothUUID?) {
        guard let service, services.count < Self.serviceLimit, !services.contains(service) else { return }
        services.append(service)
    }
}

extension BluetoothUUID {
    /// A UUID as transmitted: two or sixteen octets, little-endian; `nil` for any other number of them.
    init?(littleEndian octets: ArraySlice<UInt8>) {
        var cursor = OctetCursor(octets)
        switch octets.count {
        case 2: self.init(cursor.uint16() ?? 0)
        case 16:
            let numbers = Array(octets.reversed())
            self.init(
                high: numbers.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
                low: numbers.suffix(8).reduce(0) { $0 << 8 | UInt64($1) })
        default: return nil
        }
    }
}
