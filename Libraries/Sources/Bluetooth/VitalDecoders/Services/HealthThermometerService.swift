/// The Health Thermometer Service (1809).
public enum HealthThermometerService {
    /// The UUID of the service.
    public static let uuid = BluetoothUUID(0x1809)

    /// Its characteristics.
    public static let characteristics: [CharacteristicType] = [
        .temperatureMeasurement, .temperatureType, .intermediateTemperature, .measurementInterval,
    ]
}

extension Specification {
    /// Health Thermometer Service 1.0.
    public static let healthThermometer = Specification("Health Thermometer Service", "1.0")
}

extension CharacteristicType {
    /// Temperature Measurement (2A1C, indicated).
    public static let temperatureMeasurement = CharacteristicType(
        BluetoothUUID(0x2A1C), "Temperature Measurement", .healthThermometer, TemperatureMeasurement.self)

    /// Temperature Type (2A1D, read).
    public static let temperatureType = CharacteristicType(
        BluetoothUUID(0x2A1D), "Temperature Type", .healthThermometer, TemperatureType.self)

    /// Intermediate Temperature (2A1E, notified).
    public static let intermediateTemperature = CharacteristicType(
        BluetoothUUID(0x2A1E), "Intermediate Temperature", .healthThermometer, TemperatureMeasurement.self)
}

extension CharacteristicType {
    /// Measurement Interval (2A21, read; for some sensors also written and indicated).
    public static let measurementInterval = CharacteristicType(
        BluetoothUUID(0x2A21), "Measurement Interval", .healthThermometer, MeasurementInterval.self)
}

/// The value of Measurement Interval (2A21): the time between two temperature measurements.
///
/// Source: Health Thermometer Service 1.0, section 3.4; GATT Specification Supplement, Measurement Interval.
public struct MeasurementInterval: CharacteristicValue {
    /// Seconds, 1 to 65535; 0 when the sensor does not measure periodically.
    public var seconds: UInt16

    public init(seconds: UInt16) {
        self.seconds = seconds
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let interval = try reader.uint16("measurement interval")
        reader.explain(interval == 0 ? "no periodic measurement" : "\(interval) s")
        seconds = interval
        try reader.expectEnd()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint16(seconds)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [Field("measurement_interval_s", FieldValue(seconds))]
    }
}

extension TemperatureUnit {
    /// A temperature of this unit in degrees Celsius; a special value is unchanged.
    func celsius(_ number: MedicalNumber) -> MedicalNumber {
        self == .celsius ? number : number.map { $0.celsiusFromFahrenheit }
    }

    /// A temperature of this unit in hundredths of a degree Celsius, rounded half away from zero.
    func celsiusHundredths(_ number: DecimalNumber) -> Int? {
        self == .celsius ? number.hundredths : number.celsiusHundredthsFromFahrenheit
    }
}

/// A value of Temperature Measurement (2A1C) or Intermediate Temperature (2A1E).
///
/// Source: Health Thermometer Service 1.0, section 3.1; GATT Specification Supplement, Temperature Measurement.
public struct TemperatureMeasurement: CharacteristicValue {
    /// The temperature, in ``unit``.
    public var temperature: MedicalFloat
    /// The unit of ``temperature``.
    public var unit: TemperatureUnit
    /// The sensor's own time, when sent.
    public var timestamp: DateTime?
    /// The measurement site, when the sensor sends it with every value.
    public var type: TemperatureType?

    public init(
        temperature: MedicalFloat, unit: TemperatureUnit = .celsius, timestamp: DateTime? = nil,
        type: TemperatureType? = nil
    ) {
        self.temperature = temperature
        self.unit = unit
        self.timestamp = timestamp
        self.type = type
    }

    /// The temperature in hundredths of a degree Celsius, rounded half away from zero, for exact comparison.
    ///
    /// `nil` when ``temperature`` is a special value, or beyond the range of `Int`.
    public var celsiusHundredths: Int? {
        temperature.decimal.flatMap(unit.celsiusHundredths)
    }

    /// Decodes a value without copying it, and without an allocation.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not allowed for the characteristic.
    @inlinable @inline(__always)
    public init(decoding octets: Span<UInt8>, context: DecodingContext) throws(MalformedValueError) {
        var reader = OctetReader(octets, context: context, log: NoFieldLog())
        try self.init(from: &reader)
    }

    /// Decodes a value without copying it; repeated here, so that it is not looked up in a witness table at run time.
    ///
    /// - Throws: ``MalformedValueError`` when the octets are not allowed for the characteristic.
    @inlinable @inline(__always)
    public init(decoding octets: Span<UInt8>) throws(MalformedValueError) {
        var reader = OctetReader(octets, context: DecodingContext(), log: NoFieldLog())
        try self.init(from: &reader)
    }

    @inlinable @inline(__always)
    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let flags = try reader.uint8("flags")
        unit = flags & 1 << 0 == 0 ? .celsius : .fahrenheit
        reader.explain(
            FlagText.describe(
                flags, [(0, "degrees Fahrenheit"), (1, "time stamp"), (2, "temperature type")],
                otherwise: [(0, "degrees Celsius")]))
        temperature = try reader.float("temperature")
        let shown = (number: temperature, unit: unit)
        reader.explain("\(shown.number) \(shown.unit == .celsius ? "°C" : "°F")")
        timestamp = flags & 1 << 1 == 0 ? nil : try reader.dateTime("time stamp", .announced)
        type = flags & 1 << 2 == 0 ? nil : try TemperatureType(from: &reader, .announced)
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        var flags: UInt8 = 0
        if unit == .fahrenheit { flags |= 1 << 0 }
        if timestamp != nil { flags |= 1 << 1 }
        if type != nil { flags |= 1 << 2 }
        writer.uint8(flags)
        writer.float(temperature)
        if let timestamp { writer.dateTime(timestamp) }
        if let type { type.encode(to: &writer) }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("temperature", FieldValue(temperature)),
            Field("unit", .text(unit.rawValue)),
            Field("temperature_celsius", FieldValue(unit.celsius(temperature.value))),
        ] + Field.time("timestamp", timestamp) + [
            Field("temperature_type", FieldValue(type?.rawValue)),
            Field("temperature_type_name", FieldValue(type?.name)),
        ]
    }
}

