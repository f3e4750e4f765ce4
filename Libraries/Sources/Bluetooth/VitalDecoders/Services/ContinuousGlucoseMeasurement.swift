/// A value of CGM Measurement (2AA7): one or more consecutive records.
///
/// Source: Continuous Glucose Monitoring Service 1.0.2, section 3.1; GATT Specification Supplement, CGM Measurement.
public struct ContinuousGlucoseMeasurement: CharacteristicValue {
    /// The records; a decoded value has at least one.
    public var records: [ContinuousGlucoseRecord]

    public init(records: [ContinuousGlucoseRecord]) {
        self.records = records
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        records = []
        repeat {
            records.append(try ContinuousGlucoseRecord(from: &reader))
        } while reader.remaining > 0
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        for record in records {
            record.encode(to: &writer)
        }
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        [Field("records", .list(records.map { .object($0.fields) }))]
    }
}

/// One record of a CGM Measurement.
public struct ContinuousGlucoseRecord: Hashable, Sendable {
    /// The concentration in mg/dL.
    public var glucose: MedicalShortFloat
    /// Minutes since the session started.
    public var timeOffset: UInt16
    /// The status octet (bits 0 to 7 of ``annunciation``), when sent.
    public var statusOctet: UInt8?
    /// The octet for calibration and temperature (bits 8 to 15 of ``annunciation``), when sent.
    public var calibrationTemperatureOctet: UInt8?
    /// The octet with warnings (bits 16 to 23 of ``annunciation``), when sent.
    public var warningOctet: UInt8?
    /// The rate of change of the concentration in mg/dL per minute, when sent.
    public var trend: MedicalShortFloat?
    /// The quality of the measurement in percent, when sent.
    public var quality: MedicalShortFloat?
    /// Octets of the record without a flag.
    public let unknownOctets: [UInt8]
    /// Whether the record ends in an E2E-CRC.
    public var hasEndToEndCRC: Bool

    public init(
        glucose: MedicalShortFloat, timeOffset: UInt16, statusOctet: UInt8? = nil,
        calibrationTemperatureOctet: UInt8? = nil, warningOctet: UInt8? = nil, trend: MedicalShortFloat? = nil,
        quality: MedicalShortFloat? = nil, unknownOctets: [UInt8] = [], hasEndToEndCRC: Bool = false
    ) {
        self.glucose = glucose
        self.timeOffset = timeOffset
        self.statusOctet = statusOctet
        self.calibrationTemperatureOctet = calibrationTemperatureOctet
        self.warningOctet = warningOctet
        self.trend = trend
        self.quality = quality
        self.unknownOctets = Array(unknownOctets.prefix(200))
        self.hasEndToEndCRC = hasEndToEndCRC
    }

    /// The three octets of the sensor status annunciation as one word; a missing octet has no bits set.
    public var annunciation: ContinuousGlucoseAnnunciation {
        ContinuousGlucoseAnnunciation(
            rawValue: UInt32(statusOctet ?? 0) | UInt32(calibrationTemperatureOctet ?? 0) << 8
                | UInt32(warningOctet ?? 0) << 16)
    }

