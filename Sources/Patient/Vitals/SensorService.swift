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
