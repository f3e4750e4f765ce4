/// The service of the CORE body temperature sensor (greenTEG).
public enum CoreBodyTemperatureService {
    /// The UUID of the service, by which a CORE is recognised.
    public static let uuid = BluetoothUUID(high: 0x0000_2100_5B1E_4347, low: 0xB07C_97B5_14DA_E121)

    /// The UUID of the service in old firmware.
    public static let legacyUUID = BluetoothUUID(high: 0x0000_4200_F366_40B2, low: 0xAC37_70CC_E0AA_83B1)

    /// Its characteristics.
    public static let characteristics: [CharacteristicType] = [.coreBodyTemperature, .coreControlPoint]
}

extension Specification {
    /// CORE Body Temperature Service Specification 2.2.
    public static let coreBodyTemperature = Specification("CORE Body Temperature Service", "2.2")
}

extension CharacteristicType {
    /// Core Body Temperature (2101 of CORE, notified).
    public static let coreBodyTemperature = CharacteristicType(
        BluetoothUUID(high: 0x0000_2101_5B1E_4347, low: 0xB07C_97B5_14DA_E121), "Core Body Temperature",
        .coreBodyTemperature, CoreBodyTemperature.self)
}

/// A temperature in hundredths of a degree as CORE sends it; one code means "no value".
public struct CoreTemperature: Hashable, Sendable {
    /// Hundredths of a degree; 0x7FFF for no temperature.
    public var rawValue: Int16

    /// Creates a temperature from the transmitted number.
    public init(rawValue: Int16) {
        self.rawValue = rawValue
    }

    /// The code for an unavailable temperature.
    public static let notAvailable = CoreTemperature(rawValue: .max)

    /// The temperature, or `nil` when it is unavailable.
    public var decimal: DecimalNumber? {
        self == .notAvailable ? nil : DecimalNumber(Int64(rawValue), exponent: -2)
    }
}

/// A value of CORE's Core Body Temperature (2101).
///
/// The specification describes the flags once as validity and once as presence, so both layouts are decoded. A value
/// with exactly the announced length is *compact*. A value of ten octets or more has all fields at *fixed* places, and
/// the flags mark the valid ones; so has a value of eight octets whose flags for the two fields of later firmware are
/// clear. Source: CORE Body Temperature Service Specification 2.2.
public struct CoreBodyTemperature: CharacteristicValue {
    /// The unit of both temperatures.
    public var unit: TemperatureUnit
    /// The core body temperature.
    public var coreTemperature: CoreTemperature
    /// The skin temperature, when sent.
    public var skinTemperature: CoreTemperature?
    /// A field reserved by the maker, when sent.
    public var coreReserved: Int16?
    /// The quality of the core temperature and the state of the heart-rate sensor, when sent.
    public var qualityAndState: CoreQualityAndState?
    /// Beats a minute, when sent; 0 when the sensor has none.
    public var heartRate: UInt8?
    /// Tenths of the heat strain index, when sent; see ``validHeatStrainIndex``.
    public var heatStrainIndexTenths: UInt8?

    public init(
        unit: TemperatureUnit = .celsius, coreTemperature: CoreTemperature, skinTemperature: CoreTemperature? = nil,
        coreReserved: Int16? = nil, qualityAndState: CoreQualityAndState? = nil, heartRate: UInt8? = nil,
        heatStrainIndexTenths: UInt8? = nil
    ) {
        self.unit = unit
        self.coreTemperature = coreTemperature
        self.skinTemperature = skinTemperature
        self.coreReserved = coreReserved
        self.qualityAndState = qualityAndState
        self.heartRate = heartRate
        self.heatStrainIndexTenths = heatStrainIndexTenths
    }

    /// The heat zone of a heat strain index, 1 to 4.
    ///
    /// Source: greenTEG, heat zones of CORE: from 1.0, 3.0 and 7.0 on.
    public static func heatZone(tenths: UInt8) -> Int {
        switch tenths {
        case ..<10: 1
        case ..<30: 2
        case ..<70: 3
        default: 4
        }
    }

    /// The heat strain index, 0 to 25.4; `nil` when not sent, or without a core temperature, which it needs.
    public var validHeatStrainIndex: DecimalNumber? {
        guard coreTemperature != .notAvailable else { return nil }
        return heatStrainIndexTenths.map { DecimalNumber(Int64($0), exponent: -1) }
    }

    /// The core body temperature in hundredths of a degree Celsius, or `nil` when there is none.
    public var coreCelsiusHundredths: Int? {
        coreTemperature.decimal.flatMap(unit.celsiusHundredths)
    }

