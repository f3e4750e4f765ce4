/// The Battery Service (180F).
public enum BatteryService {
    /// The UUID of the service.
    public static let uuid = BluetoothUUID(0x180F)

    /// Its characteristics.
    public static let characteristics: [CharacteristicType] = [.batteryLevel]
}

extension Specification {
    /// Battery Service 1.1.
    public static let battery = Specification("Battery Service", "1.1")
}

extension CharacteristicType {
    /// Battery Level (2A19, read and often notified).
    public static let batteryLevel = CharacteristicType(
        BluetoothUUID(0x2A19), "Battery Level", .battery, BatteryLevel.self)
}

/// The value of Battery Level (2A19).
///
/// Source: Battery Service 1.1, section 3.1; GATT Specification Supplement, Battery Level.
public struct BatteryLevel: CharacteristicValue {
    /// The octet as sent; 101 to 255 are reserved.
    public var rawValue: UInt8

    /// The charge in percent, 0 to 100, or `nil` when the sensor sent a reserved value.
    public var percent: Int? {
        rawValue <= 100 ? Int(rawValue) : nil
    }

    /// Creates a level; more than 100 is reserved.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let level = BatteryLevel(rawValue: try reader.uint8("battery level"))
        reader.explain(level.percent.map { "\($0) %" } ?? "\(level.rawValue): reserved")
        self = level
        try reader.expectEnd()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint8(rawValue)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [Field("battery_level_percent", FieldValue(percent))]
    }
}
