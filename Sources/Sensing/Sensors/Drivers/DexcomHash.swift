import CGcrypt

/// AES-128 of one block of 16 octets, by libgcrypt.
struct AES128: Sendable {
    /// Encrypts a block with a key of 16 octets; `nil` where the library is not installed.
    var encrypt: @Sendable (_ block: [UInt8], _ key: [UInt8]) -> [UInt8]? = { block, key in
        guard block.count == 16, key.count == 16 else { return nil }
        var result = [UInt8](repeating: 0, count: 16)
        let failure = result.withUnsafeMutableBytes { cgcrypt_aes128(key, block, $0.baseAddress) }
        return failure == 0 ? result : nil
    }
}

/// The hash by which a Dexcom transmitter and its client prove that both know the transmitter's identifier.
///
/// The first 8 octets of AES-128-ECB over x‖x, with the key "00" id "00" id in ASCII.
struct DexcomHash: Sendable {
    private let key: [UInt8]
    private let cipher: AES128

    /// Creates the hash for an identifier of six letters and digits; `nil` for any other text.
    init?(_ identifier: String, _ cipher: AES128 = AES128()) {
        let ascii = Array(identifier.uppercased().utf8)
        guard ascii.count == 6, ascii.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }) else {
            return nil
        }
        key = [0x30, 0x30] + ascii + [0x30, 0x30] + ascii
        self.cipher = cipher
    }

    /// The hash of 8 octets; `nil` for another length, or without the cipher.
    func of(_ octets: [UInt8]) -> [UInt8]? {
        guard octets.count == 8 else { return nil }
        return cipher.encrypt(octets + octets, key).map { Array($0.prefix(8)) }
    }
}
