/// The Glucose Service (1808).
public enum GlucoseService {
    /// The UUID of the service.
    public static let uuid = BluetoothUUID(0x1808)

    /// Its characteristics.
    public static let characteristics: [CharacteristicType] = [
        .glucoseMeasurement, .glucoseMeasurementContext, .glucoseFeature,
    ]
}

extension Specification {
    /// Glucose Service 1.0.1.
    public static let glucose = Specification("Glucose Service", "1.0.1")
}

extension CharacteristicType {
    /// Glucose Measurement (2A18, notified).
    public static let glucoseMeasurement = CharacteristicType(
        BluetoothUUID(0x2A18), "Glucose Measurement", .glucose, GlucoseMeasurement.self)

    /// Glucose Measurement Context (2A34, notified).
    public static let glucoseMeasurementContext = CharacteristicType(
        BluetoothUUID(0x2A34), "Glucose Measurement Context", .glucose, GlucoseMeasurementContext.self)

    /// Glucose Feature (2A51, read).
    public static let glucoseFeature = CharacteristicType(
        BluetoothUUID(0x2A51), "Glucose Feature", .glucose, GlucoseFeature.self)
}

/// A value of Glucose Measurement (2A18).
///
/// Source: Glucose Service 1.0.1, section 3.1; GATT Specification Supplement, Glucose Measurement.
public struct GlucoseMeasurement: CharacteristicValue {
    /// The number of the record, which orders records and links a context to its measurement.
    public var sequenceNumber: UInt16
    /// The meter's time, without ``timeOffset``.
    public var baseTime: DateTime
    /// Minutes to add to ``baseTime``, when sent.
    public var timeOffset: Int16?
    /// The concentration, when sent.
    public var sample: GlucoseSample?
    /// The status bits of the measurement, when sent.
    public var sensorStatus: GlucoseSensorStatus?
    /// Whether a Glucose Measurement Context with the same number follows.
    public var contextFollows: Bool

    public init(
        sequenceNumber: UInt16, baseTime: DateTime, timeOffset: Int16? = nil, sample: GlucoseSample? = nil,
        sensorStatus: GlucoseSensorStatus? = nil, contextFollows: Bool = false
    ) {
        self.sequenceNumber = sequenceNumber
        self.baseTime = baseTime
        self.timeOffset = timeOffset
        self.sample = sample
        self.sensorStatus = sensorStatus
        self.contextFollows = contextFollows
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let flags = try reader.uint8("flags")
        reader.explain(
            FlagText.describe(
                flags,
                [
                    (0, "time offset"), (1, "concentration, type and location"), (2, "mol/L"),
                    (3, "sensor status annunciation"), (4, "context follows"),
                ], otherwise: [(2, "kg/L")]))
        sequenceNumber = try reader.uint16("sequence number")
        baseTime = try reader.dateTime("base time")
        timeOffset = nil
        sample = nil
        sensorStatus = nil
        contextFollows = flags & 1 << 4 != 0
        if flags & 1 << 0 != 0 {
            let minutes = try reader.int16("time offset", .announced)
            reader.explain("\(minutes) min")
            timeOffset = minutes
        }
        if flags & 1 << 1 != 0 {
            sample = try Self.sample(
                unit: flags & 1 << 2 == 0 ? .kilogramsPerLitre : .molesPerLitre, from: &reader)
        }
        if flags & 1 << 3 != 0 {
            let status = GlucoseSensorStatus(rawValue: try reader.uint16("sensor status annunciation", .announced))
            reader.explain(status.explanation)
            sensorStatus = status
        }
    }

