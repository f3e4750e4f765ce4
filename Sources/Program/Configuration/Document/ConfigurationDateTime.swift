/// A date, a time of day, or both, with or without an offset from universal time, as TOML writes them.
public struct ConfigurationDateTime: Hashable, Sendable {
    /// The text in its usual form, such as `1979-05-27T07:32:00.5-07:00`.
    public let text: String
    /// Its kind, in words.
    public let kind: String

    /// Reads a date, a time or both; `nil` when the text is neither, or the day does not exist.
    public init?(_ text: String) {
        var rest = Array(text.utf8)[...]
        var result = ""
        var kinds: [String] = []
        if rest.dropFirst(4).first == UInt8(ascii: "-") {
            guard let date = Self.date(&rest) else { return nil }
            result = date
            kinds.append("date")
            if rest.isEmpty {
                (self.text, kind) = (result, "date")
                return
            }
            guard let separator = rest.popFirst(), [UInt8(ascii: "T"), UInt8(ascii: "t"), 0x20].contains(separator)
            else { return nil }
            result += "T"
        }
        guard let time = Self.time(&rest) else { return nil }
        result += time
        kinds.append("time")
        if !rest.isEmpty {
            guard kinds.count == 2, let offset = Self.offset(&rest), rest.isEmpty else { return nil }
            result += offset
        }
        (self.text, kind) = (result, kinds.joined(separator: " and "))
    }

    private static func number(_ rest: inout ArraySlice<UInt8>, _ digits: Int, _ range: ClosedRange<Int>) -> Int? {
        guard rest.count >= digits else { return nil }
        var number = 0
        for byte in rest.prefix(digits) {
            guard (0x30...0x39).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 0x30)
        }
        rest.removeFirst(digits)
        return range.contains(number) ? number : nil
    }

    private static func consume(_ rest: inout ArraySlice<UInt8>, _ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: scalar) else { return false }
        rest.removeFirst()
        return true
    }

    private static func padded(_ number: Int, _ digits: Int = 2) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func date(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let year = number(&rest, 4, 0...9999), consume(&rest, "-"), let month = number(&rest, 2, 1...12),
            consume(&rest, "-"), let day = number(&rest, 2, 1...31)
        else { return nil }
        let isLeapYear = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        let days = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        guard day <= days[month - 1] else { return nil }
        return "\(padded(year, 4))-\(padded(month))-\(padded(day))"
    }

    private static func time(_ rest: inout ArraySlice<UInt8>) -> String? {
        guard let hour = number(&rest, 2, 0...23), consume(&rest, ":"), let minute = number(&rest, 2, 0...59),
            consume(&rest, ":"), let second = number(&rest, 2, 0...59)
        else { return nil }
        var text = "\(padded(hour)):\(padded(minute)):\(padded(second))"
        if consume(&rest, ".") {
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty else { return nil }
            rest.removeFirst(digits.count)
            text += "." + String(decoding: digits, as: UTF8.self)
        }
        return text
    }

    private static func offset(_ rest: inout ArraySlice<UInt8>) -> String? {
        switch rest.popFirst() {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"): return "Z"
        case let sign? where sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"):
            guard let hour = number(&rest, 2, 0...23), consume(&rest, ":"), let minute = number(&rest, 2, 0...59)
            else { return nil }
            return "\(Unicode.Scalar(sign))\(padded(hour)):\(padded(minute))"
        default: return nil
        }
    }
}
