// Whole numbers of variable length, as columns of the store have them: a small number of either sign is short.
//
// Zigzag (0, -1, 1, -2 …), then seven bits an octet, the lowest first; the eighth bit says that more follow.
extension [UInt8] {
    /// Appends a number: one octet for -64 to 63, at most ten.
    @inlinable
    public mutating func appendCompact(_ number: Int64) {
        var rest = UInt64(bitPattern: number << 1 ^ number >> 63)
        while rest > 0x7F {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}

/// Reads the numbers of `appendCompact`, one after the other.
public struct CompactNumbers {
    private let octets: [UInt8]
    private var place = 0

    public init(_ octets: [UInt8]) { self.octets = octets }

    /// Whether all octets were read.
    public var isAtEnd: Bool { place >= octets.count }

    /// The next number; `nil` where there is none, or one that ends too early or too late.
    public mutating func next() -> Int64? {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while place < octets.count, shift < 64 {
            let octet = octets[place]
            place += 1
            number |= UInt64(octet & 0x7F) << shift
            if octet < 0x80 { return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1) }
            shift += 7
        }
        return nil
    }
}
