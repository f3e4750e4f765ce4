/// The Blood Pressure Service (1810).
public enum BloodPressureService {
    /// The UUID of the service.
    public static let uuid = BluetoothUUID(0x1810)

    /// Its characteristics.
    public static let characteristics: [CharacteristicType] = [
        .bloodPressureMeasurement, .intermediateCuffPressure, .bloodPressureFeature,
    ]
}

extension Specification {
    /// Blood Pressure Service 1.1.1.
    public static let bloodPressure = Specification("Blood Pressure Service", "1.1.1")
}

extension CharacteristicType {
    /// Blood Pressure Measurement (2A35, indicated).
    public static let bloodPressureMeasurement = CharacteristicType(
        BluetoothUUID(0x2A35), "Blood Pressure Measurement", .bloodPressure, BloodPressureMeasurement.self)

    /// Intermediate Cuff Pressure (2A36, notified).
    public static let intermediateCuffPressure = CharacteristicType(
        BluetoothUUID(0x2A36), "Intermediate Cuff Pressure", .bloodPressure, IntermediateCuffPressure.self)

    /// Blood Pressure Feature (2A49, read).
    public static let bloodPressureFeature = CharacteristicType(
        BluetoothUUID(0x2A49), "Blood Pressure Feature", .bloodPressure, BloodPressureFeature.self)
}

/// A unit of pressure.
public enum PressureUnit: String, CaseIterable, Hashable, Sendable {
    /// Millimetres of mercury.
    case millimetresOfMercury = "mmHg"
    /// Kilopascals.
    case kilopascals = "kPa"
}

/// The circumstances of a blood pressure that the sensor sent.
public struct BloodPressureCircumstances: Hashable, Sendable {
    /// The sensor's own time.
    public var timestamp: DateTime?
    /// Beats a minute.
    public var pulseRate: MedicalShortFloat?
    /// The user number; 255 for an unknown user.
    public var userIdentifier: UInt8?
    /// The status bits of the measurement.
    public var measurementStatus: BloodPressureStatus?

    /// Creates circumstances.
    public init(
        timestamp: DateTime? = nil, pulseRate: MedicalShortFloat? = nil, userIdentifier: UInt8? = nil,
        measurementStatus: BloodPressureStatus? = nil
    ) {
        self.timestamp = timestamp
        self.pulseRate = pulseRate
        self.userIdentifier = userIdentifier
        self.measurementStatus = measurementStatus
    }

    init(flags: UInt8, from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        timestamp = flags & 1 << 1 == 0 ? nil : try reader.dateTime("time stamp", .announced)
        pulseRate = nil
        userIdentifier = nil
        measurementStatus = nil
        if flags & 1 << 2 != 0 {
            let rate = try reader.shortFloat("pulse rate", .announced)
            reader.explain("\(rate) beats a minute")
            pulseRate = rate
        }
        if flags & 1 << 3 != 0 {
            let user = try reader.uint8("user identifier", .announced)
            reader.explain(user == 255 ? "unknown user" : "\(user)")
            userIdentifier = user
        }
        if flags & 1 << 4 != 0 {
            let status = BloodPressureStatus(rawValue: try reader.uint16("measurement status", .announced))
            reader.explain(status.explanation)
            measurementStatus = status
        }
    }

    var flags: UInt8 {
        (timestamp == nil ? 0 : 1 << 1) | (pulseRate == nil ? 0 : 1 << 2) | (userIdentifier == nil ? 0 : 1 << 3)
            | (measurementStatus == nil ? 0 : 1 << 4)
    }

    func encode(to writer: inout OctetWriter) {
        if let timestamp { writer.dateTime(timestamp) }
        if let pulseRate { writer.shortFloat(pulseRate) }
        if let userIdentifier { writer.uint8(userIdentifier) }
        if let measurementStatus { writer.uint16(measurementStatus.rawValue) }
    }

    var fields: [Field] {
        Field.time("timestamp", timestamp) + [
            Field("pulse_rate_bpm", FieldValue(pulseRate)),
            Field("user_id", FieldValue(userIdentifier)),
            Field("measurement_status", FieldValue(measurementStatus?.rawValue)),
        ]
    }

    static func readFlags(_ reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) -> (
        flags: UInt8, unit: PressureUnit
    ) {
        let flags = try reader.uint8("flags")
        reader.explain(
            FlagText.describe(
                flags,
                [(0, "kPa"), (1, "time stamp"), (2, "pulse rate"), (3, "user identifier"), (4, "measurement status")],
                otherwise: [(0, "mmHg")]))
        return (flags, flags & 1 << 0 == 0 ? .millimetresOfMercury : .kilopascals)
    }
}

extension OctetReader {
    fileprivate mutating func pressure(
        _ name: StaticString, _ unit: PressureUnit
    ) throws(MalformedValueError) -> MedicalShortFloat {
        let pressure = try shortFloat(name)
        explain("\(pressure) \(unit.rawValue)")
        return pressure
    }
}

/// A value of Blood Pressure Measurement (2A35).
///
/// Source: Blood Pressure Service 1.1.1, section 3.1; GATT Specification Supplement, Blood Pressure Measurement.
public struct BloodPressureMeasurement: CharacteristicValue {
    /// The unit of the pressures.
    public var unit: PressureUnit
    /// The systolic pressure.
    public var systolic: MedicalShortFloat
    /// The diastolic pressure.
    public var diastolic: MedicalShortFloat
    /// The mean arterial pressure.
    public var meanArterialPressure: MedicalShortFloat
    /// The circumstances of the measurement.
    public var circumstances: BloodPressureCircumstances

