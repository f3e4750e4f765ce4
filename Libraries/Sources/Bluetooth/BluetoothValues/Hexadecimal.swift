/// Bytes and numbers as hexadecimal digits.
public enum Hexadecimal {
    /// Why a text is no sequence of hexadecimal bytes.
    public enum ParsingError: Error {
        /// A character is neither a hexadecimal digit nor a separator.
        case notHexadecimal
        /// The number of digits is odd.
        case halfOctet
    }

    /// Parses pairs of hexadecimal digits.
    ///
    /// Spaces, tabs, colons and hyphens may separate the pairs, and `0x` may precede the first one.
    public static func octets(_ text: some Collection<UInt8>) throws(ParsingError) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 2)
        var high: UInt8?
        for character in text.dropFirst(hasPrefix(text) ? 2 : 0) {
            if let digit = digit(character) {
                if let first = high {
                    result.append(first << 4 | digit)
                    high = nil
                } else {
                    high = digit
                }
                continue
            }
            guard isSeparator(character) else { throw .notHexadecimal }
            guard high == nil else { throw .halfOctet }
        }
        guard high == nil else { throw .halfOctet }
        return result
    }

    /// Writes bytes as pairs of upper-case digits with a space between them.
    public static func text(_ octets: some Sequence<UInt8>) -> String {
        octets.map { text(UInt64($0), digits: 2) }.joined(separator: " ")
    }

    /// Writes the lowest digits of a number, with leading zeros, in upper case.
    public static func text(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text.suffix(digits)
    }

    /// The value of one digit in ASCII; `nil` for any other character.
    public static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Whether a text begins with `0x`.
    static func hasPrefix(_ text: some Collection<UInt8>) -> Bool {
        let start = Array(text.prefix(2))
        return start == Array("0x".utf8) || start == Array("0X".utf8)
    }

    private static func isSeparator(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ":"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
