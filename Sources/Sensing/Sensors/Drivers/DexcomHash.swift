import CGcrypt

/// The hash by which a Dexcom transmitter and its client prove that both know the transmitter's identifier.
///
/// The first 8 octets of AES-128-ECB over x‖x, with the key "00" id "00" id in ASCII.
struct DexcomHash: Hashable, Sendable {
    private let key: [UInt8]

    /// Creates the hash for an identifier of six letters and digits; `nil` for any other text.
    init?(_ identifier: String) {
        let ascii = Array(identifier.uppercased().utf8)
        guard ascii.count == 6, ascii.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }) else {
            return nil
        }
        key = [0x30, 0x30] + ascii + [0x30, 0x30] + ascii
    }

    /// The hash of 8 octets; `nil` for another length.
    func of(_ octets: [UInt8]) -> [UInt8]? {
        guard octets.count == 8 else { return nil }
        let block = octets + octets
        var result = [UInt8](repeating: 0, count: 16)
        let failure = result.withUnsafeMutableBytes { cgcrypt_aes128(key, block, $0.baseAddress) }
        return failure == 0 ? Array(result.prefix(8)) : nil
    }
}
