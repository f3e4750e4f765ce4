/// The layout of pcap files.
///
/// Source: draft-ietf-opsawg-pcap.
struct PcapLayout: Sendable {
    private static let headerLength = 24
    private static let recordHeaderLength = 16

    private let isBigEndian: Bool
    private let isInNanoseconds: Bool
    private var link: LinkType?

    /// The layout of a file that begins with these octets; `nil` when it is no pcap file.
    init?(magic octets: [UInt8]) {
        switch Array(octets.prefix(4)) {
        case [0xD4, 0xC3, 0xB2, 0xA1]: (isBigEndian, isInNanoseconds) = (false, false)
        case [0x4D, 0x3C, 0xB2, 0xA1]: (isBigEndian, isInNanoseconds) = (false, true)
        case [0xA1, 0xB2, 0xC3, 0xD4]: (isBigEndian, isInNanoseconds) = (true, false)
        case [0xA1, 0xB2, 0x3C, 0x4D]: (isBigEndian, isInNanoseconds) = (true, true)
        default: return nil
        }
    }

    mutating func read(
        _ octets: ArraySlice<UInt8>, at offset: Int64
    ) throws(CaptureError) -> CaptureReader.Step {
        var cursor = OctetCursor(octets)
        guard let link else {
            guard octets.count >= Self.headerLength else { return .needsMore }
            _ = cursor.consume(20)
            // The upper bits describe a checksum that Bluetooth packets do not have.
            link = try LinkType.known((number(&cursor) ?? 0) & 0xFFFF, at: offset + 20)
            return .skip(Self.headerLength)
        }
        guard let seconds = number(&cursor), let fraction = number(&cursor), let included = number(&cursor),
            let original = number(&cursor)
        else { return .needsMore }
        guard included <= CaptureReader.recordLimit else {
            throw CaptureError(offset: offset, reason: "a record claims \(included) octets, which no packet has")
        }
        guard let data = cursor.consume(Int(included)) else { return .needsMore }
        let length = Self.recordHeaderLength + Int(included)
        guard let packet = link.packet(data, isTruncated: included < original) else { return .skip(length) }
        let microseconds = Int64(seconds) * 1_000_000 + Int64(fraction) / (isInNanoseconds ? 1000 : 1)
        return .record(CaptureRecord(microseconds: microseconds, packet: packet, offset: offset), length)
    }

    private func number(_ cursor: inout OctetCursor) -> UInt32? {
        isBigEndian ? cursor.bigEndian32() : cursor.uint32()
    }
}
