import Base
import BluetoothCapture
import VitalDecoders
import Vitals

/// Writes a trace as a capture that Wireshark, btmon and `bedside replay` read.
///
/// bluetoothd reports values and answers, no packets; so the packets are composed here, and a note at the beginning says
/// so. What has no packet, such as a pairing and every error, is a note. Secret octets have neither.
public struct TraceCapture: Sendable {
    private var writer: CaptureWriter
    private var peers: [String: Peer] = [:]
    /// The handles of links that were given out.
    private var links: UInt16 = 0

    /// How many peripherals are followed at once.
    private static let limit = 1024

    private struct Peer {
        /// The handle of its link; `nil` while there is none.
        var link: UInt16?
        /// Whether this program has asked for the end of the link.
        var isEndWanted = false
        /// The discovered characteristics by the handle of their value.
        var characteristics: [UInt16: TraceEntry.Characteristic] = [:]
    }

    /// What the first note says.
    static let explanation =
        "Written by bedside from what bluetoothd reports: values, handles, errors and times are its, packets are composed."

    /// Begins a capture.
    ///
    /// - Parameter moment: When the trace begins.
    public init(at moment: Moment) {
        writer = CaptureWriter(controller: "bedside", at: Self.time(moment))
        writer.note(Self.explanation, at: Self.time(moment))
    }

    /// Takes the octets written since the last call, beginning with the file's header.
    public mutating func takeOctets() -> [UInt8] { writer.takeOctets() }

    /// Says that the sensors are simulated, for readers and for a replay.
    public mutating func addSimulated(at moment: Moment) {
        writer.note("\(CaptureWriter.simulated) sensors: nothing in this file was measured.", at: Self.time(moment))
    }

    /// Adds a step.
    public mutating func add(_ entry: TraceEntry, at moment: Moment) {
        guard let address = BluetoothAddress(entry.address) else { return }
        let time = Self.time(moment)
        if peers[entry.address] == nil {
            if peers.count >= Self.limit { peers = peers.filter { $0.value.link != nil } }
            if peers.count >= Self.limit { return }
            peers[entry.address] = Peer()
        }
        switch entry.kind {
        case .advertised(let data, let strength, let isPublic):
            writer.advertise(
                address, isPublic: isPublic, Self.structures(data, name: entry.name), strength: strength, at: time)
        case .connected(let isPublic): connect(entry.address, address, isPublic: isPublic, at: time)
        case .disconnected: disconnect(entry.address, at: time)
        case .discovered(let services): discover(services, of: entry.address, at: time)
        case .notified(let attribute, let octets): notify(attribute, octets, of: entry.address, at: time)
        case .asked(.disconnect):
            peers[entry.address]?.isEndWanted = true
            note(entry, at: time)
        // The packet of any other request follows with its answer, because only that says which one is meant.
        case .asked(.connect), .asked(.pair), .asked(.remove): note(entry, at: time)
        case .asked: break
        case .done(let operation, let octets):
            guard carry(operation, octets, of: entry.address, isAnswered: true, at: time) else {
                return note(entry, at: time)
            }
        case .failed(let operation, _):
            _ = carry(operation, .shown([]), of: entry.address, isAnswered: false, at: time)
            note(entry, at: time)
        }
    }

    private mutating func note(_ entry: TraceEntry, at time: Int64) {
        for words in TraceText.words(entry.kind) { writer.note("\(entry.address): \(words)", at: time) }
    }

    // MARK: Links

    private mutating func connect(_ key: String, _ address: BluetoothAddress, isPublic: Bool, at time: Int64) {
        // The handle stays while the link does: a second reader makes the beginning come again.
        guard peers[key]?.link == nil else { return }
        // The handles 0x0000 to 0x0EFF are of links.
        links = links % 0x0EFE + 1
        peers[key]?.link = links
        peers[key]?.isEndWanted = false
        writer.connect(links, address, isPublic: isPublic, at: time)
    }

    private mutating func disconnect(_ key: String, at time: Int64) {
        guard let peer = peers[key], let link = peer.link else { return }
        peers[key]?.link = nil
        // Terminated by this host, or unspecified, because BlueZ does not say why.
        writer.disconnect(link, reason: peer.isEndWanted ? 0x16 : 0x1F, at: time)
    }

    // MARK: Attributes

    private mutating func discover(_ services: [TraceEntry.Service], of key: String, at time: Int64) {
        guard let link = peers[key]?.link else { return }
        for service in services where service.handle > 0 {
            guard let uuid = BluetoothUUID(service.uuid) else { continue }
            let handles = service.characteristics.flatMap { [$0.attribute.handle, $0.configurationHandle] }
            let (first, end) = (service.handle, max(service.handle, handles.max() ?? 0))
            let type = uuid.littleEndianOctets
            writer.exchange(
                [0x10] + Self.number(first) + Self.number(end) + [0x00, 0x28],
                [0x11, UInt8(4 + type.count)] + Self.number(first) + Self.number(end) + type, on: link, at: time)
            for characteristic in service.characteristics where characteristic.attribute.handle > 1 {
                declare(characteristic, on: link, at: time)
                peers[key]?.characteristics[characteristic.attribute.handle] = characteristic
            }
        }
    }

