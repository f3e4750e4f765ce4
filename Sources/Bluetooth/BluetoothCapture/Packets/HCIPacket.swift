/// A packet between a host and its Bluetooth controller, or what the capturing program has to say about a controller.
///
/// Source: Bluetooth Core Specification 5.4, Vol 4 Part E, 5.4; BlueZ, `src/shared/btsnoop.h`.
public struct HCIPacket: Hashable, Sendable {
    /// What it is.
    public enum Kind: Hashable, Sendable {
        /// An event from the controller.
        case event
        /// Data of a link, in a direction.
        case data(Direction?)
        /// The controller is there from now on, or is gone: no link of before lives on.
        case controllerChanged
        /// Something else: a command, sound, a note.
        case other
    }

    /// Where data go; `nil` in captures without it.
    public enum Direction: Hashable, Sendable {
        /// From the host to the controller.
        case sent
        /// From the controller to the host.
        case received
    }

    /// What it is.
    public var kind: Kind
    /// The number of the controller, from 0.
    public var controller: Int
    /// Its octets, without the one for its kind.
    public var octets: [UInt8]
    /// Whether the capturing program kept only the beginning of it.
    public var isTruncated: Bool

    public init(kind: Kind, controller: Int = 0, octets: [UInt8], isTruncated: Bool = false) {
        self.kind = kind
        self.controller = controller
        self.octets = octets
        self.isTruncated = isTruncated
    }
}

extension HCIPacket {
    /// A packet that begins with the octet of the UART transport for its kind (H4).
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

    /// A packet whose kind is in the flags of its record (H1): bit 0 "received", bit 1 "command or event".
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
            // A controller came, went, was opened, was closed.
            case 0, 1, 8, 9: .controllerChanged
            case 3: .event
            case 4: .data(.sent)
            case 5: .data(.received)
            default: .other
            }
        self.init(kind: kind, controller: Int(controller), octets: Array(octets), isTruncated: isTruncated)
    }
}
