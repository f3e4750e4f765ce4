/// A packet between a host and its Bluetooth controller, or a note of the capturing program about a controller.
///
/// Source: Bluetooth Core Specification 5.4, Vol 4 Part E, 5.4; BlueZ, `src/shared/btsnoop.h`.
public struct HCIPacket: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// An event from the controller.
        case event
        /// Data of a link, in a direction.
        case data(Direction?)
        /// The controller appeared or disappeared: all earlier links have ended.
        case controllerChanged
        /// Another packet: a command, audio, a note.
        case other
    }

    /// The direction of data; `nil` in captures without it.
    public enum Direction: Hashable, Sendable {
        /// From the host to the controller.
        case sent
        /// From the controller to the host.
        case received
    }

    public var kind: Kind
    /// The number of the controller, from 0.
    public var controller: Int
    /// The octets, without the packet type.
    public var octets: [UInt8]
    /// Whether the capturing program stored only its beginning.
    public var isTruncated: Bool

    public init(kind: Kind, controller: Int = 0, octets: [UInt8], isTruncated: Bool = false) {
        self.kind = kind
        self.controller = controller
        self.octets = octets
        self.isTruncated = isTruncated
    }
}

extension HCIPacket {
    /// A packet with the packet type of the UART transport (H4) as its first octet.
    ///
    /// Source: Core Specification 5.4, Vol 4 Part A, 2.
    init(h4 octets: ArraySlice<UInt8>, direction: Direction?, isTruncated: Bool) {
        let kind: Kind =
            switch octets.first {
            case 2: .data(direction)
            case 4: .event
            default: .other
            }
        self.init(kind: kind, octets: Array(octets.dropFirst()), isTruncated: isTruncated)
    }

    /// A packet whose type is in the flags of its record (H1): bit 0 "received", bit 1 "command or event".
    init(h1 octets: ArraySlice<UInt8>, flags: UInt32, isTruncated: Bool) {
        let isReceived = flags & 1 != 0
        let kind: Kind =
            if flags & 2 == 0 { .data(isReceived ? .received : .sent) } else { isReceived ? .event : .other }
        self.init(kind: kind, octets: Array(octets), isTruncated: isTruncated)
    }

    /// A packet of the Linux kernel's monitor channel, with its opcode and the number of the controller.
    init(monitor octets: ArraySlice<UInt8>, opcode: UInt16, controller: UInt16, isTruncated: Bool) {
        let kind: Kind =
            switch opcode {
            // A controller was added, removed, opened or closed.
            case 0, 1, 8, 9: .controllerChanged
            case 3: .event
            case 4: .data(.sent)
            case 5: .data(.received)
            default: .other
            }
        self.init(kind: kind, controller: Int(controller), octets: Array(octets), isTruncated: isTruncated)
    }
}