    private mutating func declare(_ characteristic: TraceEntry.Characteristic, on link: UInt16, at time: Int64) {
        guard let type = BluetoothUUID(characteristic.attribute.uuid)?.littleEndianOctets else { return }
        let value = characteristic.attribute.handle
        writer.exchange(
            [0x08] + Self.number(value - 1) + Self.number(value) + [0x03, 0x28],
            [0x09, UInt8(5 + type.count)] + Self.number(value - 1) + [characteristic.properties] + Self.number(value)
                + type,
            on: link, at: time)
        let configuration = characteristic.configurationHandle
        guard configuration > 0 else { return }
        writer.exchange(
            [0x04] + Self.number(configuration) + Self.number(configuration),
            [0x05, 1] + Self.number(configuration) + [0x02, 0x29], on: link, at: time)
    }

    private mutating func notify(
        _ attribute: TraceEntry.Attribute, _ octets: TraceEntry.Octets, of key: String, at time: Int64
    ) {
        guard let peer = peers[key], let link = peer.link, attribute.handle > 0, let octets = octets.shown else {
            return
        }
        // BlueZ does not say which of both it was.
        let onlyIndicates = peer.characteristics[attribute.handle].map { $0.properties & 0x30 == 0x20 } ?? false
        writer.attribute(
            [onlyIndicates ? 0x1D : 0x1B] + Self.number(attribute.handle) + octets, on: link, .received, at: time)
    }

    /// Writes the packets of an operation; returns whether it has any.
    private mutating func carry(
        _ operation: TraceEntry.Operation, _ answer: TraceEntry.Octets, of key: String, isAnswered: Bool,
        at time: Int64
    ) -> Bool {
        guard let link = peers[key]?.link else { return false }
        let packets: (request: [UInt8], response: [UInt8]?)
        switch operation {
        case .connect, .disconnect, .pair, .remove: return false
        case .read(let attribute):
            guard attribute.handle > 0, let octets = answer.shown else { return false }
            packets = ([0x0A] + Self.number(attribute.handle), [0x0B] + octets)
        case .write(let attribute, let octets, let withResponse):
            guard attribute.handle > 0, let octets = octets.shown else { return false }
            let body = Self.number(attribute.handle) + octets
            packets = withResponse ? ([0x12] + body, [0x13]) : ([0x52] + body, nil)
        case .subscribe(let attribute), .unsubscribe(let attribute):
            guard let known = peers[key]?.characteristics[attribute.handle], known.configurationHandle > 0 else {
                return false
            }
            var bits: UInt16 = 0
            if case .subscribe = operation { bits = known.properties & 0x10 != 0 ? 1 : 2 }
            packets = ([0x12] + Self.number(known.configurationHandle) + Self.number(bits), [0x13])
        }
        writer.attribute(packets.request, on: link, .sent, at: time)
        if isAnswered, let response = packets.response { writer.attribute(response, on: link, .received, at: time) }
        return true
    }

    // MARK: Octets

    /// The structures of advertising data (Core Specification Supplement 11, Part A) that BlueZ reported the content of.
    private static func structures(_ data: AdvertisedData, name: String) -> [[UInt8]] {
        var structures: [[UInt8]] = []
        if !data.flags.isEmpty { structures.append([0x01] + data.flags) }
        let services = data.services.compactMap { BluetoothUUID($0)?.littleEndianOctets }
        for (type, length) in [(0x03 as UInt8, 2), (0x07, 16)] {
            let octets = services.filter { $0.count == length }.flatMap { $0 }
            // Each structure has 254 octets at most; a sensor has far fewer services.
            if !octets.isEmpty { structures.append([type] + octets.prefix(112)) }
        }
        if !name.isEmpty { structures.append([0x09] + Array(name.utf8.prefix(100))) }
        for company in data.companies {
            structures.append([0xFF] + number(company.identifier) + company.octets.prefix(220))
        }
        for service in data.serviceData {
            guard let type = BluetoothUUID(service.uuid)?.littleEndianOctets else { continue }
            structures.append([type.count == 2 ? 0x16 : 0x21] + type + service.octets.prefix(200))
        }
        if let power = data.transmitPower.flatMap({ Int8(exactly: $0) }) {
            structures.append([0x0A, UInt8(bitPattern: power)])
        }
        if let appearance = data.appearance { structures.append([0x19] + number(appearance)) }
        return structures
    }

    private static func number(_ number: UInt16) -> [UInt8] { CaptureWriter.little(Int64(number), 2) }

    /// Microseconds since 1970.
    private static func time(_ moment: Moment) -> Int64 {
        moment.wallMilliseconds.multipliedReportingOverflow(by: 1000).overflow ? 0 : moment.wallMilliseconds * 1000
    }
}