/// Where on the body a temperature is taken: the value of Temperature Type (2A1D).
///
/// Source: Health Thermometer Service 1.0, section 3.2; GATT Specification Supplement, Temperature Type.
public struct TemperatureType: AssignedNumber, CharacteristicValue {
    /// The number on the wire.
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// The armpit.
    public static let armpit = TemperatureType(rawValue: 1)
    /// The body in general.
    public static let body = TemperatureType(rawValue: 2)
    /// The ear, usually its lobe.
    public static let ear = TemperatureType(rawValue: 3)
    /// A finger.
    public static let finger = TemperatureType(rawValue: 4)
    /// The gastrointestinal tract.
    public static let gastrointestinalTract = TemperatureType(rawValue: 5)
    /// The mouth.
    public static let mouth = TemperatureType(rawValue: 6)
    /// The rectum.
    public static let rectum = TemperatureType(rawValue: 7)
    /// A toe.
    public static let toe = TemperatureType(rawValue: 8)
    /// The tympanum, the eardrum.
    public static let tympanum = TemperatureType(rawValue: 9)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: TemperatureType, name: String)] = [
        (armpit, "armpit"), (body, "body"), (ear, "ear"), (finger, "finger"),
        (gastrointestinalTract, "gastrointestinal_tract"), (mouth, "mouth"), (rectum, "rectum"), (toe, "toe"),
        (tympanum, "tympanum"),
    ]

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        try self.init(from: &reader, .required)
        try reader.expectEnd()
    }

    @inlinable @inline(__always)
    init(from reader: inout OctetReader<some FieldLog>, _ presence: FieldPresence) throws(MalformedValueError) {
        self = try reader.assigned("temperature type", presence)
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint8(rawValue)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("temperature_type", FieldValue(rawValue)),
            Field("temperature_type_name", .text(name)),
        ]
    }
}

/// Conversions from degrees Fahrenheit to degrees Celsius in whole numbers only, so that 100.94 °F is exactly 38.3 °C.
extension DecimalNumber {
    /// This number of degrees Fahrenheit in hundredths of a degree Celsius, rounded half away from zero.
    ///
    /// `nil` beyond the range of `Int`.
    public var celsiusHundredthsFromFahrenheit: Int? {
        let (numerator, exponent) = ninefoldCelsiusFromFahrenheit
        // Hundredths = numerator × 10^(exponent + 2) / 9, and the numerator is at most 5 × 10^18.
        let (scale, tooLarge) = exponent.addingReportingOverflow(2)
        if scale >= 0 || tooLarge {
            guard let power = Self.power(of: scale) else { return numerator == 0 ? 0 : nil }
            let (scaled, overflow) = numerator.multipliedReportingOverflow(by: power)
            return overflow ? nil : Int(exactly: Self.divided(scaled, by: 9))
        }
        guard let power = Self.power(of: -scale) else { return 0 }
        let (divisor, overflow) = power.multipliedReportingOverflow(by: 9)
        return overflow ? 0 : Int(exactly: Self.divided(numerator, by: divisor))
    }

    /// This number of degrees Fahrenheit in degrees Celsius: exact where a decimal can be (98.6 °F is 37 °C), else
    /// rounded to 16 significant digits.
    public var celsiusFromFahrenheit: DecimalNumber {
        var (numerator, exponent) = ninefoldCelsiusFromFahrenheit
        if numerator % 9 == 0 {
            return DecimalNumber(numerator / 9, exponent: exponent)
        }
        while numerator.magnitude < 9_000_000_000_000_000 {
            numerator *= 10
            exponent -= 1
        }
        return DecimalNumber(Self.divided(numerator, by: 9), exponent: exponent)
    }

    /// Nine times the temperature in degrees Celsius: 5 × (number − 32), with a magnitude of at most 5.1 × 10^18.
    private var ninefoldCelsiusFromFahrenheit: (numerator: Int64, exponent: Int) {
        let limit = Int64(100_000_000_000_000_000)
        var (digits, power) = (mantissa, exponent)
        // More than fifteen decimal places, or more than 17 digits, are rounded to odd, which does not change any later
        // rounding to hundredths or sixteen digits.
        var isInexact = false
        while digits != 0, power < -15 || digits.magnitude >= limit.magnitude {
            isInexact = isInexact || digits % 10 != 0
            digits /= 10
            power = power == .max ? power : power + 1
        }
        if digits == 0 {
            return (-160, 0)
        }
        if isInexact, digits % 5 == 0 {
            digits += mantissa.signum()
        }
        while power > 0, digits.magnitude < limit.magnitude / 10 {
            digits *= 10
            power -= 1
        }
        guard power <= 0, let scale = Self.power(of: -power) else {
            // The number is so large that 32 degrees are less than its last digit.
            return (digits * 5, power)
        }
        return ((digits - 32 * scale) * 5, power)
    }

    /// The quotient, rounded half away from zero.
    private static func divided(_ numerator: Int64, by divisor: Int64) -> Int64 {
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: divisor)
        return remainder.magnitude >= (divisor.magnitude + 1) / 2 ? quotient + numerator.signum() : quotient
    }
}
