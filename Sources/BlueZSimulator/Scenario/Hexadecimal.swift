/// Octets as people write them.
enum Hexadecimal {
    /// Reads pairs of hexadecimal digits; spaces and colons do not matter.
    ///
    /// `nil` when there is anything else.
    static func octets(_ text: String) -> [UInt8]? {
        var octets: [UInt8] = []
        var high: UInt8?
        for character in text where character != " " && character != ":" {
            guard character.isASCII, let value = character.hexDigitValue else { return nil }
            let digit = UInt8(value)
            if let first = high {
                octets.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return high == nil ? octets : nil
    }

    /// Whether a text is a Bluetooth address in upper-case hexadecimal with colons.
    static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 6
            && parts.allSatisfy { part in
                part.utf8.count == 2
                    && part.utf8.allSatisfy {
                        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "A")...UInt8(ascii: "F") ~= $0
                    }
            }
    }
}
