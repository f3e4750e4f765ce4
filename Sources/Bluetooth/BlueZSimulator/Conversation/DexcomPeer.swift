import CGcrypt

/// The transmitter's side of Dexcom's authentication.
enum DexcomPeer {
    /// The first 8 octets of AES-128-ECB over the octets twice, with the key "00" identifier "00" identifier.
    ///
    /// Empty without an identifier of six characters, for other than 8 octets, or without libgcrypt, so that it matches no
    /// answer.
    static func hash(of octets: [UInt8], identifier: String) -> [UInt8] {
        let half = Array("00\(identifier)".utf8)
        guard half.count == 8, octets.count == 8 else { return [] }
        var block = [UInt8](repeating: 0, count: 16)
        let failure = block.withUnsafeMutableBytes { cgcrypt_aes128(half + half, octets + octets, $0.baseAddress) }
        return failure == 0 ? Array(block.prefix(8)) : []
    }
}
