/// The Heart Rate Service (180D).
public enum HeartRateService {
    /// The UUID of the service.
    public static let uuid = BluetoothUUID(0x180D)

    /// Its characteristics.
    public static let characteristics: [CharacteristicType] = [
        .heartRateMeasurement, .bodySensorLocation, .heartRateControlPoint,
    ]
}

extension Specification {
    /// Heart Rate Service 1.0.
    public static let heartRate = Specification("Heart Rate Service", "1.0")
}

extension CharacteristicType {
    /// Heart Rate Measurement (2A37, notified).
    public static let heartRateMeasurement = CharacteristicType(
        BluetoothUUID(0x2A37), "Heart Rate Measurement", .heartRate, HeartRateMeasurement.self)

    /// Body Sensor Location (2A38, read).
    public static let bodySensorLocation = CharacteristicType(
        BluetoothUUID(0x2A38), "Body Sensor Location", .heartRate, BodySensorLocation.self)

    /// Heart Rate Control Point (2A39, written).
    public static let heartRateControlPoint = CharacteristicType(
        BluetoothUUID(0x2A39), "Heart Rate Control Point", .heartRate, HeartRateCommand.self)
}

/// The strap's report of skin contact.
public enum SensorContact: String, CaseIterable, Hashable, Sendable {
    /// The sensor cannot detect contact; this does not mean contact.
    case notSupported = "not_supported"
    /// No contact, or a poor one.
    case notDetected = "not_detected"
    /// Good contact.
    case detected
}

/// The time between two beats.
public struct RRInterval: Hashable, Sendable {
    /// The time in units of 1/1024 s.
    public var raw: UInt16

    /// Creates an interval from units of 1/1024 s.
    @inlinable
    public init(raw: UInt16) {
        self.raw = raw
    }

    /// The time in milliseconds, exactly.
    @inlinable
    public var milliseconds: DecimalNumber {
        // raw × 1000 / 1024 = raw × 125 / 2^7 = raw × 125 × 5^7 × 10^−7
        DecimalNumber(Int64(raw) * 125 * 78_125, exponent: -7)
    }
}

/// A value of Heart Rate Measurement (2A37).
///
/// Sensors send a heart rate of 0 when they have no value; it does not mean asystole. Source: Heart Rate Service 1.0,
/// section 3.1; GATT Specification Supplement, Heart Rate Measurement.
public struct HeartRateMeasurement: CharacteristicValue {
    /// Beats a minute; 0 when the sensor has no value.
    public var heartRate: UInt16
    /// The reported skin contact.
    public var contact: SensorContact
    /// Kilojoules since the last reset, when sent; 65535 means that the counter is full.
    public var energyExpended: UInt16?
    /// The times between the newest beats, oldest first, when sent.
    public var rrIntervals: [RRInterval]?

    public init(
        heartRate: UInt16, contact: SensorContact = .notSupported, energyExpended: UInt16? = nil,
        rrIntervals: [RRInterval]? = nil
    ) {
        self.heartRate = heartRate
        self.contact = contact
        self.energyExpended = energyExpended
        self.rrIntervals = rrIntervals
    }

    /// Decodes a value without copying it, and without an allocation when there are no RR intervals.
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

