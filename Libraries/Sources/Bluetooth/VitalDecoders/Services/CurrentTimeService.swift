/// The Current Time Service (1805).
public enum CurrentTimeService {
    /// The UUID of the service.
    public static let uuid = BluetoothUUID(0x1805)

    /// Its characteristics, and Date Time, which several services share.
    public static let characteristics: [CharacteristicType] = [.dateTime, .currentTime]
}

extension Specification {
    /// Current Time Service 1.1.
    public static let currentTime = Specification("Current Time Service", "1.1")
    /// The GATT Specification Supplement, which has no revisions, but a repository of the Bluetooth SIG; this module
    /// was checked against this commit of spring 2026.
    public static let gattSupplement = Specification("GATT Specification Supplement", "e4f6570")
}

extension CharacteristicType {
    /// Date Time (2A08).
    public static let dateTime = CharacteristicType(BluetoothUUID(0x2A08), "Date Time", .gattSupplement, DateTime.self)

    /// Current Time (2A2B, read, notified, and written for some sensors).
    public static let currentTime = CharacteristicType(
        BluetoothUUID(0x2A2B), "Current Time", .currentTime, CurrentTime.self)
}

extension DateTime: CharacteristicValue {
    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        self = try reader.dateTime("time stamp")
        try reader.expectEnd()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.dateTime(self)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        Field.time("timestamp", self)
    }
}

/// The value of Current Time (2A2B).
///
/// A sensor may answer a write with the ATT error 0x80, "data field ignored"; it has accepted the rest then. Source:
/// Current Time Service 1.1, section 3.1; GATT Specification Supplement, Current Time.
public struct CurrentTime: CharacteristicValue {
    /// Date and time of day.
    public var dateTime: DateTime
    /// 1 for Monday to 7 for Sunday, 0 for unknown; other values are reserved and kept.
    public var dayOfWeek: UInt8
    /// 1/256 seconds.
    public var fractions: UInt8
    /// Why the time was changed.
    public var adjustReason: AdjustReason

    public init(dateTime: DateTime, dayOfWeek: UInt8 = 0, fractions: UInt8 = 0, adjustReason: AdjustReason = []) {
        self.dateTime = dateTime
        self.dayOfWeek = dayOfWeek
        self.fractions = fractions
        self.adjustReason = adjustReason
    }

    /// Why a clock was changed.
    public struct AdjustReason: StatusWord {
        /// The number on the wire.
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// A user set it.
        public static let manual = AdjustReason(rawValue: 1 << 0)
        /// A reference clock set it.
        public static let externalReference = AdjustReason(rawValue: 1 << 1)
        /// The time zone changed.
        public static let timeZone = AdjustReason(rawValue: 1 << 2)
        /// Daylight-saving time began or ended.
        public static let daylightSaving = AdjustReason(rawValue: 1 << 3)

        /// The assigned bits, with their names.
        public static let bits: [(bit: Int, name: String)] = [
            (0, "manual time update"), (1, "external reference time update"), (2, "change of time zone"),
            (3, "change of daylight-saving time"),
        ]
    }

    public init(from reader: inout OctetReader<some FieldLog>) throws(MalformedValueError) {
        dateTime = try reader.dateTime("time stamp")
        let day = try reader.uint8("day of week")
        let days = ["unknown", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        reader.explain(days.indices.contains(Int(day)) ? days[Int(day)] : "reserved")
        dayOfWeek = day
        let parts = try reader.uint8("fractions of a second")
        reader.explain("\(parts)/256 s")
        fractions = parts
        let reason = AdjustReason(rawValue: try reader.uint8("adjust reason"))
        reader.explain(reason.description)
        adjustReason = reason
        try reader.expectEnd()
    }

    /// Writes the fields in the order of the specification.
    public func encode(to writer: inout OctetWriter) {
        writer.dateTime(dateTime)
        writer.uint8(dayOfWeek)
        writer.uint8(fractions)
        writer.uint8(adjustReason.rawValue)
    }

    /// The fields as `bedside decode` prints them.
    public var fields: [Field] {
        Field.time("timestamp", dateTime) + [
            Field("day_of_week", FieldValue(dayOfWeek == 0 ? nil : dayOfWeek)),
            Field("fractions_256", FieldValue(fractions)),
            Field("adjust_reason", FieldValue(adjustReason.rawValue)),
        ]
    }
}
