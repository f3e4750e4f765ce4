/// One step of the traffic with a peripheral, for a report of a fault.
///
/// It has everything that passed between Bedside and bluetoothd about the peripheral, except secrets: what a user types
/// or is shown for a pairing is never part of it, and the octets of an authentication are only counted.
public struct TraceEntry: Codable, Hashable, Sendable {
    /// The peripheral's Bluetooth address.
    public var address: String
    /// Its name, sanitized; empty if it has none.
    public var name: String
    /// What happened.
    public var kind: Kind

    public init(address: String, name: String, kind: Kind) {
        (self.address, self.name, self.kind) = (address, name, kind)
    }

    /// The kinds of steps.
    public enum Kind: Codable, Hashable, Sendable {
        /// It was heard, with its signal strength in dBm, if that is known.
        case advertised(AdvertisedData, signalStrength: Int?, hasPublicAddress: Bool)
        /// There is a link, made by any program.
        case connected(hasPublicAddress: Bool)
        /// The link has ended.
        case disconnected
        /// Its services are known, with their characteristics.
        case discovered([Service])
        /// A characteristic notified or indicated a value.
        case notified(Attribute, Octets)
        /// bluetoothd was asked for something.
        case asked(Operation)
        /// bluetoothd did what it was asked for; with the octets of a read.
        case done(Operation, Octets)
        /// bluetoothd refused it, or it failed; with the name of BlueZ's error and its text.
        case failed(Operation, error: String)
    }

    /// What bluetoothd is asked for.
    public enum Operation: Codable, Hashable, Sendable {
        case connect, disconnect, pair, remove
        case read(Attribute)
        case write(Attribute, Octets, withResponse: Bool)
        case subscribe(Attribute)
        case unsubscribe(Attribute)
    }

    /// The octets of a value.
    public enum Octets: Codable, Hashable, Sendable {
        /// All of them.
        case shown([UInt8])
        /// So many octets that belong to an authentication.
        case secret(count: Int)

        /// The octets, unless they are secret.
        public var shown: [UInt8]? { if case .shown(let octets) = self { octets } else { nil } }
    }

    /// A characteristic of a peripheral.
    public struct Attribute: Codable, Hashable, Sendable {
        /// Its UUID, as `bedside decode` prints it.
        public var uuid: String
        /// The handle of its value; 0 if BlueZ's path does not tell it.
        public var handle: UInt16

        public init(uuid: String, handle: UInt16) {
            (self.uuid, self.handle) = (uuid, handle)
        }
    }

    /// A service that was discovered.
    public struct Service: Codable, Hashable, Sendable {
        /// Its UUID, as `bedside decode` prints it.
        public var uuid: String
        /// The handle of its declaration; 0 if BlueZ's path does not tell it.
        public var handle: UInt16
        public var characteristics: [Characteristic]

        public init(uuid: String, handle: UInt16, characteristics: [Characteristic]) {
            (self.uuid, self.handle, self.characteristics) = (uuid, handle, characteristics)
        }
    }

    /// A characteristic that was discovered.
    public struct Characteristic: Codable, Hashable, Sendable {
        public var attribute: Attribute
        /// Its properties (Core Specification, Vol 3 Part G, 3.3.1.1).
        public var properties: UInt8
        /// The names of its properties, as BlueZ writes them.
        public var propertyNames: [String]
        /// The handle of the descriptor through which it is subscribed to; 0 if it has none, or it is not known.
        public var configurationHandle: UInt16

        public init(
            attribute: Attribute, properties: UInt8, propertyNames: [String], configurationHandle: UInt16 = 0
        ) {
            (self.attribute, self.properties) = (attribute, properties)
            (self.propertyNames, self.configurationHandle) = (propertyNames, configurationHandle)
        }
    }
}

/// Which sensors are traced.
public enum TraceScope: Codable, Hashable, Sendable {
    /// All sensors, and every other peripheral that is connected.
    case all
    /// The peripheral with this address.
    case sensor(address: String)
}
