import Glibc
import VitalDecoders

// A ring has a clock without a time zone; its times are counted as if that clock were UTC.
extension DateTime {
    /// The time of a clock, from seconds since 1970 as if that clock were UTC.
    init(clockSeconds seconds: Int) {
        var seconds = time_t(seconds)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        self.init(
            year: UInt16(clamping: parts.tm_year + 1900), month: UInt8(clamping: parts.tm_mon + 1),
            day: UInt8(clamping: parts.tm_mday), hour: UInt8(clamping: parts.tm_hour),
            minute: UInt8(clamping: parts.tm_min), second: UInt8(clamping: min(parts.tm_sec, 59)))
    }

    /// Seconds since 1970 as if the clock were UTC.
    var clockSeconds: Int {
        var parts = tm()
        parts.tm_year = Int32(year ?? 1970) - 1900
        (parts.tm_mon, parts.tm_mday) = (Int32(month ?? 1) - 1, Int32(day ?? 1))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(hour), Int32(minute), Int32(second))
        return timegm(&parts)
    }

    /// The fourteen digits of which rings make the names of files, such as 20261128224105.
    var digits: String {
        var text = Self.digits(Int(year ?? 0), 4)
        for part in [month ?? 0, day ?? 0, hour, minute, second] { text += Self.digits(Int(part), 2) }
        return text
    }

    /// The time as the older rings write it in their JSON, such as 2026-11-28,22:41:05.
    var ringText: String {
        let (year, month, day) = (
            Self.digits(Int(year ?? 0), 4), Self.digits(Int(month ?? 0), 2), Self.digits(Int(day ?? 0), 2)
        )
        let time = [hour, minute, second].map { Self.digits(Int($0), 2) }.joined(separator: ":")
        return "\(year)-\(month)-\(day),\(time)"
    }

    /// Reads `2026-11-28,22:41:05`, with any one character between date and time; `nil` for anything else.
    init?(ringText text: some StringProtocol) {
        let octets = Array(text.utf8)
        guard octets.count == 19, octets[4] == 0x2D, octets[7] == 0x2D, octets[13] == 0x3A, octets[16] == 0x3A else {
            return nil
        }
        func number(_ places: Range<Int>) -> Int? {
            places.reduce(Int?.some(0)) { number, place in
                guard let number, (0x30...0x39).contains(octets[place]) else { return nil }
                return number * 10 + Int(octets[place] - 0x30)
            }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), (1970...2200).contains(year),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60
        else { return nil }
        self.init(
            year: UInt16(year), month: UInt8(month), day: UInt8(day), hour: UInt8(hour), minute: UInt8(minute),
            second: UInt8(second))
    }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }
}
