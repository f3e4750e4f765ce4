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