    public init(
        unit: PressureUnit = .millimetresOfMercury, systolic: MedicalShortFloat, diastolic: MedicalShortFloat,
        meanArterialPressure: MedicalShortFloat, circumstances: BloodPressureCircumstances = .init()
    ) {
        self.unit = unit
        self.systolic = systolic
        self.diastolic = diastolic
        self.meanArterialPressure = meanArterialPressure
        self.circumstances = circumstances
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let (flags, unit) = try BloodPressureCircumstances.readFlags(&reader)
        self.unit = unit
        systolic = try reader.pressure("systolic pressure", unit)
        diastolic = try reader.pressure("diastolic pressure", unit)
        meanArterialPressure = try reader.pressure("mean arterial pressure", unit)
        circumstances = try BloodPressureCircumstances(flags: flags, from: &reader)
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint8((unit == .kilopascals ? 1 << 0 : 0) | circumstances.flags)
        writer.shortFloat(systolic)
        writer.shortFloat(diastolic)
        writer.shortFloat(meanArterialPressure)
        circumstances.encode(to: &writer)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("systolic", FieldValue(systolic)),
            Field("diastolic", FieldValue(diastolic)),
            Field("mean_arterial_pressure", FieldValue(meanArterialPressure)),
            Field("unit", .text(unit.rawValue)),
        ] + circumstances.fields
    }
}

/// A value of Intermediate Cuff Pressure (2A36), sent while the cuff is emptied.
///
/// Source: Blood Pressure Service 1.1.1, section 3.2; GATT Specification Supplement, Intermediate Cuff Pressure.
public struct IntermediateCuffPressure: CharacteristicValue {
    /// The unit of the pressure.
    public var unit: PressureUnit
    /// The pressure in the cuff.
    public var cuffPressure: MedicalShortFloat
    /// The circumstances of the measurement.
    public var circumstances: BloodPressureCircumstances

    public init(
        unit: PressureUnit = .millimetresOfMercury, cuffPressure: MedicalShortFloat,
        circumstances: BloodPressureCircumstances = .init()
    ) {
        self.unit = unit
        self.cuffPressure = cuffPressure
        self.circumstances = circumstances
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let (flags, unit) = try BloodPressureCircumstances.readFlags(&reader)
        self.unit = unit
        cuffPressure = try reader.pressure("cuff pressure", unit)
        _ = try reader.pressure("diastolic pressure (unused)", unit)
        _ = try reader.pressure("mean arterial pressure (unused)", unit)
        circumstances = try BloodPressureCircumstances(flags: flags, from: &reader)
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint8((unit == .kilopascals ? 1 << 0 : 0) | circumstances.flags)
        writer.shortFloat(cuffPressure)
        writer.shortFloat(.nan)
        writer.shortFloat(.nan)
        circumstances.encode(to: &writer)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("cuff_pressure", FieldValue(cuffPressure)),
            Field("unit", .text(unit.rawValue)),
        ] + circumstances.fields
    }
}

/// The status that a blood-pressure monitor reports with a measurement.
///
/// Source: GATT Specification Supplement, Blood Pressure Measurement, Measurement Status.
public struct BloodPressureStatus: ClinicalStatusWord {
    /// The number on the wire.
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The body moved.
    public static let bodyMovement = Self(rawValue: 1 << 0)
    /// The cuff is too loose.
    public static let cuffTooLoose = Self(rawValue: 1 << 1)
    /// The pulse is irregular.
    public static let irregularPulse = Self(rawValue: 1 << 2)
    /// The pulse rate is over the sensor's upper limit.
    public static let pulseRateAboveLimit = Self(rawValue: 1 << 3)
    /// The pulse rate is under the sensor's lower limit.
    public static let pulseRateBelowLimit = Self(rawValue: 2 << 3)
    /// The sensor is in the wrong position.
    public static let improperPosition = Self(rawValue: 1 << 5)

    /// The assigned bits, with their names and their meanings for the value.
    public static let table: [StatusBit] = [
        StatusBit(0, "body movement detected", .questionable, .signal),
        StatusBit(1, "cuff too loose", .questionable, .signal),
        StatusBit(2, "irregular pulse detected", .usable, .information),
        StatusBit(3, "pulse rate above the upper limit", .usable, .information, alternative: 4),
        StatusBit(4, "pulse rate below the lower limit", .usable, .information, alternative: 3),
        StatusBit(5, "improper measurement position", .questionable, .signal),
    ]
}

/// The value of Blood Pressure Feature (2A49): what a monitor can detect.
///
/// Source: Blood Pressure Service 1.1.1, section 3.3; GATT Specification Supplement, Blood Pressure Feature.
public struct BloodPressureFeature: StatusWord, CharacteristicValue {
    /// The number on the wire.
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The assigned bits, with their names.
    public static let bits: [(bit: Int, name: String)] = [
        (0, "body movement detection"), (1, "cuff fit detection"), (2, "irregular pulse detection"),
        (3, "pulse rate range detection"), (4, "measurement position detection"), (5, "multiple bonds"),
        (6, "E2E-CRC"), (7, "user data service"), (8, "user facing time"),
    ]

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let features = BloodPressureFeature(rawValue: try reader.uint16("features"))
        reader.explain(features.description)
        self = features
        try reader.expectEnd()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint16(rawValue)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [Field("blood_pressure_features", FieldValue(rawValue))]
    }
}
