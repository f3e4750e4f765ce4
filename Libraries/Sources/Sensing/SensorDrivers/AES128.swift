import CGcrypt

/// AES-128 of one block of 16 octets, by libgcrypt.
public struct AES128: Sendable {
    /// Encrypts a block with a key of 16 octets; `nil` where the library is not installed.
    public var encrypt: @Sendable (_ block: [UInt8], _ key: [UInt8]) -> [UInt8]? = { block, key in
        guard block.count == 16, key.count == 16 else { return nil }
        var result = [UInt8](repeating: 0, count: 16)
        let failure = result.withUnsafeMutableBytes { cgcrypt_aes128(key, block, $0.baseAddress) }
        return failure == 0 ? result : nil
    }

    public init() {}

    public init(encrypt: @escaping @Sendable (_ block: [UInt8], _ key: [UInt8]) -> [UInt8]?) { self.encrypt = encrypt }
}
