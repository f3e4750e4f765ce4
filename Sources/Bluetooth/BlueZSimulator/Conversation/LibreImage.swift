/// The memory of a FreeStyle Libre 1 sensor in use.
enum LibreImage {
    /// The sensor's age in minutes when the scenario begins.
    static let firstMinute = 5000

    /// 43 blocks of 8 octets: values of each of the last 16 minutes, and of each quarter of an hour of the last 8 hours.
    ///
    /// - Parameters:
    ///   - now: Seconds since the scenario began.
    ///   - glucose: mg/dL at a time, which may be before the beginning.
    static func octets(now: Double, glucose: (Double) -> Double) -> [UInt8] {
        var octets = [UInt8](repeating: 0, count: 344)
        let age = firstMinute + Int(now / 60)
        func put(_ minute: Int, at place: Int) {
            // A raw unit is 0.117647 mg/dL; 13 bits.
            let value = glucose(Double(minute - firstMinute) * 60) * 1000 / 117.647
            let raw = Int(max(0, min(8191, value.rounded())))
            (octets[place], octets[place + 1]) = (UInt8(raw & 0xFF), UInt8(raw >> 8))
        }
        octets[4] = 3
        let trend = age % 16
        octets[26] = UInt8(trend)
        for back in 0..<16 { put(age - back, at: 28 + 6 * ((trend + 31 - back) % 16)) }
        let newest = age - ((age + 12) % 15 + 3)
        let history = newest / 15 % 32
        octets[27] = UInt8(history)
        for back in 0..<32 { put(newest - 15 * back, at: 124 + 6 * ((history + 63 - back) % 32)) }
        (octets[316], octets[317]) = (UInt8(age & 0xFF), UInt8(age >> 8 & 0xFF))
        for region in [0..<24, 24..<320, 320..<344] {
            let sum = checksum(octets[(region.lowerBound + 2)..<region.upperBound])
            (octets[region.lowerBound], octets[region.lowerBound + 1]) = (UInt8(sum & 0xFF), UInt8(sum >> 8))
        }
        return octets
    }

    /// CRC-16, polynomial 0x8408, initial value 0xFFFF, with the bits reversed at the end.
    private static func checksum(_ octets: ArraySlice<UInt8>) -> UInt16 {
        let crc = octets.reduce(UInt16.max) { crc, octet in
            (0..<8).reduce(crc ^ UInt16(octet)) { crc, _ in crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0x8408 }
        }
        return (0..<16).reduce(0) { $0 << 1 | crc >> $1 & 1 }
    }
}
