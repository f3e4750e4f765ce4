import Glibc

/// The date of a wall time in UTC, such as `2026-01-02`.
///
/// - Parameter wallMilliseconds: Milliseconds since 1970-01-01T00:00:00Z.
public func date(ofWallMilliseconds wallMilliseconds: Int64) -> String {
    String(timestamp(ofWallMilliseconds: wallMilliseconds).prefix(10))
}

/// A wall time as RFC 3339 in UTC with milliseconds, such as `2026-01-02T03:04:05.678Z`.
///
/// - Parameter wallMilliseconds: Milliseconds since 1970-01-01T00:00:00Z; the years 0 to 9999 can be written.
public func timestamp(ofWallMilliseconds wallMilliseconds: Int64) -> String {
    var (time, bytes): (TimestampText, [UInt8]) = (TimestampText(), [])
    time.append(wallMilliseconds, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
}

/// Writes wall times as RFC 3339 in UTC with milliseconds, such as `2026-01-02T03:04:05.678Z`.
///
/// The date and the time up to the minute are cached, because successive events are close together.
struct TimestampText {
    private var minute: Int64 = .min
    private var prefix: [UInt8] = []

    /// Appends a time to a buffer.
    ///
    /// - Parameter wallMilliseconds: Milliseconds since 1970-01-01T00:00:00Z; the years 0 to 9999 can be written.
    mutating func append(_ wallMilliseconds: Int64, to buffer: inout [UInt8]) {
        let bounded = min(max(wallMilliseconds, -62_167_219_200_000), 253_402_300_799_999)
        let (seconds, milliseconds) = Self.divide(bounded, by: 1000)
        let (minutes, secondOfMinute) = Self.divide(seconds, by: 60)
        if minutes != minute {
            minute = minutes
            prefix.removeAll(keepingCapacity: true)
            Self.appendDateAndTime(seconds, to: &prefix)
        }
        buffer.append(contentsOf: prefix)
        Self.appendDigits(secondOfMinute, count: 2, to: &buffer)
        buffer.append(UInt8(ascii: "."))
        Self.appendDigits(milliseconds, count: 3, to: &buffer)
        buffer.append(UInt8(ascii: "Z"))
    }

    private static func appendDateAndTime(_ seconds: Int64, to buffer: inout [UInt8]) {
        var time = time_t(seconds)
        var parts = tm()
        gmtime_r(&time, &parts)
        for (number, count, separator) in [
            (Int(parts.tm_year) + 1900, 4, "-"), (Int(parts.tm_mon) + 1, 2, "-"), (Int(parts.tm_mday), 2, "T"),
            (Int(parts.tm_hour), 2, ":"), (Int(parts.tm_min), 2, ":"),
        ] {
            appendDigits(Int64(number), count: count, to: &buffer)
            buffer.append(contentsOf: separator.utf8)
        }
    }

    /// The quotient rounded down, and the remainder, which is never negative.
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

extension TimestampText {
    /// Reads a time in the form of ``append(_:to:)``, such as `2026-01-02T03:04:05.678Z`.
    ///
    /// - Returns: Milliseconds since 1970-01-01T00:00:00Z; `nil` for any other text, and for an invalid date.
    static func wallMilliseconds(_ text: some Sequence<UInt8>) -> Int64? {
        let form = Array("dddd-dd-ddTdd:dd:dd.dddZ".utf8)
        var numbers: [Int64] = [0]
        var place = 0
        for byte in text {
            guard place < form.count else { return nil }
            if form[place] == UInt8(ascii: "d") {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int64(byte - UInt8(ascii: "0"))
            } else {
                guard byte == form[place] else { return nil }
                numbers.append(0)
            }
            place += 1
        }
        guard place == form.count else { return nil }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        let leap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        let lengths: [Int64] = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard (1...12).contains(month), (1...lengths[Int(month) - 1]).contains(day), numbers[3] < 24, numbers[4] < 60,
            numbers[5] < 60
        else { return nil }
        let seconds = (numbers[3] * 60 + numbers[4]) * 60 + numbers[5]
        return (days(year, month, day) * 86_400 + seconds) * 1000 + numbers[6]
    }

    /// The days from 1970-01-01 to a date; years begin in March, so that the leap day is the last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let (shifted, years) = (month + (month > 2 ? -3 : 9), year - (month > 2 ? 0 : 1))
        let era = (years >= 0 ? years : years - 399) / 400
        let yearOfEra = years - era * 400
        let dayOfYear = (153 * shifted + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

/// The wall time in a text such as `2026-01-02T03:04:05.678Z`, in milliseconds since 1970; `nil` for any other text.
package func wallMilliseconds(ofTimestamp text: String) -> Int64? {
    TimestampText.wallMilliseconds(text.utf8)
}
