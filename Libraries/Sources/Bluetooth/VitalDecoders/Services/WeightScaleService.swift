/// The Weight Scale Service (181D).
public enum WeightScaleService {
    /// The UUID of the service.
    public static let uuid = BluetoothUUID(0x181D)

    /// Its characteristics.
    public static let characteristics: [CharacteristicType] = [.weightMeasurement, .weightScaleFeature]
}

extension Specification {
    /// Weight Scale Service 1.0.1.
    public static let weightScale = Specification("Weight Scale Service", "1.0.1")
}

extension CharacteristicType {
    /// Weight Measurement (2A9D, indicated).
    public static let weightMeasurement = CharacteristicType(
        BluetoothUUID(0x2A9D), "Weight Measurement", .weightScale, WeightMeasurement.self)

    /// Weight Scale Feature (2A9E, read).
    public static let weightScaleFeature = CharacteristicType(
        BluetoothUUID(0x2A9E), "Weight Scale Feature", .weightScale, WeightScaleFeature.self)
}

/// A value of Weight Measurement (2A9D).
///
/// Source: Weight Scale Service 1.0.1, section 3.2; GATT Specification Supplement, Weight Measurement.
public struct WeightMeasurement: CharacteristicValue {
    /// Whether weight and height are in pounds and inches instead of kilograms and metres.
    public var isImperial: Bool
    /// Units of 0.005 kg or 0.01 lb; 0xFFFF for a failed measurement.
    public var rawWeight: UInt16
    /// The scale's own time, when sent.
    public var timestamp: DateTime?
    /// The user number, when sent; 255 for an unknown user.
    public var userIdentifier: UInt8?
    /// Body mass index and height, when sent.
    public var stature: Stature?
    /// The reserved flags, bits 4 to 7; some scales use them to mark a value that is not final.
    public var reservedFlags: UInt8

    /// Body mass index and height.
    public struct Stature: Hashable, Sendable {
        /// Tenths of kg/m².
        public var rawBodyMassIndex: UInt16
        /// Units of 0.001 m or 0.1 in.
        public var rawHeight: UInt16

        public init(rawBodyMassIndex: UInt16, rawHeight: UInt16) {
            self.rawBodyMassIndex = rawBodyMassIndex
            self.rawHeight = rawHeight
        }
    }

    public init(
        isImperial: Bool = false, rawWeight: UInt16, timestamp: DateTime? = nil, userIdentifier: UInt8? = nil,
        stature: Stature? = nil, reservedFlags: UInt8 = 0
    ) {
        self.reservedFlags = reservedFlags & 0xF0
        self.isImperial = isImperial
        self.rawWeight = rawWeight
        self.timestamp = timestamp
        self.userIdentifier = userIdentifier
        self.stature = stature
    }

    /// The weight in kilograms or pounds, or `nil` for a failed measurement.
    public var weight: DecimalNumber? {
        guard rawWeight != .max else { return nil }
        return isImperial
            ? DecimalNumber(Int64(rawWeight), exponent: -2) : DecimalNumber(5 * Int64(rawWeight), exponent: -3)
    }

    /// The body mass index in kg/m², when sent.
    public var bodyMassIndex: DecimalNumber? {
        stature.map { DecimalNumber(Int64($0.rawBodyMassIndex), exponent: -1) }
    }

