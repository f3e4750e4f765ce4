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
