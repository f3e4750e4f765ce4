import Base

/// The formats of capture files, recognised by their first octets.
public enum CaptureFormat: Hashable, Sendable {
    /// btsnoop: what `btmon -w` and Android's developer option write.
    case btsnoop
    /// pcap of `tcpdump` and others, in one of four byte orders and resolutions.
    case pcap
    /// pcapng, which Wireshark writes.
    case pcapng

    /// The number of octets that are needed to recognise the format.
    public static let signatureLength = 8

    /// The format of a file that begins with these octets; `nil` for an unknown one.
    public init?(beginning octets: [UInt8]) {
        if octets.starts(with: BtsnoopLayout.signature) {
            self = .btsnoop
        } else if PcapLayout(magic: octets) != nil {
            self = .pcap
        } else if octets.starts(with: PcapngLayout.signature) {
            self = .pcapng
        } else {
            return nil
        }
    }
}

/// What is wrong with a capture file, and where.
///
/// Everything before that place could be read, nothing behind it.
public struct CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The offset in the file, in octets.
    public var offset: Int64
    /// What is wrong, for users.
    public var reason: String

    public init(offset: Int64, reason: String) {
        self.offset = offset
        self.reason = reason
    }

    /// The sentence without its full stop.
    public var description: String { "at octet \(offset) \(reason)" }
}

/// One packet of a capture with its time.
public struct CaptureRecord: Hashable, Sendable {
    /// The wall time in microseconds since 1970 (UTC), by the capturing computer's clock.
    public var microseconds: Int64
    public var packet: HCIPacket
    /// Where the record begins in the file.
    public var offset: Int64

    public init(microseconds: Int64, packet: HCIPacket, offset: Int64) {
        self.microseconds = microseconds
        self.packet = packet
        self.offset = offset
    }
}

/// How pcap and pcapng files store Bluetooth packets.
///
/// Source: the link-layer header types of tcpdump.org.
enum LinkType: UInt32, Sendable {
    /// `LINKTYPE_BLUETOOTH_HCI_H4`: without a direction.
    case h4 = 187
    /// `LINKTYPE_BLUETOOTH_HCI_H4_WITH_PHDR`: after four octets with the direction.
    case h4WithDirection = 201
    /// `LINKTYPE_BLUETOOTH_LINUX_MONITOR`: after the numbers of controller and opcode.
    case monitor = 254

    /// The link type of a file.
    ///
    /// - Throws: ``CaptureError`` for a link type other than Bluetooth.
    static func known(_ number: UInt32, at offset: Int64) throws(CaptureError) -> LinkType {
        guard let known = LinkType(rawValue: number) else {
            throw CaptureError(
                offset: offset,
                reason: "the packets are of link type \(number); Bluetooth's 187, 201 and 254 can be read")
        }
        return known
    }

    /// The packet in a record; `nil` when the record ends within its header.
    func packet(_ octets: ArraySlice<UInt8>, isTruncated: Bool) -> HCIPacket? {
        var cursor = OctetCursor(octets)
        switch self {
        case .h4: return HCIPacket(h4: octets, direction: nil, isTruncated: isTruncated)
        case .h4WithDirection:
            guard let direction = cursor.bigEndian32() else { return nil }
            return HCIPacket(
                h4: cursor.rest, direction: direction & 1 == 0 ? .sent : .received, isTruncated: isTruncated)
        case .monitor:
            guard let controller = cursor.bigEndian16(), let opcode = cursor.bigEndian16() else { return nil }
            return HCIPacket(
                monitor: cursor.rest, opcode: opcode, controller: controller, isTruncated: isTruncated)
        }
    }
}

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
