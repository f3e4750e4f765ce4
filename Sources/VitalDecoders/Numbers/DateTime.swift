/// A Date Time (2A08): a date and a time of day without a time zone, parts of which may be unknown.
///
/// Clocks of sensors are often wrong; reserved values (a month of 13) are kept as they came and never corrected.
/// Source: GATT Specification Supplement, Date Time.
public struct DateTime: Hashable, Sendable {
    private var rawYear: UInt16
    private var rawMonth: UInt8
    private var rawDay: UInt8

    /// The hour, 0 to 23; other values are reserved and kept.
    public var hour: UInt8
    /// The minute, 0 to 59; other values are reserved and kept.
    public var minute: UInt8
    /// The second, 0 to 59; other values are reserved and kept.
    public var second: UInt8

    /// The year, 1582 to 9999, or `nil` when the sensor does not know it; other values are reserved and kept.
    public var year: UInt16? { rawYear == 0 ? nil : rawYear }
    /// The month, 1 to 12, or `nil` when the sensor does not know it; other values are reserved and kept.
    public var month: UInt8? { rawMonth == 0 ? nil : rawMonth }
    /// The day of the month, 1 to 31, or `nil` when the sensor does not know it; other values are reserved and kept.
    public var day: UInt8? { rawDay == 0 ? nil : rawDay }

    /// Makes a date and time from its parts; a year, month or day of 0 is the same as `nil`: unknown.
    public init(year: UInt16?, month: UInt8?, day: UInt8?, hour: UInt8, minute: UInt8, second: UInt8) {
        rawYear = year ?? 0
        rawMonth = month ?? 0
        rawDay = day ?? 0
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// Whether year, month and day are known and name a day of the Gregorian calendar, at a time that exists.
    public var isCalendarDate: Bool {
        guard let year, let month, let day, 1582...9999 ~= year else { return false }
        guard hour < 24, minute < 60, second < 60 else { return false }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days: UInt8 =
            switch month {
            case 1, 3, 5, 7, 8, 10, 12: 31
            case 4, 6, 9, 11: 30
            case 2: isLeapYear ? 29 : 28
            default: 0
            }
        return day <= days
    }
}

extension DateTime: CustomStringConvertible {
    /// The date and time in the manner of ISO 8601 with `?` for unknown parts, such as `2025-03-10 14:30:45`.
    public var description: String {
        "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2)) "
            + "\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):\(Self.padded(second, 2))"
    }

    private static func padded(_ number: (some BinaryInteger)?, _ width: Int) -> String {
        guard let number else { return String(repeating: "?", count: width) }
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
