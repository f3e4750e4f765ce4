/// Reads numbers out of octets in order, never past the end: what is not there is `nil`.
struct OctetCursor {
    private let octets: ArraySlice<UInt8>
    private var position: Int

    init(_ octets: ArraySlice<UInt8>) {
        self.octets = octets
        position = octets.startIndex
    }

    init(_ octets: [UInt8]) {
        self.init(octets[...])
    }

    /// How many octets are left.
    var remaining: Int { octets.endIndex - position }

    /// Whether all has been read.
    var isAtEnd: Bool { remaining == 0 }

    /// The octets that are left, without a step.
    var rest: ArraySlice<UInt8> { octets[position...] }

    /// The next octet.
    mutating func uint8() -> UInt8? {
        guard remaining >= 1 else { return nil }
        defer { position += 1 }
        return octets[position]
    }

    /// The next two octets, the lowest first.
    mutating func uint16() -> UInt16? { littleEndian(2).map { UInt16(truncatingIfNeeded: $0) } }

    /// The next four octets, the lowest first.
    mutating func uint32() -> UInt32? { littleEndian(4).map { UInt32(truncatingIfNeeded: $0) } }

    /// The next two octets, the highest first.
    mutating func bigEndian16() -> UInt16? { bigEndian(2).map { UInt16(truncatingIfNeeded: $0) } }

    /// The next four octets, the highest first.
    mutating func bigEndian32() -> UInt32? { bigEndian(4).map { UInt32(truncatingIfNeeded: $0) } }

    /// The next eight octets, the highest first.
    mutating func bigEndian64() -> UInt64? { bigEndian(8) }

    /// The next octets, which must all be there.
    mutating func consume(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, remaining >= count else { return nil }
        defer { position += count }
        return octets[position..<position + count]
    }

    private mutating func littleEndian(_ count: Int) -> UInt64? {
        consume(count)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func bigEndian(_ count: Int) -> UInt64? {
        consume(count)?.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
