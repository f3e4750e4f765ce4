/// Checksums that makers of sensors use in their own protocols.
public enum Checksum {
    /// CRC-8 with the polynomial 0x07, initially 0, not reflected; that of the ASCII text `123456789` is 0xF4.
    public static func crc8(_ octets: some Sequence<UInt8>) -> UInt8 {
        octets.reduce(0) { crc, octet in
            (0..<8).reduce(crc ^ octet) { crc, _ in crc & 0x80 == 0 ? crc << 1 : crc << 1 ^ 0x07 }
        }
    }

    /// CRC-16/XMODEM: polynomial 0x1021, initially 0, not reflected; that of `123456789` is 0x31C3.
    public static func crc16XModem(_ octets: some Sequence<UInt8>) -> UInt16 {
        octets.reduce(0) { crc, octet in
            (0..<8).reduce(crc ^ UInt16(octet) << 8) { crc, _ in
                crc & 0x8000 == 0 ? crc << 1 : crc << 1 ^ 0x1021
            }
        }
    }

    /// The sum of octets modulo 256.
    public static func sum(_ octets: some Sequence<UInt8>) -> UInt8 { octets.reduce(0, &+) }
}

extension Checksum {
    /// The checksum of a FreeStyle Libre's memory: CRC-16 with the polynomial 0x1021, reflected, initially 0xFFFF, its
    /// result with the bits in reverse order; that of `123456789` is 0x89F6.
    public static func libre(_ octets: some Sequence<UInt8>) -> UInt16 {
        let crc = octets.reduce(UInt16.max) { crc, octet in
            (0..<8).reduce(crc ^ UInt16(octet)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x8408 }
        }
        return (0..<16).reduce(0) { $0 << 1 | crc >> $1 & 1 }
    }
}

/// The E2E-CRC of the Continuous Glucose Monitoring Service.
///
/// CRC-16 with the polynomial 0x1021, reflected, initially 0xFFFF, no final exclusive or (CRC-16/MCRF4XX).
/// Source: Continuous Glucose Monitoring Service 1.0.2, section 3.11.
public enum EndToEndCRC {
    /// The checksum of octets; that of the ASCII text `123456789` is 0x6F91.
    public static func checksum(_ octets: Span<UInt8>) -> UInt16 {
        var crc: UInt16 = 0xFFFF
        for index in octets.indices {
            crc ^= UInt16(octets[index])
            for _ in 0..<8 {
                crc = crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x8408
            }
        }
        return crc
    }
}
