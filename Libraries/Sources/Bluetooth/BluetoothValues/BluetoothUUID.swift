/// A universally unique identifier as Bluetooth uses it (Core Specification, Vol 3 Part B, 2.5.1).
///
/// Numbers of 16 and 32 bits that the Bluetooth SIG assigned are short for 128-bit identifiers above the *base*
/// `00000000-0000-1000-8000-00805F9B34FB`; all forms of one identifier are equal here.
public struct BluetoothUUID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first 64 bits of the written form.
    public let high: UInt64
    /// The last 64 bits of the written form.
    public let low: UInt64

    private static let baseHigh: UInt64 = 0x0000_0000_0000_1000
    private static let baseLow: UInt64 = 0x8000_0080_5F9B_34FB

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates the identifier of a 16-bit assigned number, such as `0x180D`.
    public init(_ assignedNumber: UInt16) {
        self.init(assignedNumber32: UInt32(assignedNumber))
    }

    /// Creates the identifier of a 32-bit assigned number.
    public init(assignedNumber32: UInt32) {
        high = UInt64(assignedNumber32) << 32 | Self.baseHigh
        low = Self.baseLow
    }

    /// Parses 4 or 8 hexadecimal digits, optionally after `0x`, or 32 with or without hyphens (8-4-4-4-12).
    ///
    /// `nil` for any other text.
    public init?(_ text: String) {
        let isPrefixed = Hexadecimal.hasPrefix(text.utf8)
        var digits = 0
        var high: UInt64 = 0
        var low: UInt64 = 0
        var hyphens: [Int] = []
        // One character more than the longest form is enough to reject a longer text.
        for character in text.utf8.prefix(37).dropFirst(isPrefixed ? 2 : 0) {
            if character == UInt8(ascii: "-") {
                hyphens.append(digits)
                continue
            }
            guard let digit = Hexadecimal.digit(character) else { return nil }
            digits += 1
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
        }
        switch (digits, hyphens) {
        case (4, []), (8, []): self.init(assignedNumber32: UInt32(truncatingIfNeeded: low))
        case (32, []) where !isPrefixed, (32, [8, 12, 16, 20]) where !isPrefixed: self.init(high: high, low: low)
        default: return nil
        }
    }

    /// The assigned number of 16 or 32 bits, or `nil` for an identifier that is not above the base.
    public var assignedNumber: UInt32? {
        guard low == Self.baseLow, high & 0xFFFF_FFFF == Self.baseHigh else { return nil }
        return UInt32(truncatingIfNeeded: high >> 32)
    }

    /// The shortest form, in upper case as the Bluetooth SIG writes it: `180D`, or all 128 bits with hyphens.
    public var description: String {
        guard let assignedNumber else { return fullDescription.uppercased() }
        return Hexadecimal.text(UInt64(assignedNumber), digits: assignedNumber <= 0xFFFF ? 4 : 8)
    }

    /// All 128 bits with hyphens, in lower case as BlueZ writes them.
    public var fullDescription: String {
        let groups: [(UInt64, Int)] = [
            (high >> 32, 8), (high >> 16, 4), (high, 4), (low >> 48, 4), (low, 12),
        ]
        return groups.map { Hexadecimal.text($0.0, digits: $0.1) }.joined(separator: "-").lowercased()
    }

    /// Orders identifiers by their full text.
    public static func < (left: BluetoothUUID, right: BluetoothUUID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension BluetoothUUID: ExpressibleByStringLiteral {
    /// Creates an identifier that is written in a program, such as `"180D"` or
    /// `"6E400001-B5A3-F393-E0A9-E50E24DCCA9E"`.
    ///
    /// A literal that is none is an error of the program, which then ends; text from elsewhere belongs into
    /// ``init(_:)-(String)``.
    ///
    /// - Parameter text: 4, 8 or 32 hexadecimal digits, as for text.
    public init(stringLiteral text: String) {
        guard let uuid = BluetoothUUID(text) else {
            preconditionFailure(
                "\"\(text)\" is no Bluetooth UUID; write 4, 8 or 32 hexadecimal digits, such as \"180D\" or "
                    + "\"6E400001-B5A3-F393-E0A9-E50E24DCCA9E\"")
        }
        self = uuid
    }
}
