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
