/// The Continuous Glucose Monitoring Service (181F).
public enum ContinuousGlucoseMonitoringService {
    /// The UUID of the service.
    public static let uuid = BluetoothUUID(0x181F)

    /// Its characteristics.
    public static let characteristics: [CharacteristicType] = [
        .continuousGlucoseMeasurement, .continuousGlucoseFeature, .continuousGlucoseStatus,
        .continuousGlucoseSessionStart, .continuousGlucoseSessionRunTime,
    ]
}

extension Specification {
    /// Continuous Glucose Monitoring Service 1.0.2.
    public static let continuousGlucoseMonitoring = Specification("Continuous Glucose Monitoring Service", "1.0.2")
}

extension CharacteristicType {
    /// CGM Measurement (2AA7, notified).
    public static let continuousGlucoseMeasurement = CharacteristicType(
        BluetoothUUID(0x2AA7), "CGM Measurement", .continuousGlucoseMonitoring, ContinuousGlucoseMeasurement.self)

    /// CGM Feature (2AA8, read).
    public static let continuousGlucoseFeature = CharacteristicType(
        BluetoothUUID(0x2AA8), "CGM Feature", .continuousGlucoseMonitoring, ContinuousGlucoseFeature.self)

    /// CGM Status (2AA9, read).
    public static let continuousGlucoseStatus = CharacteristicType(
        BluetoothUUID(0x2AA9), "CGM Status", .continuousGlucoseMonitoring, ContinuousGlucoseStatus.self)

    /// CGM Session Start Time (2AAA, read and written).
    public static let continuousGlucoseSessionStart = CharacteristicType(
        BluetoothUUID(0x2AAA), "CGM Session Start Time", .continuousGlucoseMonitoring,
        ContinuousGlucoseSessionStart.self)

    /// CGM Session Run Time (2AAB, read).
    public static let continuousGlucoseSessionRunTime = CharacteristicType(
        BluetoothUUID(0x2AAB), "CGM Session Run Time", .continuousGlucoseMonitoring,
        ContinuousGlucoseSessionRunTime.self)
}

extension OctetReader {
    /// Reads the E2E-CRC at the end of a value of fixed length, if it is required or seems to be present.
    ///
    /// - Returns: Whether there was one.
    /// - Throws: ``MalformedValueError`` when it is wrong or missing, or octets are left over.
    mutating func trailingEndToEndCRC() throws(MalformedValueError) -> Bool {
        let isThere = context.endToEndCRC ?? (remaining == 2)
        if isThere { _ = try endToEndCRC(over: 0) }
        try expectEnd()
        return isThere
    }
}

extension FieldValue {
    /// The E2E-CRC at the end of octets, or ``absent`` without one.
    init(endToEndCRCOf octets: [UInt8], isThere: Bool) {
        guard isThere, let high = octets.last, let low = octets.dropLast().last else {
            self = .absent
            return
        }
        self.init(UInt16(high) << 8 | UInt16(low))
    }
}

/// The value of CGM Status (2AA9).
///
/// Source: Continuous Glucose Monitoring Service 1.0.2, section 3.3; GATT Specification Supplement, CGM Status.
public struct ContinuousGlucoseStatus: CharacteristicValue {
    /// Minutes since the session started.
    public var timeOffset: UInt16
    /// The sensor's status.
    public var annunciation: ContinuousGlucoseAnnunciation
    /// Whether the value ends in an E2E-CRC.
    public var hasEndToEndCRC: Bool

    public init(timeOffset: UInt16, annunciation: ContinuousGlucoseAnnunciation, hasEndToEndCRC: Bool = false) {
        self.timeOffset = timeOffset
        self.annunciation = annunciation
        self.hasEndToEndCRC = hasEndToEndCRC
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let minutes = try reader.uint16("time offset")
        reader.explain("\(minutes) min")
        let status = ContinuousGlucoseAnnunciation(rawValue: try reader.uint24("status"))
        reader.explain(status.explanation)
        timeOffset = minutes
        annunciation = status
        hasEndToEndCRC = try reader.trailingEndToEndCRC()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint16(timeOffset)
        writer.uint24(annunciation.rawValue)
        if hasEndToEndCRC { writer.endToEndCRC(over: 0) }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("time_offset_min", FieldValue(timeOffset)),
            Field("status", FieldValue(annunciation.rawValue & 0xFF)),
            Field("cal_temp", FieldValue(annunciation.rawValue >> 8 & 0xFF)),
            Field("warning", FieldValue(annunciation.rawValue >> 16)),
            Field("crc", FieldValue(endToEndCRCOf: octets, isThere: hasEndToEndCRC)),
        ]
    }
}

