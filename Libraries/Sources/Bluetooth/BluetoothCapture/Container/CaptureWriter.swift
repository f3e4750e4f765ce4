import VitalDecoders

/// Writes a btsnoop file in the form of the Linux kernel's monitor channel, as `btmon -w` does.
///
/// Packets are composed from what is given here; a program that did not see them on the air says so in a note.
/// Source: Core Specification 5.4, Vol 4 Part E, 5.4.2 and 7.7 (packets and events), Vol 3 Part A, 3.1 (frames);
/// BlueZ, `src/shared/btsnoop.h`.
public struct CaptureWriter: Sendable {
    /// The octets that are not yet taken.
    private var octets: [UInt8] = []
    /// The time of the last record: records stand in the order in which they happened.
    private var last: Int64 = 0

    private enum Opcode: UInt32 {
        case newIndex = 0
        case event = 3
        case sent = 4
        case received = 5
        case systemNote = 12
    }

    /// Begins a file with one controller.
    ///
    /// - Parameters:
    ///   - name: The name of the controller, at most seven octets.
    ///   - microseconds: The wall time, in microseconds since 1970 (UTC).
    public init(controller name: String, at microseconds: Int64) {
        octets = BtsnoopLayout.signature + Self.big(1, 4) + Self.big(Int64(BtsnoopLayout.DataLink.monitor.rawValue), 4)
        let text = Array(name.utf8.prefix(7))
        let unknown = [UInt8](repeating: 0, count: 8)
        add(.newIndex, unknown + text + [UInt8](repeating: 0, count: 8 - text.count), at: microseconds)
    }

    /// Takes the octets written since the last call, beginning with the file's header.
    public mutating func takeOctets() -> [UInt8] {
        defer { octets = [] }
        return octets
    }

    /// How the note begins in a capture of simulated sensors, so that a replay says so, too.
    public static let simulated = "SIMULATED"

    /// Adds a note for readers of the file.
    public mutating func note(_ text: String, at microseconds: Int64) {
        add(.systemNote, Array(text.utf8) + [0], controller: 0xFFFF, at: microseconds)
    }

    // MARK: Links

    /// A link is made; its parameters, which only a controller knows, are zero.
    public mutating func connect(
        _ link: UInt16, _ address: BluetoothAddress, isPublic: Bool, at microseconds: Int64
    ) {
        let parameters = [UInt8](repeating: 0, count: 7)
        event(
            0x3E,
            [0x01, 0] + Self.little(Int64(link), 2) + [0, isPublic ? 0 : 1] + Self.octets(of: address) + parameters,
            at: microseconds)
    }

    /// A link ends, for a controller's reason (Core Specification, Vol 1 Part F).
    public mutating func disconnect(_ link: UInt16, reason: UInt8, at microseconds: Int64) {
        event(0x05, [0] + Self.little(Int64(link), 2) + [reason], at: microseconds)
    }

    /// A peripheral is heard.
    ///
    /// - Parameters:
    ///   - structures: The structures of its advertising data, each without its length; those that do not fit into
    ///     one report are left out.
    ///   - strength: The signal strength in dBm; `nil` where it is unknown.
    public mutating func advertise(
        _ address: BluetoothAddress, isPublic: Bool, _ structures: [[UInt8]], strength: Int?, at microseconds: Int64
    ) {
        var data: [UInt8] = []
        for structure in structures where data.count + structure.count + 1 <= Self.longestAdvertisement {
            data += [UInt8(structure.count)] + structure
        }
        let decibels = UInt8(bitPattern: strength.flatMap { Int8(exactly: $0) } ?? 127)
        let peer = [isPublic ? 0 : 1] + Self.octets(of: address)
        if data.count <= Self.longestLegacyAdvertisement {
            event(0x3E, [0x02, 1, 0] + peer + [UInt8(data.count)] + data + [decibels], at: microseconds)
        } else {
            // Connectable, on the first PHY; set, power and interval are unknown.
            let unknown = [UInt8](repeating: 0, count: 9)
            event(
                0x3E,
                [0x0D, 1, 1, 0] + peer + [1, 0, 0xFF, 127, decibels] + unknown + [UInt8(data.count)] + data,
                at: microseconds)
        }
    }

    private static let longestLegacyAdvertisement = 31
    /// What fits into one event (Vol 4 Part E, 7.7.65.13).
    private static let longestAdvertisement = 229

    // MARK: The attribute protocol

    /// A frame of the attribute protocol.
    public mutating func attribute(
        _ frame: [UInt8], on link: UInt16, _ direction: HCIPacket.Direction, at microseconds: Int64
    ) {
        let body = Self.little(Int64(frame.count), 2) + Self.little(4, 2) + frame
        // The first packet of a frame, which is never split.
        let word = link & 0x0FFF | (direction == .received ? 0x2000 : 0)
        add(
            direction == .received ? .received : .sent,
            Self.little(Int64(word), 2) + Self.little(Int64(body.count), 2) + body, at: microseconds)
    }

    /// A request and its response.
    public mutating func exchange(
        _ request: [UInt8], _ response: [UInt8], on link: UInt16, at microseconds: Int64
    ) {
        attribute(request, on: link, .sent, at: microseconds)
        attribute(response, on: link, .received, at: microseconds)
    }

    // MARK: Records

    private mutating func event(_ code: UInt8, _ parameters: [UInt8], at microseconds: Int64) {
        add(.event, [code, UInt8(parameters.count)] + parameters, at: microseconds)
    }

    private mutating func add(
        _ opcode: Opcode, _ data: [UInt8], controller: UInt32 = 0, at microseconds: Int64
    ) {
        last = max(last, microseconds)
        let length = Self.big(Int64(data.count), 4)
        octets += length + length + Self.big(Int64(controller << 16 | opcode.rawValue), 4) + Self.big(0, 4)
        octets += Self.big(last &+ BtsnoopLayout.epoch, 8) + data
    }

    /// A number with its lowest octet first.
    public static func little(_ number: Int64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> Int64(8 * $0)) }
    }

    private static func big(_ number: Int64, _ count: Int) -> [UInt8] { little(number, count).reversed() }

    private static func octets(of address: BluetoothAddress) -> [UInt8] {
        little(Int64(address.rawValue), 6)
    }
}

extension BluetoothUUID {
    /// The octets as transmitted: two for a number of 16 bits, sixteen for any other.
    public var littleEndianOctets: [UInt8] {
        if let short = assignedNumber.flatMap({ UInt16(exactly: $0) }) { return CaptureWriter.little(Int64(short), 2) }
        return CaptureWriter.little(Int64(bitPattern: low), 8) + CaptureWriter.little(Int64(bitPattern: high), 8)
    }
}
