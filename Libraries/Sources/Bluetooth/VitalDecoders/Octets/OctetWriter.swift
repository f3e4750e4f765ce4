/// Writes the fields of one characteristic value, in order, little-endian.
public struct OctetWriter: Sendable {
    /// The octets written so far.
    public private(set) var octets: [UInt8] = []

    /// Creates a writer without octets.
    public init() {}

    /// Writes an unsigned octet.
    public mutating func uint8(_ value: UInt8) {
        octets.append(value)
    }

    /// Writes an unsigned 16-bit integer.
    public mutating func uint16(_ value: UInt16) {
        octets.append(UInt8(truncatingIfNeeded: value))
        octets.append(UInt8(truncatingIfNeeded: value >> 8))
    }

    /// Writes the low 24 bits of an integer.
    public mutating func uint24(_ value: UInt32) {
        uint16(UInt16(truncatingIfNeeded: value))
        uint8(UInt8(truncatingIfNeeded: value >> 16))
    }

    /// Writes an unsigned 32-bit integer.
    public mutating func uint32(_ value: UInt32) {
        uint16(UInt16(truncatingIfNeeded: value))
        uint16(UInt16(truncatingIfNeeded: value >> 16))
    }

    /// Writes the low 40 bits of an integer.
    public mutating func uint40(_ value: UInt64) {
        uint32(UInt32(truncatingIfNeeded: value))
        uint8(UInt8(truncatingIfNeeded: value >> 32))
    }

    /// Writes an unsigned 64-bit integer.
    public mutating func uint64(_ value: UInt64) {
        uint32(UInt32(truncatingIfNeeded: value))
        uint32(UInt32(truncatingIfNeeded: value >> 32))
    }

    /// Writes a signed octet.
    public mutating func int8(_ value: Int8) {
        uint8(UInt8(bitPattern: value))
    }

    /// Writes a signed 16-bit integer.
    public mutating func int16(_ value: Int16) {
        uint16(UInt16(bitPattern: value))
    }

    /// Writes a 32-bit FLOAT.
    public mutating func float(_ value: MedicalFloat) {
        uint32(value.bitPattern)
    }

    /// Writes a 16-bit SFLOAT.
    public mutating func shortFloat(_ value: MedicalShortFloat) {
        uint16(value.bitPattern)
    }

    /// Writes the seven octets of a Date Time.
    public mutating func dateTime(_ value: DateTime) {
        uint16(value.year ?? 0)
        uint8(value.month ?? 0)
        uint8(value.day ?? 0)
        uint8(value.hour)
        uint8(value.minute)
        uint8(value.second)
    }

    /// Writes octets unchanged.
    public mutating func append(contentsOf more: [UInt8]) {
        octets.append(contentsOf: more)
    }

    /// Writes the E2E-CRC of everything written from the offset `start` on.
    public mutating func endToEndCRC(over start: Int) {
        uint16(EndToEndCRC.checksum(octets.span.extracting(start..<octets.count)))
    }
}
