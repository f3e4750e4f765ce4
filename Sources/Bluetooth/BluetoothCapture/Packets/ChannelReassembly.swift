/// Reassembles the frames of the attribute protocol from the packets of one link and direction.
///
/// Source: Core Specification 5.4, Vol 4 Part E, 5.4.2 (packets); Vol 3 Part A, 3.1 (frames, fixed channel 4). Frames
/// of other channels are skipped without being kept.
struct ChannelReassembly: Sendable {
    private static let attributeChannel: UInt16 = 4
    private static let headerLength = 4
    /// The longest frame; an attribute has 512 octets at most.
    private static let frameLimit = 2048

    /// The frame so far; `nil` before its beginning, and while a frame is skipped.
    private var frame: [UInt8]?

    /// Handles a packet's data.
    ///
    /// - Parameters:
    ///   - isFirst: Whether a frame begins with them.
    ///   - isTruncated: Whether some of them are missing.
    /// - Returns: The completed frame of the attribute protocol, without its header.
    mutating func handle(_ data: ArraySlice<UInt8>, isFirst: Bool, isTruncated: Bool) -> ArraySlice<UInt8>? {
        if isFirst { frame = [] }
        guard var frame else { return nil }
        // Assigned again below, unless the frame is complete, of another channel, or damaged.
        self.frame = nil
        frame.append(contentsOf: data)
        var header = OctetCursor(frame)
        guard let length = header.uint16(), let channel = header.uint16() else {
            if !isTruncated { self.frame = frame }
            return nil
        }
        guard channel == Self.attributeChannel, length <= Self.frameLimit, !isTruncated else { return nil }
        if header.remaining >= Int(length) { return header.consume(Int(length)) }
        self.frame = frame
        return nil
    }
}

/// The data packet of a link.
struct LinkData {
    var handle: UInt16
    var isFirst: Bool
    var data: ArraySlice<UInt8>
    /// Whether data are missing at the end.
    var isTruncated: Bool

    /// Reads a packet; `nil` when it ends within its header.
    init?(_ packet: HCIPacket) {
        var cursor = OctetCursor(packet.octets)
        guard let word = cursor.uint16(), let length = cursor.uint16() else { return nil }
        handle = word & 0x0FFF
        isFirst = word >> 12 & 3 != 1
        isTruncated = packet.isTruncated || cursor.remaining < Int(length)
        data = cursor.rest.prefix(Int(length))
    }
}