    /// The height in metres or inches, when sent.
    public var height: DecimalNumber? {
        stature.map { DecimalNumber(Int64($0.rawHeight), exponent: isImperial ? -1 : -3) }
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let flags = try reader.uint8("flags")
        reader.explain(
            FlagText.describe(
                flags,
                [
                    (0, "pounds and inches"), (1, "time stamp"), (2, "user identifier"),
                    (3, "body mass index and height"),
                ], otherwise: [(0, "kilograms and metres")]))
        isImperial = flags & 1 << 0 != 0
        reservedFlags = flags & 0xF0
        rawWeight = try reader.uint16("weight")
        timestamp = nil
        userIdentifier = nil
        stature = nil
        let shownWeight = weight
        let weightUnit = weightUnit
        reader.explain(shownWeight.map { "\($0) \(weightUnit)" } ?? "measurement unsuccessful")
        if flags & 1 << 1 != 0 {
            timestamp = try reader.dateTime("time stamp", .announced)
        }
        if flags & 1 << 2 != 0 {
            let user = try reader.uint8("user identifier", .announced)
            reader.explain(user == 255 ? "unknown user" : "\(user)")
            userIdentifier = user
        }
        if flags & 1 << 3 != 0 {
            let index = try reader.uint16("body mass index", .announced)
            reader.explain("\(DecimalNumber(Int64(index), exponent: -1)) kg/m²")
            stature = Stature(rawBodyMassIndex: index, rawHeight: try reader.uint16("height", .announced))
            let shownHeight = height
            let heightUnit = heightUnit
            reader.explain("\(shownHeight.map { $0.description } ?? "") \(heightUnit)")
        }
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        var flags = reservedFlags | (isImperial ? 1 << 0 : 0)
        if timestamp != nil { flags |= 1 << 1 }
        if userIdentifier != nil { flags |= 1 << 2 }
        if stature != nil { flags |= 1 << 3 }
        writer.uint8(flags)
        writer.uint16(rawWeight)
        if let timestamp { writer.dateTime(timestamp) }
        if let userIdentifier { writer.uint8(userIdentifier) }
        if let stature {
            writer.uint16(stature.rawBodyMassIndex)
            writer.uint16(stature.rawHeight)
        }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("weight", FieldValue(weight)),
            Field("weight_unit", .text(weightUnit)),
        ] + Field.time("timestamp", timestamp) + [
            Field("user_id", FieldValue(userIdentifier)),
            Field("bmi", FieldValue(bodyMassIndex)),
            Field("height", FieldValue(height)),
            Field("height_unit", .text(heightUnit)),
        ]
    }

    private var weightUnit: String { isImperial ? "lb" : "kg" }
    private var heightUnit: String { isImperial ? "in" : "m" }
}

/// The value of Weight Scale Feature (2A9E): the features of a scale.
///
/// Source: Weight Scale Service 1.0.1, section 3.1; GATT Specification Supplement, Weight Scale Feature.
public struct WeightScaleFeature: CharacteristicValue {
    /// The word as sent: bit 0 time stamp, bit 1 several users, bit 2 body mass index, bits 3 to 6 the resolution of
    /// the weight, bits 7 to 9 that of the height.
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Whether the scale sends the time of a measurement.
    public var hasTimestamp: Bool { rawValue & 1 << 0 != 0 }
    /// Whether the scale distinguishes users.
    public var hasMultipleUsers: Bool { rawValue & 1 << 1 != 0 }
    /// Whether the scale sends the body mass index.
    public var hasBodyMassIndex: Bool { rawValue & 1 << 2 != 0 }
    /// The code of the resolution of the weight, 0 for unknown, 1 for 0.5 kg or 1 lb to 7 for 0.005 kg or 0.01 lb.
    public var weightResolution: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 3 & 15) }
    /// The code of the resolution of the height, 0 for unknown, 1 for 0.01 m or 1 in to 3 for 0.001 m or 0.1 in.
    public var heightResolution: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 7 & 7) }

    private var weightStep: String {
        let steps = [
            "unknown size", "0.5 kg or 1 lb", "0.2 kg or 0.5 lb", "0.1 kg or 0.2 lb", "0.05 kg or 0.1 lb",
            "0.02 kg or 0.05 lb", "0.01 kg or 0.02 lb", "0.005 kg or 0.01 lb",
        ]
        return steps.indices.contains(Int(weightResolution)) ? steps[Int(weightResolution)] : "reserved size"
    }

    private var heightStep: String {
        let steps = ["unknown size", "0.01 m or 1 in", "0.005 m or 0.5 in", "0.001 m or 0.1 in"]
        return steps.indices.contains(Int(heightResolution)) ? steps[Int(heightResolution)] : "reserved size"
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        rawValue = try reader.uint32("features")
        let shown = self
        reader.explain(
            FlagText.describe(
                shown.rawValue & 7, [(0, "time stamp"), (1, "multiple users"), (2, "body mass index")])
                + ", weight in steps of \(shown.weightStep), height in steps of \(shown.heightStep)")
        try reader.expectEnd()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint32(rawValue)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("weight_scale_features", FieldValue(rawValue)),
            Field("weight_resolution", FieldValue(weightResolution)),
            Field("height_resolution", FieldValue(heightResolution)),
        ]
    }
}
