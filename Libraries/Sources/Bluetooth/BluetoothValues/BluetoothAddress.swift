/// The 48-bit device address of a Bluetooth device (Core Specification, Vol 6 Part B, 1.3).
public struct BluetoothAddress: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The address in the lower 48 bits; the octet written first is the most significant.
    public let rawValue: UInt64

    /// Creates an address from its bits; those above the lower 48 are dropped.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue & 0xFFFF_FFFF_FFFF
    }

    /// Parses six octets of two hexadecimal digits with colons between them; `nil` for any other text.
    public init?(_ text: String) {
        var value: UInt64 = 0
        var count = 0
        for octet in text.utf8 {
            count += 1
            guard count <= 17 else { return nil }
            if count.isMultiple(of: 3) {
                guard octet == UInt8(ascii: ":") else { return nil }
            } else {
                guard let digit = Hexadecimal.digit(octet) else { return nil }
                value = value << 4 | UInt64(digit)
            }
        }
        guard count == 17 else { return nil }
        rawValue = value
    }

    /// The address in upper-case hexadecimal with colons, as BlueZ writes it.
    public var description: String {
        let digits = Hexadecimal.text(rawValue, digits: 12)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, index.isMultiple(of: 2) { text.append(":") }
            text.append(digit)
        }
        return text
    }

    /// Orders addresses by their text.
    public static func < (left: BluetoothAddress, right: BluetoothAddress) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// What kind of address a peripheral uses.
public enum BluetoothAddressType: String, Hashable, Sendable {
    /// A registered address.
    case `public`
    /// A random address: static, or private and changing.
    case random
}