    /// The skin temperature in hundredths of a degree Celsius, or `nil` when there is none.
    public var skinCelsiusHundredths: Int? {
        skinTemperature?.decimal.flatMap(unit.celsiusHundredths)
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let flags = Flags(rawValue: try reader.uint8("flags"))
        reader.explain(flags.description)
        let isFixed = try flags.isFixedForm(count: reader.count)
        let unit: TemperatureUnit = flags.contains(.fahrenheit) ? .fahrenheit : .celsius
        self.unit = unit
        coreTemperature = try reader.coreTemperature("core body temperature", .required, unit)
        skinTemperature = nil
        coreReserved = nil
        qualityAndState = nil
        heartRate = nil
        heatStrainIndexTenths = nil
        if isFixed || flags.contains(.skin) {
            let value = try reader.coreTemperature("skin temperature", .announced, unit)
            skinTemperature = flags.contains(.skin) ? value : nil
            reader.explainUnless(flags.contains(.skin))
        }
        if isFixed || flags.contains(.coreReserved) {
            let value = try reader.int16("core reserved", .announced)
            coreReserved = flags.contains(.coreReserved) ? value : nil
            reader.explainUnless(flags.contains(.coreReserved))
        }
        if isFixed || flags.contains(.quality) {
            let value = CoreQualityAndState(rawValue: try reader.uint8("quality and state", .announced))
            reader.explain("quality \(value.quality.name), heart rate \(value.heartRateState.name)")
            qualityAndState = flags.contains(.quality) ? value : nil
            reader.explainUnless(flags.contains(.quality))
        }
        // The old fixed layout ends here.
        let hasLaterFields = isFixed && reader.remaining >= 2
        if hasLaterFields || flags.contains(.heartRate) {
            let value = try reader.uint8("heart rate", .announced)
            reader.explain("\(value) beats a minute")
            heartRate = flags.contains(.heartRate) ? value : nil
            reader.explainUnless(flags.contains(.heartRate))
        }
        if hasLaterFields || flags.contains(.heatStrainIndex) {
            let value = try reader.uint8("heat strain index", .announced)
            reader.explain(
                "\(DecimalNumber(Int64(value), exponent: -1)): heat zone \(Self.heatZone(tenths: value)) of 4")
            heatStrainIndexTenths = flags.contains(.heatStrainIndex) ? value : nil
            reader.explainUnless(flags.contains(.heatStrainIndex))
        }
    }

    /// Writes the compact layout.
    public func encode(to writer: inout OctetWriter) {
        var flags: Flags = unit == .fahrenheit ? .fahrenheit : []
        if skinTemperature != nil { flags.insert(.skin) }
        if coreReserved != nil { flags.insert(.coreReserved) }
        if qualityAndState != nil { flags.insert(.quality) }
        if heartRate != nil { flags.insert(.heartRate) }
        if heatStrainIndexTenths != nil { flags.insert(.heatStrainIndex) }
        writer.uint8(flags.rawValue)
        writer.int16(coreTemperature.rawValue)
        if let skinTemperature { writer.int16(skinTemperature.rawValue) }
        if let coreReserved { writer.int16(coreReserved) }
        if let qualityAndState { writer.uint8(qualityAndState.rawValue) }
        if let heartRate { writer.uint8(heartRate) }
        if let heatStrainIndexTenths { writer.uint8(heatStrainIndexTenths) }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("unit", .text(unit.rawValue)),
            Field("core_temperature", FieldValue(coreTemperature.decimal)),
            Field("core_temperature_celsius", FieldValue(celsius(coreTemperature))),
            Field("skin_temperature", FieldValue(skinTemperature?.decimal)),
            Field("skin_temperature_celsius", FieldValue(celsius(skinTemperature))),
            Field("core_reserved", FieldValue(coreReserved)),
            Field("quality", FieldValue(qualityAndState?.quality.rawValue)),
            Field("quality_name", FieldValue(qualityAndState?.quality.name)),
            Field("hr_state", FieldValue(qualityAndState?.heartRateState.rawValue)),
            Field("hr_state_name", FieldValue(qualityAndState?.heartRateState.name)),
            Field("heart_rate_bpm", FieldValue(heartRate)),
            Field("heat_strain_index", FieldValue(validHeatStrainIndex)),
        ]
    }

    private func celsius(_ temperature: CoreTemperature?) -> DecimalNumber? {
        temperature?.decimal.flatMap { unit.celsius(.number($0)).decimal }
    }
}

