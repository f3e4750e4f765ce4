/// The escaped characters of a JSON string.
enum JSONEscape {
    /// Whether a byte of UTF-8 is a printable ASCII character that needs no escape.
    static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    /// The letter after the backslash in the short form of an escape, if there is one.
    static func short(_ scalar: Unicode.Scalar) -> UInt8? {
        switch scalar {
        case "\"": UInt8(ascii: "\"")
        case "\\": UInt8(ascii: "\\")
        case "\n": UInt8(ascii: "n")
        case "\r": UInt8(ascii: "r")
        case "\t": UInt8(ascii: "t")
        case "\u{8}": UInt8(ascii: "b")
        case "\u{C}": UInt8(ascii: "f")
        default: nil
        }
    }

    /// Whether a character may control a terminal or is invisible in it.
    static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value < 0x20 {
            return true
        }
        guard scalar.value >= 0x7F else { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    /// Appends the four hexadecimal digits of a UTF-16 code unit.
    static func appendHexadecimal(_ unit: UInt16, to bytes: inout [UInt8]) {
        for shift in [12, 8, 4, 0] {
            let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift) & 0xF)
            bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
        }
    }
}
