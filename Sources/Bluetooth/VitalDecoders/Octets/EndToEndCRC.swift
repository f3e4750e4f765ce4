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
