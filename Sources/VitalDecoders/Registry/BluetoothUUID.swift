/// A Bluetooth UUID of 128 bits, often one of the Bluetooth SIG's that has a short form of 16 bits.
public struct BluetoothUUID: Hashable, Sendable {
    /// The first eight octets in the order of the text.
    public let high: UInt64
    /// The last eight octets in the order of the text.
    public let low: UInt64

    /// The last 96 bits of every UUID that has a short form: `…-0000-1000-8000-00805F9B34FB`.
    private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

    /// Makes a UUID from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes the UUID that the Bluetooth SIG assigned under a 16-bit number.
    public init(_ short: UInt16) {
        high = UInt64(short) << 32 | Self.baseHigh
        low = Self.baseLow
    }

    /// Makes a UUID from text: four hexadecimal digits (`0x` allowed), or 32 with or without the four dashes.
    ///
    /// `nil` for any other text.
    public init?(_ text: String) {
        var digits = Substring(text)
        if digits.utf8.count == 6, digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            digits = digits.dropFirst(2)
        }
        if digits.utf8.count == 36 {
            guard Self.hasDashesInPlace(digits) else { return nil }
            digits = Substring(String(digits.filter { $0 != "-" }))
        }
        guard digits.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
        switch digits.utf8.count {
        case 4:
            guard let short = UInt16(digits, radix: 16) else { return nil }
            self.init(short)
        case 32:
            guard let high = UInt64(digits.prefix(16), radix: 16), let low = UInt64(digits.suffix(16), radix: 16) else {
                return nil
            }
            self.init(high: high, low: low)
        default:
            return nil
        }
    }

    private static func hasDashesInPlace(_ text: Substring) -> Bool {
        text.utf8.enumerated().allSatisfy { index, octet in
            (octet == UInt8(ascii: "-")) == [8, 13, 18, 23].contains(index)
        }
    }

    /// The 16-bit number that the Bluetooth SIG assigned, or `nil` for a UUID that has no short form.
    public var short: UInt16? {
        guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh else { return nil }
        return UInt16(exactly: high >> 32)
    }
}

extension BluetoothUUID: CustomStringConvertible {
    /// The UUID in upper-case hexadecimal: `2A37`, or all 128 bits with dashes for one that has no short form.
    public var description: String {
        short.map { Self.hexadecimal(UInt64($0), digits: 4) } ?? longDescription.uppercased()
    }

    /// All 128 bits in lower case with dashes, as BlueZ writes it on D-Bus.
    public var longDescription: String {
        let groups: [(UInt64, Int)] = [
            (high >> 32, 8), (high >> 16 & 0xFFFF, 4), (high & 0xFFFF, 4), (low >> 48, 4), (low & 0xFFFF_FFFF_FFFF, 12),
        ]
        return groups.map { Self.hexadecimal($0.0, digits: $0.1) }.joined(separator: "-").lowercased()
    }

    private static func hexadecimal(_ number: UInt64, digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }
}
