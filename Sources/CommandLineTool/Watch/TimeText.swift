/// Writes wall times as RFC 3339 in UTC with milliseconds, such as `2026-01-02T03:04:05.678Z`.
///
/// The date and the time up to the second are kept from one call to the next, because events come in bursts.
struct TimeText {
    private var second: Int64 = .min
    private var prefix: [UInt8] = []

    /// Appends a time to a buffer.
    ///
    /// - Parameter wallMilliseconds: Milliseconds since 1970-01-01T00:00:00Z; the years 0 to 9999 can be written.
    mutating func append(_ wallMilliseconds: Int64, to buffer: inout [UInt8]) {
        let bounded = min(max(wallMilliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let (seconds, milliseconds) = Self.divide(bounded, by: 1000)
        if seconds != second {
            second = seconds
            prefix.removeAll(keepingCapacity: true)
            Self.appendDateAndTime(seconds, to: &prefix)
        }
        buffer.append(contentsOf: prefix)
        buffer.append(UInt8(ascii: "."))
        Self.appendDigits(milliseconds, count: 3, to: &buffer)
        buffer.append(UInt8(ascii: "Z"))
    }

    private static func appendDateAndTime(_ seconds: Int64, to buffer: inout [UInt8]) {
        let (days, secondOfDay) = divide(seconds, by: 86_400)
        let (year, month, day) = civilDate(daysSince1970: days)
        appendDigits(year, count: 4, to: &buffer)
        buffer.append(UInt8(ascii: "-"))
        appendDigits(month, count: 2, to: &buffer)
        buffer.append(UInt8(ascii: "-"))
        appendDigits(day, count: 2, to: &buffer)
        buffer.append(UInt8(ascii: "T"))
        appendDigits(secondOfDay / 3600, count: 2, to: &buffer)
        buffer.append(UInt8(ascii: ":"))
        appendDigits(secondOfDay / 60 % 60, count: 2, to: &buffer)
        buffer.append(UInt8(ascii: ":"))
        appendDigits(secondOfDay % 60, count: 2, to: &buffer)
    }

    /// The Gregorian date of a day, by counting in eras of 400 years that begin on the first of March.
    private static func civilDate(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = divide(daysSince1970 + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
    }

    /// The quotient rounded down, and the remainder that is never negative.
    private static func divide(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    private static func appendDigits(_ number: Int64, count: Int, to buffer: inout [UInt8]) {
        var divisor: Int64 = 1
        for _ in 1..<count { divisor *= 10 }
        while divisor > 0 {
            buffer.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }
}