extension OctetReader {
    /// Marks the last field as meaningless, unless a flag marks it as valid.
    fileprivate mutating func explainUnless(_ isValid: Bool) {
        if !isValid { explain("not valid, by the flags") }
    }

    fileprivate mutating func coreTemperature(
        _ name: StaticString, _ presence: FieldPresence, _ unit: TemperatureUnit
    ) throws(MalformedValueError) -> CoreTemperature {
        let temperature = CoreTemperature(rawValue: try int16(name, presence))
        explain(temperature.decimal.map { "\($0) \(unit == .celsius ? "°C" : "°F")" } ?? "not available")
        return temperature
    }
}

extension CoreBodyTemperature {
    /// The first octet.
    private struct Flags: StatusWord {
        let rawValue: UInt8

        static let skin = Flags(rawValue: 1 << 0)
        static let coreReserved = Flags(rawValue: 1 << 1)
        static let quality = Flags(rawValue: 1 << 2)
        static let fahrenheit = Flags(rawValue: 1 << 3)
        static let heartRate = Flags(rawValue: 1 << 4)
        static let heatStrainIndex = Flags(rawValue: 1 << 5)

        static let bits: [(bit: Int, name: String)] = [
            (0, "skin temperature"), (1, "core reserved"), (2, "quality and state"), (3, "degrees Fahrenheit"),
            (4, "heart rate"), (5, "heat strain index"),
        ]

        /// Whether a value of this length has every field at a fixed place.
        ///
        /// - Throws: ``MalformedValueError`` for a length that neither layout has; a value that is too short for the compact
        ///   layout fails later, at the missing field.
        func isFixedForm(count: Int) throws(MalformedValueError) -> Bool {
            let compact =
                3 + (contains(.skin) ? 2 : 0) + (contains(.coreReserved) ? 2 : 0) + (contains(.quality) ? 1 : 0)
                + (contains(.heartRate) ? 1 : 0) + (contains(.heatStrainIndex) ? 1 : 0)
            if count <= compact {
                return false
            }
            if count >= 10 || count == 8 && isDisjoint(with: [.heartRate, .heatStrainIndex]) {
                return true
            }
            throw MalformedValueError(
                offset: compact, reason: "flags announce \(compact) octets and the fixed form has 10, \(count) present")
        }
    }
}

/// CORE's report on the quality of its core temperature and the state of the paired heart-rate sensor.
public struct CoreQualityAndState: Hashable, Sendable {
    /// The octet as sent.
    public var rawValue: UInt8

    /// Creates a value from the transmitted octet.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    public init(quality: CoreQuality, heartRateState: CoreHeartRateState) {
        rawValue = quality.rawValue & 7 | (heartRateState.rawValue & 3) << 4
    }

    /// The quality of the core temperature (bits 0 to 2).
    public var quality: CoreQuality { CoreQuality(rawValue: rawValue & 7) }

    /// The state of the heart-rate sensor (bits 4 and 5).
    public var heartRateState: CoreHeartRateState { CoreHeartRateState(rawValue: rawValue >> 4 & 3) }
}

/// The quality of CORE's core temperature.
public struct CoreQuality: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The temperature must not be used.
    public static let invalid = CoreQuality(rawValue: 0)
    /// Poor.
    public static let poor = CoreQuality(rawValue: 1)
    /// Fair.
    public static let fair = CoreQuality(rawValue: 2)
    /// Good.
    public static let good = CoreQuality(rawValue: 3)
    /// Excellent.
    public static let excellent = CoreQuality(rawValue: 4)
    /// Not reported.
    public static let notAvailable = CoreQuality(rawValue: 7)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: CoreQuality, name: String)] = [
        (invalid, "invalid"), (poor, "poor"), (fair, "fair"), (good, "good"), (excellent, "excellent"),
        (notAvailable, "not_available"),
    ]
}

/// The state of the heart-rate sensor paired with a CORE.
public struct CoreHeartRateState: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The firmware does not support heart-rate sensors.
    public static let notSupported = CoreHeartRateState(rawValue: 0)
    /// Supported, but no signal is received.
    public static let supportedNoSignal = CoreHeartRateState(rawValue: 1)
    /// A signal is received.
    public static let supportedReceiving = CoreHeartRateState(rawValue: 2)
    /// Not reported.
    public static let notAvailable = CoreHeartRateState(rawValue: 3)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: CoreHeartRateState, name: String)] = [
        (notSupported, "not_supported"), (supportedNoSignal, "supported_no_signal"),
        (supportedReceiving, "supported_receiving"), (notAvailable, "not_available"),
    ]
}