/// The value of CGM Session Start Time (2AAA).
///
/// Source: Continuous Glucose Monitoring Service 1.0.2, section 3.4; GATT Specification Supplement, CGM Session Start
/// Time.
public struct ContinuousGlucoseSessionStart: CharacteristicValue {
    /// The time at which the session started.
    public var sessionStart: DateTime
    /// The time zone in quarters of an hour, −48 to 56; −128 when unknown, other values are reserved and kept.
    public var rawTimeZone: Int8
    /// The daylight-saving offset in quarters of an hour: 0, 2, 4 or 8; 255 when unknown.
    public var rawDaylightSavingOffset: UInt8
    /// Whether the value ends in an E2E-CRC.
    public var hasEndToEndCRC: Bool

    public init(
        sessionStart: DateTime, rawTimeZone: Int8, rawDaylightSavingOffset: UInt8, hasEndToEndCRC: Bool = false
    ) {
        self.sessionStart = sessionStart
        self.rawTimeZone = rawTimeZone
        self.rawDaylightSavingOffset = rawDaylightSavingOffset
        self.hasEndToEndCRC = hasEndToEndCRC
    }

    /// The time zone in minutes east of UTC, or `nil` when unknown or reserved.
    public var timeZoneMinutes: Int? {
        -48...56 ~= rawTimeZone ? Int(rawTimeZone) * 15 : nil
    }

    /// The daylight-saving offset in minutes, or `nil` when unknown or reserved.
    public var daylightSavingMinutes: Int? {
        switch rawDaylightSavingOffset {
        case 0, 2, 4, 8: Int(rawDaylightSavingOffset) * 15
        default: nil
        }
    }

    private var isTimeZoneReserved: Bool { timeZoneMinutes == nil && rawTimeZone != .min }
    private var isDaylightSavingReserved: Bool { daylightSavingMinutes == nil && rawDaylightSavingOffset != .max }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        sessionStart = try reader.dateTime("session start time")
        rawTimeZone = try reader.int8("time zone")
        rawDaylightSavingOffset = 0
        hasEndToEndCRC = false
        let zone = timeZoneMinutes
        let isUnknown = rawTimeZone == .min
        reader.explain(zone.map { "\($0) min from UTC" } ?? (isUnknown ? "unknown" : "reserved"))
        rawDaylightSavingOffset = try reader.uint8("daylight-saving offset")
        let raw = rawDaylightSavingOffset
        let offset = daylightSavingMinutes
        reader.explain(offset.map { "\($0) min" } ?? (raw == .max ? "unknown" : "reserved"))
        hasEndToEndCRC = try reader.trailingEndToEndCRC()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.dateTime(sessionStart)
        writer.int8(rawTimeZone)
        writer.uint8(rawDaylightSavingOffset)
        if hasEndToEndCRC { writer.endToEndCRC(over: 0) }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        Field.time("session_start", sessionStart) + [
            // A reserved value is unknown, and is not passed on as a number.
            Field("time_zone_raw", FieldValue(isTimeZoneReserved ? nil : rawTimeZone)),
            Field("dst_offset_raw", FieldValue(isDaylightSavingReserved ? nil : rawDaylightSavingOffset)),
            Field("time_zone_min", FieldValue(timeZoneMinutes)),
            Field("dst_offset_min", FieldValue(daylightSavingMinutes)),
            Field("crc", FieldValue(endToEndCRCOf: octets, isThere: hasEndToEndCRC)),
        ]
    }
}

