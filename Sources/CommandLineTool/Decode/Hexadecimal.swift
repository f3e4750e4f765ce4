/// Octets written in hexadecimal.
enum Hexadecimal {
    /// What is wrong with a text that should be octets in hexadecimal.
    enum Problem: Error {
        /// A character that is neither a hexadecimal digit nor a separator.
        case notHexadecimal
        /// A digit without a second one beside it.
        case halfOctet
    }

    /// Reads pairs of hexadecimal digits; between pairs there may be spaces, tabs, colons and dashes, and `0x` may
    /// stand before the first one.
    static func octets(_ text: some Collection<UInt8>) throws(Problem) -> [UInt8] {
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

    /// Octets as pairs of digits with a space between them.
    static func text(_ octets: some Sequence<UInt8>) -> String {
        octets.map { String($0 >> 4, radix: 16, uppercase: true) + String($0 & 15, radix: 16, uppercase: true) }
            .joined(separator: " ")
    }

    private static func hasPrefix(_ text: some Collection<UInt8>) -> Bool {
        let start = Array(text.prefix(2))
        return start == Array("0x".utf8) || start == Array("0X".utf8)
    }

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func isSeparator(_ character: UInt8) -> Bool {
        switch character {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: ":"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
