/// A service of a sensor with its characteristics, as the sensor declares them.
///
/// They come from a stranger's radio, so ``bounded(_:)`` limits how many there can be before they are told to anybody.
public struct SensorService: Codable, Hashable, Sendable {
    /// The UUID as `bedside decode` prints it.
    public var uuid: String
    /// Its characteristics in the order of their handles.
    public var characteristics: [SensorCharacteristic]

    /// Makes a service.
    public init(uuid: String, characteristics: [SensorCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }

    /// The most characteristics, and services without any, that are told of one sensor; real ones have some fifty.
    public static let limit = 256

    /// As many services and characteristics as may be told, the first ones first.
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
    /// A number that is its own among those of the sensor; a UUID may be there several times.
    public var number: Int
    /// The UUID as `bedside decode` prints it.
    public var uuid: String
    /// What can be done with it, in BlueZ's words such as `read` and `notify`.
    public var properties: [String]

    /// Makes a characteristic.
    public init(number: Int, uuid: String, properties: [String]) {
        self.number = number
        self.uuid = uuid
        self.properties = properties
    }
}

/// The octets that a characteristic of a sensor had last.
public struct CharacteristicOctets: Codable, Hashable, Sendable {
    /// Which of the sensor's characteristics (``SensorCharacteristic/number``).
    public var number: Int
    /// The octets, no more than an attribute can have.
    public var octets: [UInt8]
    /// When they came.
    public var moment: Moment

    /// The greatest length of an attribute's value (Core Specification, Vol 3 Part F, 3.2.9).
    public static let limit = 512

    /// Makes a description; octets beyond ``limit`` are left out.
    public init(number: Int, octets: [UInt8], moment: Moment) {
        self.number = number
        self.octets = octets.count > Self.limit ? Array(octets.prefix(Self.limit)) : octets
        self.moment = moment
    }
}