    /// Reads a measurement; an odd octet after the last RR interval is left unread, as any extra octet.
    @inlinable @inline(__always)
    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let flags = try reader.uint8("flags")
        contact =
            switch flags >> 1 & 3 {
            case 3: .detected
            case 2: .notDetected
            default: .notSupported
            }
        let shownContact = contact
        reader.explain(Self.describe(flags, contact: shownContact))
        heartRate =
            flags & 1 << 0 == 0
            ? UInt16(try reader.uint8("8-bit heart rate", .announced))
            : try reader.uint16("16-bit heart rate", .announced)
        let shownRate = heartRate
        reader.explain("\(shownRate) beats a minute")
        energyExpended = nil
        if flags & 1 << 3 != 0 {
            let energy = try reader.uint16("energy expended", .announced)
            reader.explain("\(energy) kJ\(energy == .max ? " or more" : "")")
            energyExpended = energy
        }
        rrIntervals = flags & 1 << 4 == 0 ? nil : try Self.rrIntervals(from: &reader)
    }

    /// Not inlined, so that values without intervals, the usual case, are decoded in a few instructions.
    @inlinable @inline(never)
    static func rrIntervals(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError)
        -> [RRInterval]
    {
        var intervals: [RRInterval] = []
        intervals.reserveCapacity(reader.remaining / 2)
        while reader.remaining >= 2 {
            let interval = RRInterval(raw: try reader.uint16("RR interval", .announced))
            reader.explain("\(interval.raw)/1024 s = \(interval.milliseconds) ms")
            intervals.append(interval)
        }
        return intervals
    }

    @usableFromInline
    static func describe(_ flags: UInt8, contact: SensorContact) -> String {
        let contactText =
            switch contact {
            case .notSupported: "contact not supported"
            case .notDetected: "no contact detected"
            case .detected: "contact detected"
            }
        let others = FlagText.describe(
            flags & ~0b110, [(0, "16-bit heart rate"), (3, "energy expended"), (4, "RR intervals")],
            otherwise: [(0, "8-bit heart rate")])
        return "\(others), \(contactText)"
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        var flags: UInt8 =
            switch contact {
            case .notSupported: 0b000
            case .notDetected: 0b100
            case .detected: 0b110
            }
        if heartRate > UInt8.max { flags |= 1 << 0 }
        if energyExpended != nil { flags |= 1 << 3 }
        if rrIntervals != nil { flags |= 1 << 4 }
        writer.uint8(flags)
        if let short = UInt8(exactly: heartRate) {
            writer.uint8(short)
        } else {
            writer.uint16(heartRate)
        }
        if let energyExpended { writer.uint16(energyExpended) }
        for interval in rrIntervals ?? [] {
            writer.uint16(interval.raw)
        }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("heart_rate_bpm", FieldValue(heartRate)),
            Field("sensor_contact", .text(contact.rawValue)),
            Field("energy_expended_kj", FieldValue(energyExpended)),
            Field("rr_intervals_raw", rrIntervals.map { .list($0.map { FieldValue($0.raw) }) } ?? .absent),
            Field("rr_intervals_ms", rrIntervals.map { .list($0.map { .decimal($0.milliseconds) }) } ?? .absent),
        ]
    }
}

/// Where on the body a heart-rate sensor is worn: the value of Body Sensor Location (2A38).
///
/// Source: Heart Rate Service 1.0, section 3.2; GATT Specification Supplement, Body Sensor Location.
public struct BodySensorLocation: AssignedNumber, CharacteristicValue {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// None of the other places.
    public static let other = BodySensorLocation(rawValue: 0)
    /// The chest.
    public static let chest = BodySensorLocation(rawValue: 1)
    /// The wrist.
    public static let wrist = BodySensorLocation(rawValue: 2)
    /// A finger.
    public static let finger = BodySensorLocation(rawValue: 3)
    /// The hand.
    public static let hand = BodySensorLocation(rawValue: 4)
    /// An ear lobe.
    public static let earLobe = BodySensorLocation(rawValue: 5)
    /// The foot.
    public static let foot = BodySensorLocation(rawValue: 6)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: BodySensorLocation, name: String)] = [
        (other, "other"), (chest, "chest"), (wrist, "wrist"), (finger, "finger"), (hand, "hand"),
        (earLobe, "ear_lobe"), (foot, "foot"),
    ]

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        self = try reader.assigned("body sensor location")
        try reader.expectEnd()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint8(rawValue)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("body_sensor_location", FieldValue(rawValue)),
            Field("body_sensor_location_name", .text(name)),
        ]
    }
}

/// A command for a heart-rate sensor: the value of Heart Rate Control Point (2A39).
///
/// Source: Heart Rate Service 1.0, section 3.3; GATT Specification Supplement, Heart Rate Control Point.
public struct HeartRateCommand: AssignedNumber, CharacteristicValue {
    /// The number on the wire.
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Resets the expended energy to 0.
    public static let resetEnergyExpended = HeartRateCommand(rawValue: 1)

    /// The assigned numbers, with the names that `bedside decode` prints.
    public static let assigned: [(number: HeartRateCommand, name: String)] = [
        (resetEnergyExpended, "reset_energy_expended")
    ]

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        self = try reader.assigned("command")
        try reader.expectEnd()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint8(rawValue)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("command", FieldValue(rawValue)),
            Field("command_name", .text(name)),
        ]
    }
}
