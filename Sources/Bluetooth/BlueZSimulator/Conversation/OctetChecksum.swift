import VitalDecoders

/// A checksum in a template; the raw value is its word.
enum OctetChecksum: String, CaseIterable, Hashable, Sendable {
    /// CRC-8, polynomial 0x07 (Viatom).
    case crc8
    /// CRC-16/XMODEM, little-endian (Dexcom).
    case crc16
    /// E2E-CRC of the Bluetooth health services, CRC-16/MCRF4XX, little-endian.
    case endToEnd = "e2e-crc"
    /// The sum modulo 256.
    case sum

    func octets(of octets: ArraySlice<UInt8>) -> [UInt8] {
        switch self {
        case .crc8: [Checksum.crc8(octets)]
        case .crc16: Self.lowestFirst(Checksum.crc16XModem(octets))
        case .endToEnd:
            Self.lowestFirst(
                octets.reduce(0xFFFF) { crc, octet in
                    (0..<8).reduce(crc ^ UInt16(octet)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x8408 }
                })
        case .sum: [Checksum.sum(octets)]
        }
    }

    static func lowestFirst(_ number: UInt16) -> [UInt8] { [UInt8(number & 0xFF), UInt8(number >> 8)] }
}
