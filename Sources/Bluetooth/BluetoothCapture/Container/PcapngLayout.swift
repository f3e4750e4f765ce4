/// The layout of pcapng files.
///
/// Source: draft-ietf-opsawg-pcapng. Only packets in enhanced packet blocks have a time; others are ignored.
struct PcapngLayout: Sendable {
    /// The first octets of such a file: the type of a section header block.
    static let signature: [UInt8] = [0x0A, 0x0D, 0x0D, 0x0A]
    private static let sectionHeader: UInt32 = 0x0A0D_0D0A
    /// The most interfaces of one section that are followed.
    private static let interfaceLimit = 64

    private var isBigEndian = false
    private var interfaces: [Interface] = []

    private struct Interface: Sendable {
        /// `nil` for an interface without Bluetooth, whose packets are ignored.
        var link: LinkType?
        /// The number of time stamp units per second.
        var unitsPerSecond: UInt64 = 1_000_000
    }

    mutating func read(
        _ octets: ArraySlice<UInt8>, at offset: Int64
    ) throws(CaptureError) -> CaptureReader.Step {
        var cursor = OctetCursor(octets)
        guard octets.count >= 12 else { return .needsMore }
        let isSection = octets.starts(with: Self.signature)
        if isSection { isBigEndian = octets.dropFirst(8).starts(with: [0x1A, 0x2B, 0x3C, 0x4D]) }
        guard let kind = number(&cursor), let length = number(&cursor) else { return .needsMore }
        guard length >= 12, length % 4 == 0, length <= CaptureReader.recordLimit else {
            throw CaptureError(offset: offset, reason: "a block claims \(length) octets, which none has")
        }
        guard octets.count >= Int(length) else { return .needsMore }
        var body = OctetCursor(octets.dropFirst(8).prefix(Int(length) - 12))
        switch kind {
        case Self.sectionHeader: interfaces = []
        case 1: try addInterface(&body, at: offset)
        case 6:
            if let record = record(&body, at: offset) { return .record(record, Int(length)) }
        default: break
        }
        return .skip(Int(length))
    }

    private mutating func addInterface(_ body: inout OctetCursor, at offset: Int64) throws(CaptureError) {
        guard let type = half(&body), half(&body) != nil, number(&body) != nil else { return }
        guard interfaces.count < Self.interfaceLimit else {
            throw CaptureError(offset: offset, reason: "there are more than \(Self.interfaceLimit) interfaces")
        }
        var interface = Interface(link: LinkType(rawValue: UInt32(type)))
        while let code = half(&body), let length = half(&body), code != 0 {
            guard let value = body.consume(Int(length)) else { break }
            _ = body.consume((4 - Int(length) % 4) % 4)
            if code == 9, let resolution = value.first { interface.unitsPerSecond = Self.units(resolution) }
        }
        interfaces.append(interface)
    }

    /// The units per second of `if_tsresol`: a power of ten, or with bit 7 a power of two, within limits.
    private static func units(_ resolution: UInt8) -> UInt64 {
        let exponent = Int(resolution & 0x7F)
        if resolution & 0x80 != 0 { return 1 << UInt64(min(exponent, 40)) }
        return (0..<min(exponent, 12)).reduce(1) { units, _ in units * 10 }
    }

    private func record(_ body: inout OctetCursor, at offset: Int64) -> CaptureRecord? {
        guard let number = number(&body), let high = self.number(&body), let low = self.number(&body),
            let included = self.number(&body), let original = self.number(&body),
            interfaces.indices.contains(Int(number)), let data = body.consume(Int(included))
        else { return nil }
        let interface = interfaces[Int(number)]
        let (seconds, units) = (UInt64(high) << 32 | UInt64(low)).quotientAndRemainder(
            dividingBy: interface.unitsPerSecond)
        guard let link = interface.link, let packet = link.packet(data, isTruncated: included < original),
            seconds <= UInt64(UInt32.max) * 4
        else { return nil }
        let fraction = units.multipliedFullWidth(by: 1_000_000)
        let microseconds = interface.unitsPerSecond.dividingFullWidth(fraction).quotient
        return CaptureRecord(
            microseconds: Int64(seconds) * 1_000_000 + Int64(microseconds), packet: packet, offset: offset)
    }

    private func number(_ cursor: inout OctetCursor) -> UInt32? {
        isBigEndian ? cursor.bigEndian32() : cursor.uint32()
    }

    private func half(_ cursor: inout OctetCursor) -> UInt16? {
        isBigEndian ? cursor.bigEndian16() : cursor.uint16()
    }
}
