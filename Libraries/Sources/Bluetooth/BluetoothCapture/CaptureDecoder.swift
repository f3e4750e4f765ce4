import VitalDecoders

/// Decodes the packets of a capture into events of peripherals.
///
/// It is a value: a copy continues independently. Its memory is bounded, whatever a capture holds.
public struct CaptureDecoder: Sendable {
    /// The greatest number of links, and of peripherals with known handles.
    private static let limit = 256
    /// The longest advertisement (Core Specification 5.4, Vol 6 Part B, 2.3.4.9).
    private static let advertisementLimit = 1650

    private var links: [LinkKey: Link] = [:]
    private var partialAdvertisement: (address: String, data: [UInt8])?
    /// The characteristics of the peripherals' handles.
    public private(set) var names: [CapturedPeer: AttributeNames]
    /// The user's characteristics of handles, for peripherals without a captured discovery.
    private let given: [UInt16: BluetoothUUID]

    private struct LinkKey: Hashable {
        var controller: Int
        var handle: UInt16
    }

    private struct Link: Sendable {
        var peer: CapturedPeer
        var dialogue = AttributeDialogue()
        var received = ChannelReassembly()
        var sent = ChannelReassembly()
    }

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - names: The characteristics of handles, from an earlier pass through the same capture.
    ///   - characteristics: The user's characteristics of handles that the capture does not name.
    public init(names: [CapturedPeer: AttributeNames] = [:], characteristics: [UInt16: BluetoothUUID] = [:]) {
        self.names = names
        given = characteristics
    }

    /// Handles a packet.
    ///
    /// - Parameter emit: Called with each event.
    public mutating func handle(_ record: CaptureRecord, emit: (CaptureEvent) -> Void) {
        let packet = record.packet
        switch packet.kind {
        case .data(let direction): handle(packet, direction, at: record.microseconds, emit)
        case .event:
            // Truncated events are ignored: the missing part might matter.
            if !packet.isTruncated, let event = ControllerEvent(packet.octets) {
                handle(event, of: packet.controller, at: record.microseconds, emit)
            }
        case .controllerChanged: endLinks(of: packet.controller, at: record.microseconds, emit)
        case .note, .other: break
        }
    }

    // MARK: Events

    private mutating func handle(
        _ event: ControllerEvent, of controller: Int, at time: Int64, _ emit: (CaptureEvent) -> Void
    ) {
        switch event {
        case .connected(let handle, let address):
            let key = LinkKey(controller: controller, handle: handle)
            guard links.count < Self.limit || links[key] != nil else { return }
            links[key] = Link(peer: .address(address))
            emit(CaptureEvent(microseconds: time, peer: .address(address), kind: .connected))
        case .disconnected(let handle, let reason):
            guard let link = links.removeValue(forKey: LinkKey(controller: controller, handle: handle)) else { return }
            emit(CaptureEvent(microseconds: time, peer: link.peer, kind: .disconnected(.reason(reason))))
        case .advertisements(let reports):
            for report in reports { handle(report, at: time, emit) }
        case .reset: endLinks(of: controller, at: time, emit)
        }
    }

    private mutating func endLinks(of controller: Int, at time: Int64, _ emit: (CaptureEvent) -> Void) {
        // Sorted, so that the order is the same in every run.
        for key in links.keys.filter({ $0.controller == controller }).sorted(by: { $0.handle < $1.handle }) {
            guard let link = links.removeValue(forKey: key) else { continue }
            emit(CaptureEvent(microseconds: time, peer: link.peer, kind: .disconnected(.controller)))
        }
    }

    private mutating func handle(_ report: ControllerEvent.Report, at time: Int64, _ emit: (CaptureEvent) -> Void) {
        var data = report.data
        if let partial = partialAdvertisement, partial.address == report.address { data = partial.data + data }
        partialAdvertisement = nil
        if report.isToBeContinued, data.count <= Self.advertisementLimit {
            partialAdvertisement = (report.address, data)
            return
        }
        let advertisement = Advertisement(data[...], signalStrength: report.signalStrength)
        emit(CaptureEvent(microseconds: time, peer: .address(report.address), kind: .advertised(advertisement)))
    }

    // MARK: Data

    private mutating func handle(
        _ packet: HCIPacket, _ direction: HCIPacket.Direction?, at time: Int64, _ emit: (CaptureEvent) -> Void
    ) {
        guard let data = LinkData(packet) else { return }
        let key = LinkKey(controller: packet.controller, handle: data.handle)
        guard var link = links[key] ?? stranger(key) else { return }
        let frame =
            direction == .sent
            ? link.sent.handle(data.data, isFirst: data.isFirst, isTruncated: data.isTruncated)
            : link.received.handle(data.data, isFirst: data.isFirst, isTruncated: data.isTruncated)
        let peer = link.peer
        if let frame {
            var table = names[peer] ?? AttributeNames()
            var findings: [AttributeDialogue.Finding] = []
            link.dialogue.handle(frame, direction, names: &table) { findings.append($0) }
            if !table.isEmpty, names.count < Self.limit || names[peer] != nil { names[peer] = table }
            for finding in findings {
                let kind: CaptureEvent.Kind =
                    switch finding {
                    case .service(let service): .services([service])
                    case .value(let handle, let octets, let origin):
                        .value(attribute(handle, table), octets, origin)
                    }
                emit(CaptureEvent(microseconds: time, peer: peer, kind: kind))
            }
        }
        links[key] = link
    }

    private func attribute(_ handle: UInt16, _ table: AttributeNames) -> CaptureEvent.Attribute {
        (table[handle: handle] ?? given[handle]).map { .characteristic($0) } ?? .unnamed(handle: handle)
    }

    /// A link that was established before the capture began.
    private func stranger(_ key: LinkKey) -> Link? {
        links.count < Self.limit ? Link(peer: .link(handle: key.handle)) : nil
    }
}

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
