/// Writes captures of described conversations, as the programs do whose files are read.
public struct CaptureScript {
    /// The files that can be written.
    public enum Container: CaseIterable, Sendable {
        case btsnoopH1, btsnoopH4, btsnoopMonitor, pcapH4, pcapWithDirection, pcapMonitor, pcapNanoseconds,
            pcapngMonitor
    }

    /// Which way a packet goes.
    public enum Direction: Sendable {
        case sent, received
    }

    /// The file so far.
    public private(set) var octets: [UInt8]
    /// When the next packet is captured: microseconds since 1970.
    public var microseconds: Int64
    /// The controller that everything is on, where the container says so.
    public var controller: UInt16 = 0
    private let container: Container

    /// Begins a file.
    public init(_ container: Container = .btsnoopMonitor, at microseconds: Int64 = 1_767_323_045_000_000) {
        self.container = container
        self.microseconds = microseconds
        switch container {
        case .btsnoopH1: octets = Array("btsnoop\0".utf8) + Self.big(1, 4) + Self.big(1001, 4)
        case .btsnoopH4: octets = Array("btsnoop\0".utf8) + Self.big(1, 4) + Self.big(1002, 4)
        case .btsnoopMonitor: octets = Array("btsnoop\0".utf8) + Self.big(1, 4) + Self.big(2001, 4)
        case .pcapH4: octets = Self.pcapHeader(0xA1B2_C3D4, link: 187)
        case .pcapWithDirection: octets = Self.pcapHeader(0xA1B2_C3D4, link: 201)
        case .pcapMonitor: octets = Self.pcapHeader(0xA1B2_C3D4, link: 254)
        case .pcapNanoseconds: octets = Self.pcapHeader(0xA1B2_3C4D, link: 254)
        case .pcapngMonitor:
            octets =
                Self.little(0x0A0D_0D0A, 4) + Self.little(28, 4) + Self.little(0x1A2B_3C4D, 4) + Self.little(1, 4)
                + Self.little(-1, 8) + Self.little(28, 4)
            // An interface whose clock counts nanoseconds.
            octets +=
                Self.little(1, 4) + Self.little(32, 4) + Self.little(254, 2) + Self.little(0, 2) + Self.little(0, 4)
                + Self.little(9, 2) + Self.little(1, 2) + [9, 0, 0, 0] + Self.little(0, 4) + Self.little(32, 4)
        }
    }

    // MARK: Conversations

    /// Lets time pass before the next packet.
    public mutating func wait(milliseconds: Int64) {
        microseconds += milliseconds * 1000
    }

    /// A link is made.
    ///
    /// - Parameter subevent: 0x01, or 0x0A or 0x29 for the enhanced events.
    public mutating func connect(_ address: String, link: UInt16, subevent: UInt8 = 1) {
        let rest = [UInt8](repeating: 0, count: subevent == 1 ? 7 : 21)
        event(0x3E, [subevent, 0] + Self.little(Int64(link), 2) + [0, 1] + Self.address(address) + rest)
    }

    /// A link ends.
    public mutating func disconnect(link: UInt16, reason: UInt8 = 0x08) {
        event(0x05, [0] + Self.little(Int64(link), 2) + [reason])
    }

    /// A peripheral advertises.
    public mutating func advertise(
        _ address: String, name: String? = nil, services: [UInt16] = [], strength: Int8 = -60, isExtended: Bool = false
    ) {
        var data: [UInt8] = [2, 1, 6]
        if !services.isEmpty {
            data += [UInt8(1 + 2 * services.count), 3] + services.flatMap { Self.little(Int64($0), 2) }
        }
        if let name { data += [UInt8(1 + name.utf8.count), 9] + Array(name.utf8) }
        if isExtended {
            extendedAdvertisement(address, data, strength: strength)
        } else {
            event(
                0x3E,
                [2, 1, 0, 1] + Self.address(address) + [UInt8(data.count)] + data + [UInt8(bitPattern: strength)])
        }
    }

    /// A report of extended advertising, or a part of one.
    public mutating func extendedAdvertisement(
        _ address: String, _ data: [UInt8], strength: Int8 = -60, isToBeContinued: Bool = false
    ) {
        let type: Int64 = isToBeContinued ? 0x20 : 0
        event(
            0x3E,
            [0x0D, 1] + Self.little(type, 2) + [1] + Self.address(address) + [
                1, 0, 0, 127, UInt8(bitPattern: strength),
            ]
                + [UInt8](repeating: 0, count: 9) + [UInt8(data.count)] + data)
    }

    /// The host asks which characteristics there are, and the peripheral answers.
    ///
    /// - Parameter characteristics: The handles of their values, and their UUIDs: two octets or sixteen, the lowest first.
    public mutating func discover(link: UInt16, _ characteristics: [(handle: UInt16, uuid: [UInt8])]) {
        for (handle, uuid) in characteristics {
            attribute(link, [0x08, 1, 0, 0xFF, 0xFF, 0x03, 0x28], .sent)
            let entry = Self.little(Int64(handle) - 1, 2) + [0x12] + Self.little(Int64(handle), 2) + uuid
            attribute(link, [0x09, UInt8(entry.count)] + entry, .received)
        }
    }

