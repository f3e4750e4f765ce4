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
