/// Pseudo-random numbers that are the same in every run.
///
/// A number depends only on its seed and index (SplitMix64 by Steele, Lea and Flood), so the order of access does not
/// matter.
public struct Noise: Hashable, Sendable {
    private let seed: UInt64

    public init(seed: UInt64) {
        self.seed = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
    }

    /// An independent sequence, such as that of one quantity of one sensor.
    public func stream(_ number: Int) -> Noise {
        Noise(seed: seed ^ Self.mix(UInt64(bitPattern: Int64(number)) &+ 0x2545_F491_4F6C_DD1D))
    }

    /// A number from -1 up to 1.
    public func value(at index: Int) -> Double {
        Double(bits(at: index) >> 11) / Double(1 << 52) - 1
    }

    public func bits(at index: Int) -> UInt64 {
        Self.mix(seed &+ UInt64(bitPattern: Int64(index)) &* 0x9E37_79B9_7F4A_7C15)
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
