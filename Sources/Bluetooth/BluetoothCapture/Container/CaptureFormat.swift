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