    init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        let start = reader.offset
        let size = Int(try reader.uint8("size"))
        reader.explain("\(size) octets")
        guard size >= 6 else {
            throw MalformedValueError(offset: start, reason: "a record has at least 6 octets, its size says \(size)")
        }
        guard reader.count - start >= size else {
            throw MalformedValueError(
                offset: start, reason: "the size announces a record, \(reader.count - start) of \(size) octets present")
        }
        let flags = try reader.uint8("flags")
        reader.explain(
            FlagText.describe(
                flags,
                [(0, "trend"), (1, "quality"), (5, "warning octet"), (6, "cal/temp octet"), (7, "status octet")]))
        let announced = 6 + (flags & 0b1110_0000).nonzeroBitCount + 2 * (flags & 0b11).nonzeroBitCount
        guard size >= announced else {
            throw MalformedValueError(
                offset: start + size, reason: "flags announce a record of \(announced) octets, its size says \(size)")
        }
        glucose = try reader.shortFloat("glucose concentration")
        let shownGlucose = glucose
        reader.explain("\(shownGlucose) mg/dL")
        timeOffset = try reader.uint16("time offset")
        let shownOffset = timeOffset
        reader.explain("\(shownOffset) min")
        statusOctet = flags & 1 << 7 == 0 ? nil : try reader.annunciationOctet("status octet", shift: 0)
        calibrationTemperatureOctet =
            flags & 1 << 6 == 0 ? nil : try reader.annunciationOctet("cal/temp octet", shift: 8)
        warningOctet = flags & 1 << 5 == 0 ? nil : try reader.annunciationOctet("warning octet", shift: 16)
        trend = flags & 1 << 0 == 0 ? nil : try reader.shortFloat("trend", .announced)
        quality = flags & 1 << 1 == 0 ? nil : try reader.shortFloat("quality", .announced)
        let left = start + size - reader.offset
        hasEndToEndCRC = reader.context.endToEndCRC ?? (left == 2)
        guard hasEndToEndCRC else {
            unknownOctets = reader.rest("unknown octets", limit: left)
            return
        }
        guard left >= 2 else {
            throw MalformedValueError(
                offset: reader.offset, reason: "the record needs an E2E-CRC, \(left) of 2 octets present")
        }
        unknownOctets = reader.rest("unknown octets", limit: left - 2)
        _ = try reader.endToEndCRC(over: start)
    }

    func encode(to writer: inout OctetWriter) {
        let start = writer.octets.count
        var flags: UInt8 = 0
        if trend != nil { flags |= 1 << 0 }
        if quality != nil { flags |= 1 << 1 }
        if warningOctet != nil { flags |= 1 << 5 }
        if calibrationTemperatureOctet != nil { flags |= 1 << 6 }
        if statusOctet != nil { flags |= 1 << 7 }
        writer.uint8(size)
        writer.uint8(flags)
        writer.shortFloat(glucose)
        writer.uint16(timeOffset)
        if let statusOctet { writer.uint8(statusOctet) }
        if let calibrationTemperatureOctet { writer.uint8(calibrationTemperatureOctet) }
        if let warningOctet { writer.uint8(warningOctet) }
        if let trend { writer.shortFloat(trend) }
        if let quality { writer.shortFloat(quality) }
        writer.append(contentsOf: unknownOctets)
        if hasEndToEndCRC { writer.endToEndCRC(over: start) }
    }

    /// The number of octets of the record.
    private var size: UInt8 {
        let flagged = [statusOctet, calibrationTemperatureOctet, warningOctet].count { $0 != nil }
        let numbers = [trend, quality].count { $0 != nil }
        return UInt8(clamping: 6 + flagged + 2 * numbers + unknownOctets.count + (hasEndToEndCRC ? 2 : 0))
    }

    var fields: [Field] {
        var writer = OctetWriter()
        encode(to: &writer)
        return [
            Field("size", FieldValue(size)),
            Field("glucose_mg_per_dl", FieldValue(glucose)),
            Field("time_offset_min", FieldValue(timeOffset)),
            Field("status", FieldValue(statusOctet)),
            Field("cal_temp", FieldValue(calibrationTemperatureOctet)),
            Field("warning", FieldValue(warningOctet)),
            Field("trend_mg_per_dl_per_min", FieldValue(trend)),
            Field("quality_percent", FieldValue(quality)),
            Field("crc", FieldValue(endToEndCRCOf: writer.octets, isThere: hasEndToEndCRC)),
        ]
    }
}

extension OctetReader {
    fileprivate mutating func annunciationOctet(
        _ name: StaticString, shift: UInt32
    ) throws(MalformedValueError) -> UInt8 {
        let octet = try uint8(name, .announced)
        explain(ContinuousGlucoseAnnunciation(rawValue: UInt32(octet) << shift).explanation)
        return octet
    }
}

/// The status of a continuous glucose monitor, in three octets.
///
/// Source: GATT Specification Supplement, CGM Measurement, Sensor Status Annunciation.
public struct ContinuousGlucoseAnnunciation: ClinicalStatusWord {
    /// 24 bits; the highest octet is always 0.
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue & 0xFF_FFFF
    }

    /// The assigned bits, with their names and their meanings for the value.
    public static let table: [StatusBit] = [
        StatusBit(0, "session stopped", .unusable, .stored),
        StatusBit(1, "device battery low", .usable, .information),
        StatusBit(2, "sensor type incorrect", .unusable, .equipmentFault),
        StatusBit(3, "sensor malfunction", .unusable, .equipmentFault),
        StatusBit(4, "device-specific alert", .usable, .information),
        StatusBit(5, "general device fault", .unusable, .equipmentFault),
        StatusBit(8, "time synchronization required", .usable, .information),
        StatusBit(9, "calibration not allowed", .usable, .information),
        StatusBit(10, "calibration recommended", .usable, .information),
        StatusBit(11, "calibration required", .questionable, .calibrating),
        StatusBit(12, "sensor temperature too high", .questionable, .equipmentFault),
        StatusBit(13, "sensor temperature too low", .questionable, .equipmentFault),
        StatusBit(14, "calibration process pending", .usable, .calibrating),
        StatusBit(16, "result below the patient low level", .usable, .information),
        StatusBit(17, "result above the patient high level", .usable, .information),
        StatusBit(18, "result below the hypo level", .usable, .information),
        StatusBit(19, "result above the hyper level", .usable, .information),
        StatusBit(20, "rate of decrease exceeded", .usable, .information),
        StatusBit(21, "rate of increase exceeded", .usable, .information),
        StatusBit(22, "result below the device range", .unusable, .outOfRange),
        StatusBit(23, "result above the device range", .unusable, .outOfRange),
    ]
}
