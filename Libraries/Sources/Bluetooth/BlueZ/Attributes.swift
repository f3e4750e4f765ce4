import DBus

/// A GATT service of a peripheral (`org.bluez.GattService1`).
public struct Service: Hashable, Sendable {
    /// The path of its object on the bus.
    public let path: ObjectPath
    /// Its type.
    public let uuid: BluetoothUUID
    /// Whether it is a primary service.
    public let isPrimary: Bool
    /// Its characteristics in the order of their handles.
    public let characteristics: [Characteristic]

    public init(path: ObjectPath, uuid: BluetoothUUID, isPrimary: Bool, characteristics: [Characteristic]) {
        self.path = path
        self.uuid = uuid
        self.isPrimary = isPrimary
        self.characteristics = characteristics
    }
}

/// Identifies a characteristic of a peripheral.
public struct CharacteristicReference: Hashable, Sendable {
    /// The object on the bus.
    public let path: ObjectPath
    /// Its type.
    public let uuid: BluetoothUUID
    /// Its service.
    public let service: BluetoothUUID
    /// Its peripheral.
    public let peripheral: BluetoothAddress

    /// Makes a reference, for tests and for readers of recorded events.
    public init(path: ObjectPath, uuid: BluetoothUUID, service: BluetoothUUID, peripheral: BluetoothAddress) {
        self.path = path
        self.uuid = uuid
        self.service = service
        self.peripheral = peripheral
    }
}

/// A GATT characteristic (`org.bluez.GattCharacteristic1`).
public struct Characteristic: Hashable, Sendable {
    /// Its reference.
    public internal(set) var reference: CharacteristicReference
    /// What can be done with it.
    public var flags: CharacteristicFlags
    /// Whether any program's notify session exists; it outlives a lost link.
    public var isNotifying: Bool
    /// Whether a program has acquired its notifications; `nil` where none can.
    public var isNotifyAcquired: Bool?
    /// Whether a program has acquired its writes; `nil` where none can.
    public var isWriteAcquired: Bool?
    /// The negotiated ATT MTU in octets, while the daemon reports it.
    public var mtu: Int?
    /// Its descriptors in the order of their handles.
    public var descriptors: [Descriptor]

    /// Its type.
    public var uuid: BluetoothUUID { reference.uuid }

    public init(
        reference: CharacteristicReference, flags: CharacteristicFlags, isNotifying: Bool = false, mtu: Int? = nil,
        descriptors: [Descriptor] = []
    ) {
        self.reference = reference
        self.flags = flags
        self.isNotifying = isNotifying
        self.mtu = mtu
        self.descriptors = descriptors
    }
}

extension Characteristic {
    /// Sets a property that may change; returns `false` when its type or value is invalid.
    mutating func set(_ property: String, to value: DBusValue) -> Bool {
        switch property {
        case "Notifying":
            guard let isTrue = value.isTrue else { return false }
            isNotifying = isTrue
        case "NotifyAcquired":
            guard let isTrue = value.isTrue else { return false }
            isNotifyAcquired = isTrue
        case "WriteAcquired":
            guard let isTrue = value.isTrue else { return false }
            isWriteAcquired = isTrue
        case "MTU":
            guard let octets = value.integer, 0...0xFFFF ~= octets else { return false }
            mtu = octets
        default:
            break
        }
        return true
    }
}

/// A GATT descriptor (`org.bluez.GattDescriptor1`).
public struct Descriptor: Hashable, Sendable {
    /// The object on the bus.
    public let path: ObjectPath
    /// Its type.
    public let uuid: BluetoothUUID

    public init(path: ObjectPath, uuid: BluetoothUUID) {
        self.path = path
        self.uuid = uuid
    }
}

/// What can be done with a characteristic (Core Specification, Vol 3 Part G, 3.3.1.1; BlueZ's names).
public struct CharacteristicFlags: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Its value may be broadcast.
    public static let broadcast = CharacteristicFlags(rawValue: 1)
    /// It can be read.
    public static let read = CharacteristicFlags(rawValue: 2)
    /// It can be written without an answer.
    public static let writeWithoutResponse = CharacteristicFlags(rawValue: 4)
    /// It can be written, with an answer.
    public static let write = CharacteristicFlags(rawValue: 8)
    /// It notifies.
    public static let notify = CharacteristicFlags(rawValue: 16)
    /// It indicates.
    public static let indicate = CharacteristicFlags(rawValue: 32)
    /// It accepts signed writes.
    public static let authenticatedSignedWrites = CharacteristicFlags(rawValue: 64)
    /// It has more properties in a descriptor.
    public static let extendedProperties = CharacteristicFlags(rawValue: 128)

    /// It accepts reliable writes (from the descriptor of extended properties).
    public static let reliableWrite = CharacteristicFlags(rawValue: 256)
    /// Its description can be written (from the descriptor of extended properties).
    public static let writableAuxiliaries = CharacteristicFlags(rawValue: 512)

    private static let named: [(name: String, flag: CharacteristicFlags)] = [
        ("broadcast", .broadcast), ("read", .read), ("write-without-response", .writeWithoutResponse),
        ("write", .write), ("notify", .notify), ("indicate", .indicate),
        ("authenticated-signed-writes", .authenticatedSignedWrites), ("extended-properties", .extendedProperties),
        ("reliable-write", .reliableWrite), ("writable-auxiliaries", .writableAuxiliaries),
    ]

    /// Creates a set from BlueZ's names; unknown names are omitted.
    public init(names: [String]) {
        self = Self.named.reduce(into: []) { if names.contains($1.name) { $0.formUnion($1.flag) } }
    }

    /// BlueZ's names of the flags in the set, in the order of the bits.
    public var names: [String] { Self.named.filter { contains($0.flag) }.map(\.name) }
}