    private static func sample(
        unit: GlucoseUnit, from reader: inout OctetReader<some FieldLog>
    ) throws(MalformedValueError) -> GlucoseSample {
        let concentration = try reader.shortFloat("glucose concentration", .announced)
        var sample = GlucoseSample(concentration: concentration, unit: unit, source: .init(rawValue: 0))
        reader.explain("\(concentration) \(unit.rawValue) = \(sample.text)")
        let source = GlucoseSampleSource(rawValue: try reader.uint8("type and sample location", .announced))
        reader.explain("\(source.fluid.name), \(source.location.name)")
        sample.source = source
        return sample
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        var flags: UInt8 = 0
        if timeOffset != nil { flags |= 1 << 0 }
        if sample != nil { flags |= 1 << 1 }
        if sample?.unit == .molesPerLitre { flags |= 1 << 2 }
        if sensorStatus != nil { flags |= 1 << 3 }
        if contextFollows { flags |= 1 << 4 }
        writer.uint8(flags)
        writer.uint16(sequenceNumber)
        writer.dateTime(baseTime)
        if let timeOffset { writer.int16(timeOffset) }
        if let sample {
            writer.shortFloat(sample.concentration)
            writer.uint8(sample.source.rawValue)
        }
        if let sensorStatus { writer.uint16(sensorStatus.rawValue) }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("sequence_number", FieldValue(sequenceNumber))
        ] + Field.time("base_time", baseTime) + [
            Field("time_offset_min", FieldValue(timeOffset)),
            Field("glucose_concentration", FieldValue(sample?.concentration)),
            Field("glucose_unit", FieldValue(sample?.unit.rawValue)),
            Field(
                sample?.unit == .molesPerLitre ? "glucose_mmol_per_l" : "glucose_mg_per_dl",
                sample.map { FieldValue($0.clinicalConcentration) } ?? .absent),
            Field("fluid_type", FieldValue(sample?.source.fluid.rawValue)),
            Field("sample_location", FieldValue(sample?.source.location.rawValue)),
            Field("sensor_status", FieldValue(sensorStatus?.rawValue)),
            Field("context_follows", .bool(contextFollows)),
        ]
    }
}

/// The status that a glucose meter reports with a measurement.
///
/// Source: GATT Specification Supplement, Glucose Measurement, Sensor Status Annunciation.
public struct GlucoseSensorStatus: ClinicalStatusWord {
    /// The number on the wire.
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The result is above the meter's range: "HI".
    public static let resultTooHigh = Self(rawValue: 1 << 5)
    /// The result is below the meter's range: "LO".
    public static let resultTooLow = Self(rawValue: 1 << 6)

    /// The assigned bits, with their names and their meanings for the value.
    public static let table: [StatusBit] = [
        StatusBit(0, "device battery low", .usable, .information),
        StatusBit(1, "sensor malfunction", .unusable, .equipmentFault),
        StatusBit(2, "sample size insufficient", .unusable, .signal),
        StatusBit(3, "strip insertion error", .unusable, .equipmentFault),
        StatusBit(4, "strip type incorrect", .unusable, .equipmentFault),
        StatusBit(5, "result too high for the device", .unusable, .outOfRange),
        StatusBit(6, "result too low for the device", .unusable, .outOfRange),
        StatusBit(7, "sensor temperature too high", .unusable, .equipmentFault),
        StatusBit(8, "sensor temperature too low", .unusable, .equipmentFault),
        StatusBit(9, "strip pulled too soon", .unusable, .signal),
        StatusBit(10, "general device fault", .unusable, .equipmentFault),
        StatusBit(11, "time fault", .usable, .information),
    ]
}

/// The value of Glucose Feature (2A51): what a meter can detect.
///
/// Source: Glucose Service 1.0.1, section 3.3; GATT Specification Supplement, Glucose Feature.
public struct GlucoseFeature: StatusWord, CharacteristicValue {
    /// The number on the wire.
    public let rawValue: UInt16

    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The assigned bits, with their names.
    public static let bits: [(bit: Int, name: String)] = [
        (0, "low battery detection"), (1, "sensor malfunction detection"), (2, "sample size detection"),
        (3, "strip insertion error detection"), (4, "strip type error detection"), (5, "result high-low detection"),
        (6, "temperature high-low detection"), (7, "read interrupt detection"), (8, "general device fault"),
        (9, "time fault"), (10, "multiple bonds"),
    ]

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let features = GlucoseFeature(rawValue: try reader.uint16("features"))
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
        [Field("glucose_features", FieldValue(rawValue))]
    }
}

