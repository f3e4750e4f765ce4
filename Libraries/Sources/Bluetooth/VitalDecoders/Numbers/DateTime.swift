/// A Date Time (2A08): a date and a time of day without a time zone; parts may be unknown.
///
/// Clocks of sensors are often wrong; reserved values (a month of 13) are kept as sent, and ``isPossible`` is false for
/// them. Source: GATT Specification Supplement, Date Time.
public struct DateTime: Hashable, Sendable {
    /// The seven octets in one word, the first one lowest; one word is cheaper to pass than six fields.
    @usableFromInline
    let word: UInt64

    /// The year, 1582 to 9999, or `nil` when the sensor does not know it; other values are reserved and kept.
    @inlinable
    public var year: UInt16? {
        let year = UInt16(truncatingIfNeeded: word)
        return year == 0 ? nil : year
    }

    /// The month, 1 to 12, or `nil` when the sensor does not know it; other values are reserved and kept.
    @inlinable
    public var month: UInt8? { octet(2) == 0 ? nil : octet(2) }

    /// The day of the month, 1 to 31, or `nil` when the sensor does not know it; other values are reserved and kept.
    @inlinable
    public var day: UInt8? { octet(3) == 0 ? nil : octet(3) }

    /// The hour, 0 to 23; other values are reserved and kept.
    @inlinable
    public var hour: UInt8 { octet(4) }

    /// The minute, 0 to 59; other values are reserved and kept.
    @inlinable
    public var minute: UInt8 { octet(5) }

    /// The second, 0 to 59; other values are reserved and kept.
    @inlinable
    public var second: UInt8 { octet(6) }

    /// Creates a date and time from its parts; a year, month or day of 0 is the same as `nil`: unknown.
    @inlinable
    public init(year: UInt16?, month: UInt8?, day: UInt8?, hour: UInt8, minute: UInt8, second: UInt8) {
        let date = UInt64(year ?? 0) | UInt64(month ?? 0) << 16 | UInt64(day ?? 0) << 24
        word = date | UInt64(hour) << 32 | UInt64(minute) << 40 | UInt64(second) << 48
    }

    @inlinable
    func octet(_ index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: word >> (8 * UInt64(index)))
    }

    /// Whether year, month and day are known and form a valid date of the Gregorian calendar, at a valid time.
    public var isCalendarDate: Bool { year != nil && month != nil && day != nil && isPossible }

    /// Whether the known parts can be a date and time of the Gregorian calendar.
    ///
    /// A year, month or day of 0 is unknown; any other value outside the calendar makes the time invalid.
    public var isPossible: Bool {
        guard hour < 24, minute < 60, second < 60, year.map({ 1582...9999 ~= $0 }) ?? true else { return false }
        // With an unknown year or month the day cannot be ruled out.
        let isLeapYear = year.map { $0 % 4 == 0 && ($0 % 100 != 0 || $0 % 400 == 0) } ?? true
        let days: UInt8 =
            switch month {
            case nil, 1, 3, 5, 7, 8, 10, 12: 31
            case 4, 6, 9, 11: 30
            case 2: isLeapYear ? 29 : 28
            default: 0
            }
        return days > 0 && day ?? 1 <= days
    }

    /// The seven octets as sent, in hexadecimal.
    var hexadecimal: String {
        (0..<7).map { Hexadecimal.text(UInt64(octet($0)), digits: 2) }.joined()
    }
}

extension DateTime: CustomStringConvertible {
    /// The date and time in the form of ISO 8601 with `?` for unknown parts, such as `2025-03-10 14:30:45`.
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
