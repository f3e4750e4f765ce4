import VitalDecoders

/// The raw number in the octets of a field, in the notation that suits its format.
enum RawFieldText {
    /// The text, such as `0b00010110` for flags or `3650 x 10^-2` for a FLOAT; empty for texts, times and the like.
    static func text(_ record: FieldRecord, _ octets: ArraySlice<UInt8>) -> String {
        let word = octets.reversed().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch record.format {
        case "FLOAT":
            return decimal(MedicalFloat(bitPattern: UInt32(truncatingIfNeeded: word)).value, word)
        case "SFLOAT":
            return decimal(MedicalShortFloat(bitPattern: UInt16(truncatingIfNeeded: word)).value, word)
        case "sint8":
            return String(Int8(truncatingIfNeeded: word))
        case "sint16":
            return String(Int16(truncatingIfNeeded: word))
        case "uint8", "uint16", "uint24", "uint32", "uint40":
            guard isBitField(record.name) else { return String(word) }
            return octets.count == 1
                ? "0b" + digits(word, radix: 2, count: 8) : "0x" + digits(word, radix: 16, count: 2 * octets.count)
        default:
            return ""
        }
    }

    private static func decimal(_ number: MedicalNumber, _ word: UInt64) -> String {
        guard let decimal = number.decimal else { return "0x" + digits(word, radix: 16, count: 0) }
        return "\(decimal.mantissa) x 10^\(decimal.exponent)"
    }

    /// Whether the bits of a field are flags, according to its name.
    private static func isBitField(_ name: String) -> Bool {
        ["flags", "status", "features", "octet", "annunciation", "reason", "quality and state", "location", "health"]
            .contains { name.hasSuffix($0) } || name.hasPrefix("E2E-CRC")
    }

    private static func digits(_ number: UInt64, radix: Int, count: Int) -> String {
        let text = String(number, radix: radix, uppercase: true)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