    /// The host asks which services there are, and the peripheral answers.
    public mutating func discoverServices(link: UInt16, _ services: [UInt16]) {
        attribute(link, [0x10, 1, 0, 0xFF, 0xFF, 0x00, 0x28], .sent)
        attribute(
            link, [0x11, 6] + services.flatMap { Self.little(1, 2) + Self.little(9, 2) + Self.little(Int64($0), 2) },
            .received)
    }

    /// The host reads a value, and the peripheral answers.
    public mutating func read(link: UInt16, handle: UInt16, _ value: [UInt8]) {
        attribute(link, [0x0A] + Self.little(Int64(handle), 2), .sent)
        attribute(link, [0x0B] + value, .received)
    }

    /// The peripheral notifies a value.
    public mutating func notify(link: UInt16, handle: UInt16, _ value: [UInt8], isIndication: Bool = false) {
        attribute(link, [isIndication ? 0x1D : 0x1B] + Self.little(Int64(handle), 2) + value, .received)
    }

    /// A frame of the attribute protocol, in as many packets as asked for.
    public mutating func attribute(_ link: UInt16, _ frame: [UInt8], _ direction: Direction, portion: Int = .max) {
        var rest = (Self.little(Int64(frame.count), 2) + Self.little(4, 2) + frame)[...]
        var isFirst = true
        repeat {
            let part = rest.prefix(portion)
            rest = rest.dropFirst(part.count)
            let flags: UInt16 = isFirst ? (direction == .received ? 0x2000 : 0) : 0x1000
            packet(2, Self.little(Int64(link | flags), 2) + Self.little(Int64(part.count), 2) + part, direction)
            isFirst = false
        } while !rest.isEmpty
    }

    /// An event of the controller.
    public mutating func event(_ code: UInt8, _ parameters: [UInt8]) {
        packet(4, [code, UInt8(parameters.count)] + parameters, .received)
    }

    /// Any packet, with the octet with its kind on a UART: 2 for data, 4 for an event.
    ///
    /// - Parameter missing: How many octets of it the capture does not have.
    public mutating func packet(_ kind: UInt8, _ body: [UInt8], _ direction: Direction, missing: Int = 0) {
        let isReceived = direction == .received
        let opcode: UInt16 = kind == 4 ? 3 : isReceived ? 5 : 4
        switch container {
        case .btsnoopH1: btsnoop(body, flags: (isReceived ? 1 : 0) | (kind == 4 ? 2 : 0), missing)
        case .btsnoopH4: btsnoop([kind] + body, flags: (isReceived ? 1 : 0) | (kind == 4 ? 2 : 0), missing)
        case .btsnoopMonitor: btsnoop(body, flags: Int64(controller) << 16 | Int64(opcode), missing)
        case .pcapH4: pcap([kind] + body, missing)
        case .pcapWithDirection: pcap(Self.big(isReceived ? 1 : 0, 4) + [kind] + body, missing)
        case .pcapMonitor, .pcapNanoseconds:
            pcap(Self.big(Int64(controller), 2) + Self.big(Int64(opcode), 2) + body, missing)
        case .pcapngMonitor: pcapng(Self.big(Int64(controller), 2) + Self.big(Int64(opcode), 2) + body, missing)
        }
    }

    // MARK: Containers

    private mutating func btsnoop(_ data: [UInt8], flags: Int64, _ missing: Int) {
        octets += Self.big(Int64(data.count), 4) + Self.big(Int64(data.count - missing), 4) + Self.big(flags, 4)
        octets += Self.big(0, 4) + Self.big(microseconds + 0x00DC_DDB3_0F2F_8000, 8) + data.dropLast(missing)
    }

    private mutating func pcap(_ data: [UInt8], _ missing: Int) {
        let fraction = microseconds % 1_000_000 * (container == .pcapNanoseconds ? 1000 : 1)
        octets += Self.little(microseconds / 1_000_000, 4) + Self.little(fraction, 4)
        octets += Self.little(Int64(data.count - missing), 4) + Self.little(Int64(data.count), 4)
        octets += data.dropLast(missing)
    }

    private mutating func pcapng(_ data: [UInt8], _ missing: Int) {
        let kept = data.dropLast(missing)
        let padding = [UInt8](repeating: 0, count: (4 - kept.count % 4) % 4)
        let length = Int64(32 + kept.count + padding.count)
        let time = microseconds * 1000
        octets += Self.little(6, 4) + Self.little(length, 4) + Self.little(0, 4)
        octets += Self.little(time >> 32, 4) + Self.little(time, 4)
        octets += Self.little(Int64(kept.count), 4) + Self.little(Int64(data.count), 4) + kept + padding
        octets += Self.little(length, 4)
    }

    private static func pcapHeader(_ magic: Int64, link: Int64) -> [UInt8] {
        little(magic, 4) + little(2, 2) + little(4, 2) + little(0, 8) + little(65535, 4) + little(link, 4)
    }

    /// A Bluetooth address as it goes over the air.
    public static func address(_ text: String) -> [UInt8] {
        text.split(separator: ":").reversed().map { UInt8($0, radix: 16) ?? 0 }
    }

    /// A number with its lowest octet first.
    public static func little(_ number: Int64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> Int64(8 * $0)) }
    }

    private static func big(_ number: Int64, _ count: Int) -> [UInt8] { little(number, count).reversed() }
}
