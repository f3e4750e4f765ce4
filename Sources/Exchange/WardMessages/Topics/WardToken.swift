/// A name in a topic: one level of lower-case ASCII letters, digits, hyphens and underscores, 1 to 36 of them.
///
/// It names a site, a bed, a session or a request. So it can never be a wildcard, another level, or a control sequence;
/// a UUID is short enough.
public struct WardToken: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The greatest length.
    public static let longest = 36
    /// The rule, for configuration and help.
    public static let rule =
        "1 to \(longest) of the letters a to z, digits, - and _, and begins with a letter or a digit"

    /// The name.
    public let text: String

    /// The name.
    public var description: String { text }

    /// Checks a name.
    ///
    /// - Returns: `nil` if it does not follow ``rule``.
    public init?(_ text: some StringProtocol) {
        guard (1...Self.longest).contains(text.utf8.count), let first = text.utf8.first, Self.isAlphanumeric(first),
            text.utf8.allSatisfy({ Self.isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") })
        else { return nil }
        self.text = String(text)
    }

    /// Creates a name of 128 random bits, in the form of a UUID.
    ///
    /// - Parameter generator: The source of the random bits.
    public init(random generator: inout some RandomNumberGenerator) {
        let bits = (generator.next() as UInt64, generator.next() as UInt64)
        // Version 4, variant 1.
        let high = bits.0 & ~0xF000 | 0x4000
        let low = bits.1 & ~(0b11 << 62) | 0b10 << 62
        let digits = Array((Self.hexadecimal(high) + Self.hexadecimal(low)).utf8)
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(decoding: digits[$0], as: UTF8.self) }
        text = parts.joined(separator: "-")
    }

    /// Orders names; numbers within them are compared as numbers: `bed-2` before `bed-10`.
    public static func < (left: WardToken, right: WardToken) -> Bool {
        let (parts, others) = (left.parts, right.parts)
        for (part, other) in zip(parts, others) where part != other {
            if let number = Int(part), let second = Int(other), number != second { return number < second }
            return part < other
        }
        return parts.count < others.count
    }

    /// The runs of digits and of other characters.
    private var parts: [String] {
        var parts: [String] = []
        var wasDigit: Bool?
        for character in text {
            let isDigit = character.isNumber
            if isDigit == wasDigit { parts[parts.count - 1].append(character) } else { parts.append(String(character)) }
            wasDigit = isDigit
        }
        return parts
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

/// A bed of a site, as topics name it.
public struct WardBed: Hashable, Comparable, Sendable {
    /// The site, such as a ward.
    public var site: WardToken
    public var bed: WardToken

    public init(site: WardToken, bed: WardToken) {
        self.site = site
        self.bed = bed
    }

    /// The bed's name for users: "bed 12" for `12`; any other name is unchanged.
    public var label: String { Int(bed.text) == nil ? bed.text : "bed \(bed)" }

    /// Orders beds by site and bed.
    public static func < (left: WardBed, right: WardBed) -> Bool {
        left.site == right.site ? left.bed < right.bed : left.site < right.site
    }
}
