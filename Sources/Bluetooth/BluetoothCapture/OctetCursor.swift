/// Reads numbers from octets in order, never past the end: a missing number is `nil`.
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

    /// The number of unread octets.
    var remaining: Int { octets.endIndex - position }

    var isAtEnd: Bool { remaining == 0 }

    /// The unread octets; reads nothing.
    var rest: ArraySlice<UInt8> { octets[position...] }

    /// The next octet.
    mutating func uint8() -> UInt8? {
        guard remaining >= 1 else { return nil }
        defer { position += 1 }
        return octets[position]
    }

    /// The next two octets, little-endian.
    mutating func uint16() -> UInt16? { littleEndian(2).map { UInt16(truncatingIfNeeded: $0) } }

    /// The next four octets, little-endian.
    mutating func uint32() -> UInt32? { littleEndian(4).map { UInt32(truncatingIfNeeded: $0) } }

    /// The next two octets, big-endian.
    mutating func bigEndian16() -> UInt16? { bigEndian(2).map { UInt16(truncatingIfNeeded: $0) } }

    /// The next four octets, big-endian.
    mutating func bigEndian32() -> UInt32? { bigEndian(4).map { UInt32(truncatingIfNeeded: $0) } }

    /// The next eight octets, big-endian.
    mutating func bigEndian64() -> UInt64? { bigEndian(8) }

    /// The next octets; `nil` if fewer are left.
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
