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
        /// A text of the capturing program, which ends with a zero.
        case note
        /// Another packet: a command, audio.
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
            case 12: .note
            default: .other
            }
        self.init(kind: kind, controller: Int(controller), octets: Array(octets), isTruncated: isTruncated)
    }
}

/// An HCI event about links and advertisements of Bluetooth LE.
///
/// Source: Core Specification 5.4, Vol 4 Part E, 7.7.
enum ControllerEvent: Hashable, Sendable {
    /// A link was established.
    case connected(handle: UInt16, address: String)
    /// A link ended.
    case disconnected(handle: UInt16, reason: UInt8)
    /// Advertisements were received.
    case advertisements([Report])
    /// The controller was reset.
    case reset

    /// One advertisement, or a part of a long one.
    struct Report: Hashable, Sendable {
        var address: String
        var signalStrength: Int8?
        var data: [UInt8]
        /// Whether another report continues it.
        var isToBeContinued = false
    }

    /// Reads an event; `nil` for another kind of event or a damaged one.
    init?(_ octets: [UInt8]) {
        var cursor = OctetCursor(octets)
        guard let code = cursor.uint8(), let length = cursor.uint8(),
            var body = cursor.consume(Int(length)).map(OctetCursor.init)
        else { return nil }
        switch code {
        case 0x05:
            guard body.uint8() == 0, let handle = body.handle(), let reason = body.uint8() else { return nil }
            self = .disconnected(handle: handle, reason: reason)
        case 0x0E:
            // Command Complete of HCI_Reset.
            guard body.uint8() != nil, body.uint16() == 0x0C03, body.uint8() == 0 else { return nil }
            self = .reset
        case 0x3E:
            guard let event = Self(lowEnergy: &body) else { return nil }
            self = event
        default: return nil
        }
    }

    private init?(lowEnergy body: inout OctetCursor) {
        switch body.uint8() {
        case 0x01, 0x0A, 0x29:
            // LE Connection Complete, and both Enhanced ones: the relevant fields are the same.
            guard body.uint8() == 0, let handle = body.handle(), body.uint8() != nil, body.uint8() != nil,
                let address = body.address()
            else { return nil }
            self = .connected(handle: handle, address: address)
        case 0x02: self = .advertisements(Self.legacyReports(&body))
        case 0x0D: self = .advertisements(Self.extendedReports(&body))
        default: return nil
        }
    }

    private static func legacyReports(_ body: inout OctetCursor) -> [Report] {
        var reports: [Report] = []
        for _ in 0..<(body.uint8() ?? 0) {
            guard body.consume(2) != nil, let address = body.address(), let length = body.uint8(),
                let data = body.consume(Int(length)), let strength = body.uint8()
            else { break }
            reports.append(
                Report(address: address, signalStrength: Int8(bitPattern: strength), data: Array(data)))
        }
        return reports
    }

    private static func extendedReports(_ body: inout OctetCursor) -> [Report] {
        var reports: [Report] = []
        for _ in 0..<(body.uint8() ?? 0) {
            // After the address: two radio modes, set, transmitted power; after the strength: interval, direct address.
            guard let type = body.uint16(), body.uint8() != nil, let address = body.address(), body.consume(4) != nil,
                let strength = body.uint8(), body.consume(9) != nil, let length = body.uint8(),
                let data = body.consume(Int(length))
            else { break }
            reports.append(
                Report(
                    address: address, signalStrength: Int8(bitPattern: strength), data: Array(data),
                    isToBeContinued: type >> 5 & 3 == 1))
        }
        return reports
    }
}

extension OctetCursor {
    /// The 12-bit handle of a link.
    fileprivate mutating func handle() -> UInt16? { uint16().map { $0 & 0x0FFF } }

    /// A Bluetooth address in upper-case hexadecimal with colons.
    fileprivate mutating func address() -> String? {
        consume(6).map { octets in
            octets.reversed().map { octet in
                (octet < 16 ? "0" : "") + String(octet, radix: 16, uppercase: true)
            }.joined(separator: ":")
        }
    }
}
