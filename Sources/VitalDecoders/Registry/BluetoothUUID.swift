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
        let characters = text.utf8
        let isPrefixed = characters.count == 6 && (text.hasPrefix("0x") || text.hasPrefix("0X"))
        let hasDashes = characters.count == 36
        guard isPrefixed || hasDashes || characters.count == 4 || characters.count == 32 else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for (place, character) in characters.dropFirst(isPrefixed ? 2 : 0).enumerated() {
            if hasDashes, Self.dashes.contains(place) {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Self.digit(character) else { return nil }
            high = high << 4 | low >> 60
            low = low << 4 | digit
        }
        if characters.count < 32 {
            self.init(UInt16(truncatingIfNeeded: low))
        } else {
            self.init(high: high, low: low)
        }
    }

    /// The places of the dashes in the long text.
    private static let dashes: Set<Int> = [8, 13, 18, 23]

    private static func digit(_ character: UInt8) -> UInt64? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(character - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(character - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(character - UInt8(ascii: "A") + 10)
        default: nil
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
