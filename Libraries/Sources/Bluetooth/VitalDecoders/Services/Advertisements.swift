/// The company identifiers assigned by the Bluetooth SIG whose advertisements are decoded here.
public enum CompanyIdentifier {
    /// greenTEG, the maker of CORE.
    public static let greenTEG: UInt16 = 0x0BF6
    /// Polar Electro.
    public static let polar: UInt16 = 0x006B
}

/// The manufacturer data of a CORE's advertisements, without the company identifier.
///
/// Source: CORE Body Temperature Sensor Implementation Notes 3.1.
public struct CoreAdvertisement: CharacteristicValue {
    /// The state: bits 0 to 3; bits 4 to 7 belong to the maker.
    public var status: UInt8
    /// The core body temperature in thousandths of a degree Celsius.
    public var coreTemperatureMillidegrees: UInt16

    public init(status: UInt8, coreTemperatureMillidegrees: UInt16) {
        self.status = status
        self.coreTemperatureMillidegrees = coreTemperatureMillidegrees
    }

    /// Whether the sensor reports that it measures; otherwise the temperature is meaningless.
    public var isMeasuring: Bool { status & 15 == 4 }

    /// The core body temperature in degrees Celsius, or `nil` while the sensor does not measure.
    public var coreTemperature: DecimalNumber? {
        isMeasuring ? DecimalNumber(Int64(coreTemperatureMillidegrees), exponent: -3) : nil
    }

    /// Reads an advertisement of layout 0.
    ///
    /// - Throws: ``MalformedValueError`` also for another layout.
    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let layout = try reader.uint8("layout version")
        guard layout == 0 else {
            throw MalformedValueError(offset: 0, reason: "the layout version is \(layout), only 0 is known")
        }
        let state = try reader.uint8("status")
        reader.explain(state & 15 == 4 ? "measuring" : "state \(state & 15)")
        status = state
        let temperature = try reader.uint16("core body temperature")
        reader.explain("\(DecimalNumber(Int64(temperature), exponent: -3)) °C")
        coreTemperatureMillidegrees = temperature
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint8(0)
        writer.uint8(status)
        writer.uint16(coreTemperatureMillidegrees)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("status", FieldValue(status)),
            Field("is_measuring", .bool(isMeasuring)),
            Field("core_temperature_celsius", FieldValue(coreTemperature)),
        ]
    }
}

/// The manufacturer data of a Polar strap's advertisements, without the company identifier, while its heart-rate
/// broadcast is on.
///
/// Source: the maker's published software, advertisement content.
public struct PolarAdvertisement: CharacteristicValue {
    /// The first octet: battery, contact, frame counter and the kind of data.
    public let status: UInt8
    /// An octet defined by the maker.
    public var code: UInt8
    /// Beats a minute, averaged over a short time; 0 when there is none.
    public var fastHeartRate: UInt8
    /// Beats a minute, averaged over a longer time, when sent.
    public var slowHeartRate: UInt8?

    public init(status: UInt8, code: UInt8 = 0, fastHeartRate: UInt8, slowHeartRate: UInt8? = nil) {
        self.status = status & ~(1 << 6)
        self.code = code
        self.fastHeartRate = fastHeartRate
        self.slowHeartRate = slowHeartRate
    }

    /// Whether the battery is good.
    public var isBatteryGood: Bool { status & 1 << 0 != 0 }
    /// Whether the strap touches the skin.
    public var hasContact: Bool { status & 1 << 1 != 0 }
    /// A number from 0 to 7 that changes with each new value.
    public var frameCounter: UInt8 { status >> 2 & 7 }
    /// Whether the user turned the broadcast on.
    public var isBroadcast: Bool { status & 1 << 5 != 0 }

    /// Reads the first heart rate of an advertisement; skips other data before it.
    ///
    /// - Throws: ``MalformedValueError`` also when there is no heart rate.
    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        status = try Self.statusOfHeartRate(from: &reader)
        code = try reader.uint8("code")
        fastHeartRate = try reader.uint8("fast heart rate")
        slowHeartRate = reader.remaining > 0 ? try reader.uint8("slow heart rate") : nil
    }

    private static func statusOfHeartRate(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError)
        -> UInt8
    {
        while true {
            let status = try reader.uint8("status")
            reader.explain(
                FlagText.describe(
                    status,
                    [(0, "battery good"), (1, "contact"), (5, "broadcast"), (6, "other data"), (7, "status flag")]
                        + (2...4).map { ($0, "frame counter bit \($0 - 2)") }))
            if status & 1 << 6 == 0 {
                return status
            }
            let length = try reader.uint8("length of other data", .announced)
            reader.explain("\(length) octets")
            _ = reader.rest("other data", limit: Int(length))
        }
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint8(status)
        writer.uint8(code)
        writer.uint8(fastHeartRate)
        if let slowHeartRate { writer.uint8(slowHeartRate) }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("is_battery_good", .bool(isBatteryGood)),
            Field("has_contact", .bool(hasContact)),
            Field("frame_counter", FieldValue(frameCounter)),
            Field("heart_rate_fast_bpm", FieldValue(fastHeartRate)),
            Field("heart_rate_slow_bpm", FieldValue(slowHeartRate)),
        ]
    }
}
