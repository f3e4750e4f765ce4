/// A service of a sensor with its characteristics, as the sensor declares them.
///
/// They come from the air, so ``bounded(_:)`` limits their number before they are passed on.
public struct SensorService: Codable, Hashable, Sendable {
    /// The UUID as `bedside decode` prints it.
    public var uuid: String
    /// Its characteristics in the order of their handles.
    public var characteristics: [SensorCharacteristic]

    public init(uuid: String, characteristics: [SensorCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }

    /// The most characteristics, and services without any, that are reported for one sensor; real ones have about
    /// fifty.
    public static let limit = 256

    /// The first services and characteristics, up to the limit.
    public static func bounded(_ services: [SensorService]) -> [SensorService] {
        var room = limit
        var kept: [SensorService] = []
        for service in services where room > 0 {
            let characteristics = Array(service.characteristics.prefix(room))
            kept.append(SensorService(uuid: service.uuid, characteristics: characteristics))
            room -= max(1, characteristics.count)
        }
        return kept
    }
}

/// A characteristic of a sensor, as the sensor declares it.
public struct SensorCharacteristic: Codable, Hashable, Sendable {
    /// A number that is unique for the sensor; a UUID may occur several times.
    public var number: Int
    /// The UUID as `bedside decode` prints it.
    public var uuid: String
    /// Its GATT properties by BlueZ's names, such as `read` and `notify`.
    public var properties: [String]
    /// The UUIDs of its descriptors, at most ``descriptorLimit``.
    public var descriptors: [String]
    /// The operations that a user may try on it.
    public var offered: [Exploration.Kind]

    /// The most descriptors that are reported for one characteristic; real ones have one or two.
    public static let descriptorLimit = 8

    public init(
        number: Int, uuid: String, properties: [String], descriptors: [String] = [], offered: [Exploration.Kind] = []
    ) {
        self.number = number
        self.uuid = uuid
        self.properties = properties
        self.descriptors = Array(descriptors.prefix(Self.descriptorLimit))
        self.offered = offered
    }
}

/// The newest value of a characteristic of a sensor.
public struct CharacteristicOctets: Codable, Hashable, Sendable {
    /// The number of the sensor's characteristic (``SensorCharacteristic/number``).
    public var number: Int
    /// The value, at most ``limit`` octets.
    public var octets: [UInt8]
    /// When they arrived.
    public var moment: Moment

    /// The greatest length of an attribute's value (Core Specification, Vol 3 Part F, 3.2.9).
    public static let limit = 512

    /// Creates a value; octets beyond ``limit`` are dropped.
    public init(number: Int, octets: [UInt8], moment: Moment) {
        self.number = number
        self.octets = octets.count > Self.limit ? Array(octets.prefix(Self.limit)) : octets
        self.moment = moment
    }
}

/// An operation that a user may try on one characteristic of a device.
public enum Exploration: Codable, Hashable, Sendable {
    /// Read its value once.
    case read
    /// Receive its values, until the link ends or the subscription is ended.
    case subscribe
    /// End a subscription of ``subscribe``; one that Bedside itself needs stays.
    case unsubscribe
    /// Write octets, with or without a response; never offered if it could change a therapy, a session or records.
    case write([UInt8], withResponse: Bool)

    /// The kinds of operations, to list what a characteristic allows.
    public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        case read, subscribe, unsubscribe, write
        case writeWithoutResponse = "write_without_response"
    }

    public var kind: Kind {
        switch self {
        case .read: .read
        case .subscribe: .subscribe
        case .unsubscribe: .unsubscribe
        case .write(_, let withResponse): withResponse ? .write : .writeWithoutResponse
        }
    }
}

/// A wish about sensors and the radio; the sensor supervisor carries it out.
public enum SensorWish: Codable, Hashable, Sendable {
    /// Connect the sensor with this address, and keep it connected.
    case connect(address: String)
    /// Disconnect the sensor with this address, and do not reconnect it.
    case disconnect(address: String)
    /// Set the label of the sensor with this address; a blank label restores its own name.
    case rename(address: String, label: String)
    /// Disconnect the sensor with this address and forget it.
    case forget(address: String)
    /// Report the services and characteristic values of the sensor with this address only; `nil` for none.
    case inspect(address: String?)
    /// Try an operation on a characteristic (``SensorCharacteristic/number``) of the inspected sensor with this
    /// address.
    case explore(address: String, characteristic: Int, Exploration)
    /// Report every step of the traffic with these sensors for so many seconds, at most ``traceLimit``; whoever reads
    /// the trace asks again in time.
    case trace(TraceScope, seconds: Int)
    /// Have the thermometer with this address measure each so many seconds, 0 to 65535 (``AnnouncedInterval``).
    case setInterval(address: String, seconds: Int)
    /// Prefer the sensor with this address for these vitals, and for no others.
    case assign(address: String, Set<Vital>)
    /// Use the adapter with this identifier, such as `hci1`.
    case useAdapter(String)
    /// Pair with the sensor with this address.
    case pair(address: String)
    /// Answer a question of the pairing with the sensor with this address.
    case answerPairing(address: String, PairingReply)
    /// Let the transmitter with this address use the new sensor that it has detected, or not.
    case answerNewSensor(address: String, isAccepted: Bool)
    /// Fetch the stored nights of the ring with this address that are not in the store; its values pause meanwhile.
    case fetchNights(address: String)
    /// Cancel the pairing with the sensor with this address.
    case cancelPairing(address: String)
    /// Start or stop scanning.
    case setScanning(Bool)
    /// Switch the adapter in use on or off.
    case setPowered(Bool)

    /// The longest time for which one wish traces, in seconds.
    public static let traceLimit = 120
}