/// A unit in which a glucose meter sends a concentration.
public enum GlucoseUnit: String, CaseIterable, Hashable, Sendable {
    /// Kilograms a litre.
    case kilogramsPerLitre = "kg/L"
    /// Moles a litre.
    case molesPerLitre = "mol/L"
}

/// A glucose concentration with its unit, fluid and location.
public struct GlucoseSample: Hashable, Sendable {
    /// The concentration, in ``unit``.
    public var concentration: MedicalShortFloat
    /// The unit of ``concentration``.
    public var unit: GlucoseUnit
    /// The fluid and its location.
    public var source: GlucoseSampleSource

    public init(concentration: MedicalShortFloat, unit: GlucoseUnit, source: GlucoseSampleSource) {
        self.concentration = concentration
        self.unit = unit
        self.source = source
    }

    /// The concentration in mg/dL for a mass and in mmol/L for an amount of substance, exactly; a special value is
    /// unchanged.
    public var clinicalConcentration: MedicalNumber {
        let shift = unit == .kilogramsPerLitre ? 5 : 3
        return concentration.value.map { DecimalNumber($0.mantissa, exponent: $0.exponent + shift) }
    }

    /// ``clinicalConcentration`` with its unit.
    var text: String {
        "\(clinicalConcentration) \(unit == .kilogramsPerLitre ? "mg/dL" : "mmol/L")"
    }
}

/// The sampled fluid and its location on the body: two numbers in one octet.
public struct GlucoseSampleSource: Hashable, Sendable {
    /// The octet as sent.
    public var rawValue: UInt8

    /// Creates a source from the transmitted octet.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Creates a source from its parts, using the low four bits of each.
    public init(fluid: GlucoseFluid, location: GlucoseSampleLocation) {
        rawValue = fluid.rawValue & 15 | location.rawValue << 4
    }

    /// The fluid (low four bits).
    public var fluid: GlucoseFluid { GlucoseFluid(rawValue: rawValue & 15) }

    /// The location (high four bits).
    public var location: GlucoseSampleLocation { GlucoseSampleLocation(rawValue: rawValue >> 4) }

    /// Whether the sample is a control solution instead of a patient's.
    public var isControlSolution: Bool { fluid == .controlSolution || location == .controlSolution }
}

/// The fluid in which glucose was measured.
public struct GlucoseFluid: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A control solution, not a patient's sample.
    public static let controlSolution = GlucoseFluid(rawValue: 10)
    /// Interstitial fluid.
    public static let interstitialFluid = GlucoseFluid(rawValue: 9)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: GlucoseFluid, name: String)] = [
        (.init(rawValue: 1), "capillary_whole_blood"), (.init(rawValue: 2), "capillary_plasma"),
        (.init(rawValue: 3), "venous_whole_blood"), (.init(rawValue: 4), "venous_plasma"),
        (.init(rawValue: 5), "arterial_whole_blood"), (.init(rawValue: 6), "arterial_plasma"),
        (.init(rawValue: 7), "undetermined_whole_blood"), (.init(rawValue: 8), "undetermined_plasma"),
        (interstitialFluid, "interstitial_fluid"), (controlSolution, "control_solution"),
    ]
}

/// The location of a glucose sample; only continuous monitors use subcutaneous tissue.
public struct GlucoseSampleLocation: AssignedNumber {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// A control solution, not a patient's sample.
    public static let controlSolution = GlucoseSampleLocation(rawValue: 4)
    /// A finger.
    public static let finger = GlucoseSampleLocation(rawValue: 1)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: GlucoseSampleLocation, name: String)] = [
        (.init(rawValue: 1), "finger"), (.init(rawValue: 2), "alternate_site_test"), (.init(rawValue: 3), "earlobe"),
        (controlSolution, "control_solution"), (.init(rawValue: 5), "subcutaneous_tissue"),
        (.init(rawValue: 15), "not_available"),
    ]
}
