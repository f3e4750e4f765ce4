import Base

/// The layout of btsnoop files.
///
/// Source: RFC 1761 (snoop), on which it is based; BlueZ, `src/shared/btsnoop.c`. All numbers are big-endian.
struct BtsnoopLayout: Sendable {
    /// The first octets of such a file.
    static let signature = Array("btsnoop\0".utf8)
    private static let headerLength = 16
    private static let recordHeaderLength = 24
    /// Microseconds from the year 0, the epoch of the time stamps, to 1970.
    static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

    /// The format of the packets, from the header.
    private var dataLink: DataLink?

    enum DataLink: UInt32, Sendable {
        /// HCI without an octet for the packet type.
        case h1 = 1001
        /// HCI with that octet, as Android writes it.
        case h4 = 1002
        /// The Linux kernel's monitor channel, as `btmon -w` writes it.
        case monitor = 2001
    }

    mutating func read(
        _ octets: ArraySlice<UInt8>, at offset: Int64
    ) throws(CaptureError) -> CaptureReader.Step {
        guard let dataLink else {
            guard octets.count >= Self.headerLength else { return .needsMore }
            dataLink = try Self.dataLink(octets)
            return .skip(Self.headerLength)
        }
        var cursor = OctetCursor(octets)
        guard let original = cursor.bigEndian32(), let included = cursor.bigEndian32(),
            let flags = cursor.bigEndian32(),
            cursor.bigEndian32() != nil, let time = cursor.bigEndian64()
        else { return .needsMore }
        guard included <= CaptureReader.recordLimit else {
            throw CaptureError(offset: offset, reason: "a record claims \(included) octets, which no packet has")
        }
        guard let data = cursor.consume(Int(included)) else { return .needsMore }
        let isTruncated = included < original
        let packet: HCIPacket =
            switch dataLink {
            case .h1: HCIPacket(h1: data, flags: flags, isTruncated: isTruncated)
            case .h4: HCIPacket(h4: data, direction: flags & 1 == 0 ? .sent : .received, isTruncated: isTruncated)
            case .monitor:
                HCIPacket(
                    monitor: data, opcode: UInt16(truncatingIfNeeded: flags),
                    controller: UInt16(truncatingIfNeeded: flags >> 16), isTruncated: isTruncated)
            }
        let record = CaptureRecord(
            microseconds: Int64(bitPattern: time).subtractingSaturated(Self.epoch), packet: packet, offset: offset)
        return .record(record, Self.recordHeaderLength + Int(included))
    }

    private static func dataLink(_ octets: ArraySlice<UInt8>) throws(CaptureError) -> DataLink {
        var cursor = OctetCursor(octets.dropFirst(signature.count))
        let (version, link) = (cursor.bigEndian32() ?? 0, cursor.bigEndian32() ?? 0)
        guard version == 1 else {
            throw CaptureError(offset: 8, reason: "the btsnoop version is \(version), only 1 is known")
        }
        guard let known = DataLink(rawValue: link) else {
            throw CaptureError(
                offset: 12,
                reason:
                    "the btsnoop file is of kind \(link); HCI (1001), HCI UART (1002) and Linux Monitor (2001) can be read"
            )
        }
        return known
    }
}