/// The value of CGM Session Run Time (2AAB).
///
/// Source: Continuous Glucose Monitoring Service 1.0.2, section 3.5; GATT Specification Supplement, CGM Session Run
/// Time.
public struct ContinuousGlucoseSessionRunTime: CharacteristicValue {
    /// How long the sensor can be worn, in hours.
    public var hours: UInt16
    /// Whether the value ends in an E2E-CRC.
    public var hasEndToEndCRC: Bool

    public init(hours: UInt16, hasEndToEndCRC: Bool = false) {
        self.hours = hours
        self.hasEndToEndCRC = hasEndToEndCRC
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let time = try reader.uint16("session run time")
        reader.explain("\(time) h")
        hours = time
        hasEndToEndCRC = try reader.trailingEndToEndCRC()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint16(hours)
        if hasEndToEndCRC { writer.endToEndCRC(over: 0) }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("session_run_time_h", FieldValue(hours)),
            Field("crc", FieldValue(endToEndCRCOf: octets, isThere: hasEndToEndCRC)),
        ]
    }
}

/// The value of CGM Feature (2AA8): the features of a continuous glucose monitor.
///
/// Source: Continuous Glucose Monitoring Service 1.0.2, section 3.2; GATT Specification Supplement, CGM Feature.
public struct ContinuousGlucoseFeature: CharacteristicValue {
    /// The supported features.
    public var features: Supported
    /// The sampled fluid and its location.
    public var source: GlucoseSampleSource
    /// The field that is sent without an E2E-CRC, usually 0xFFFF; `nil` when it is missing.
    public var unusedCRC: UInt16?

    public init(features: Supported, source: GlucoseSampleSource, unusedCRC: UInt16? = 0xFFFF) {
        self.features = features
        self.source = source
        self.unusedCRC = features.contains(.endToEndCRC) ? nil : unusedCRC
    }

    /// The features of a continuous glucose monitor.
    public struct Supported: StatusWord {
        /// 24 bits; the highest octet is always 0.
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue & 0xFF_FFFF
        }

        /// The values of the service end in an E2E-CRC.
        public static let endToEndCRC = Supported(rawValue: 1 << 12)

        /// The assigned bits, with their names.
        public static let bits: [(bit: Int, name: String)] = [
            (0, "calibration"), (1, "patient high and low alerts"), (2, "hypo alerts"), (3, "hyper alerts"),
            (4, "rate of increase and decrease alerts"), (5, "device-specific alert"),
            (6, "sensor malfunction detection"), (7, "temperature high and low detection"),
            (8, "result high and low detection"), (9, "low battery detection"), (10, "sensor type error detection"),
            (11, "general device fault"), (12, "E2E-CRC"), (13, "multiple bonds"), (14, "multiple sessions"),
            (15, "trend"), (16, "quality"),
        ]
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let features = Supported(rawValue: try reader.uint24("features"))
        reader.explain(features.description)
        let source = GlucoseSampleSource(rawValue: try reader.uint8("type and sample location"))
        reader.explain("\(source.fluid.name), \(source.location.name)")
        self.features = features
        self.source = source
        unusedCRC = nil
        if features.contains(.endToEndCRC) {
            _ = try reader.endToEndCRC(over: 0)
        } else if reader.remaining >= 2 {
            unusedCRC = try reader.uint16("E2E-CRC")
            reader.explain("not supported")
        }
        try reader.expectEnd()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.uint24(features.rawValue)
        writer.uint8(source.rawValue)
        if features.contains(.endToEndCRC) {
            writer.endToEndCRC(over: 0)
        } else if let unusedCRC {
            writer.uint16(unusedCRC)
        }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [
            Field("features", FieldValue(features.rawValue)),
            Field("fluid_type", FieldValue(source.fluid.rawValue)),
            Field("sample_location", FieldValue(source.location.rawValue)),
            Field("e2e_crc_supported", .bool(features.contains(.endToEndCRC))),
            Field(
                "crc",
                FieldValue(
                    endToEndCRCOf: octets, isThere: features.contains(.endToEndCRC) || unusedCRC != nil)),
        ]
    }
}
