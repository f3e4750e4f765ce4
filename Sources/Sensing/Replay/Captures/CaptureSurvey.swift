import BluetoothCapture
import Sensors
import VitalDecoders

/// The result of a first pass through a capture, needed from the start of the second one: its period, the sensors, the
/// characteristics of their handles, and what cannot be played.
struct CaptureSurvey {
    /// The first and the last time, in microseconds since 1970 (UTC).
    private(set) var first, last: Int64?
    /// The characteristics of each peripheral's handles.
    private(set) var names: [CapturedPeer: AttributeNames] = [:]
    /// The sensors before their first value.
    private(set) var sensors: [CapturedPeer: ReplayedPeripheral] = [:]
    /// Whether a note says that the sensors are simulated.
    private(set) var isSimulated = false
    /// Sentences for the user.
    private(set) var warnings: [String] = []

    private var unnamed: [Unnamed: (count: Int, first: [UInt8])] = [:]
    /// The peripherals whose notifications can be decoded.
    private var speaking: Set<CapturedPeer> = []
    private var truncatedPackets = 0

    private struct Unnamed: Hashable {
        var peer: CapturedPeer
        var handle: UInt16
    }

    /// The greatest number of peripherals kept, and of handles counted.
    private static let limit = 4096
    /// The greatest number of handles listed in a sentence.
    private static let namedHandles = 4

    /// Surveys a capture.
    ///
    /// - Parameter characteristics: The characteristics of handles, given by the user.
    init(_ file: CaptureFile, characteristics: [UInt16: BluetoothUUID]) throws(ReplayError) {
        var records = CaptureRecords(file)
        var decoder = CaptureDecoder(characteristics: characteristics)
        var peripherals: [CapturedPeer: ReplayedPeripheral] = [:]
        reading: while true {
            let record: CaptureRecord
            switch try records.next() {
            case .record(let next): record = next
            case .searching: continue
            case .end: break reading
            }
            first = min(first ?? record.microseconds, record.microseconds)
            last = max(last ?? record.microseconds, record.microseconds)
            if record.packet.isTruncated, case .data = record.packet.kind { truncatedPackets += 1 }
            if record.packet.kind == .note, record.packet.octets.starts(with: CaptureWriter.simulated.utf8) {
                isSimulated = true
            }
            decoder.handle(record) { self.record($0, &peripherals) }
        }
        names = decoder.names
        nameLate(&peripherals)
        sensors = peripherals.filter(\.value.isRead).mapValues(\.beforeFirstValue)
        complain(of: file, records.trouble)
        if first == nil, let trouble = records.trouble {
            throw ReplayError(.malformed, "\(file.path) cannot be played: \(trouble)")
        }
    }

    private mutating func record(_ event: CaptureEvent, _ peripherals: inout [CapturedPeer: ReplayedPeripheral]) {
        guard peripherals.count < Self.limit || peripherals[event.peer] != nil else { return }
        let known = peripherals[event.peer]
        var peripheral = known ?? ReplayedPeripheral(event.peer)
        switch event.kind {
        case .advertised(let said):
            // Nearly all of them repeat known values.
            peripheral.learn(name: said.name, services: said.services)
        case .services(let services): peripheral.learn(services: services)
        case .value(.characteristic(let characteristic), let octets, let origin):
            var isUnderstood = false
            peripheral.interpret(octets, of: characteristic, isNotified: origin == .notified, at: .beginning) { _ in
                isUnderstood = true
            }
            if isUnderstood, origin == .notified { speaking.insert(event.peer) }
        case .value(.unnamed(let handle), let octets, .notified):
            let key = Unnamed(peer: event.peer, handle: handle)
            if unnamed.count < Self.limit || unnamed[key] != nil { unnamed[key, default: (0, octets)].count += 1 }
        case .value(.unnamed, _, .read), .connected, .disconnected: break
        }
        peripherals[event.peer] = peripheral
    }

    /// Removes warnings about handles that the capture discovers later.
    private mutating func nameLate(_ peripherals: inout [CapturedPeer: ReplayedPeripheral]) {
        for (key, values) in unnamed {
            guard let characteristic = names[key.peer]?[handle: key.handle] else { continue }
            unnamed[key] = nil
            peripherals[key.peer]?.interpret(values.first, of: characteristic, isNotified: true, at: .beginning) { _ in
                speaking.insert(key.peer)
            }
        }
    }

    private mutating func complain(of file: CaptureFile, _ trouble: CaptureError?) {
        if let trouble {
            warnings.append("\(file.path): \(trouble); what lies before it is played.")
        }
        if truncatedPackets > 0 {
            warnings.append(
                "\(file.path): of \(truncatedPackets) packets only the beginning was captured; their values are left out."
            )
        }
        let handles = unnamed.map { (key: $0.key, count: $0.value.count) }
            .sorted { ($0.count, $1.key.handle) > ($1.count, $0.key.handle) }
        for (key, count) in handles.prefix(Self.namedHandles) {
            warnings.append(
                """
                \(file.path): it does not say what handle \(key.handle.hexadecimal) of \(key.peer.text) is \
                (\(count == 1 ? "1 value" : "\(count) values")), because the sensor was discovered before; if you know \
                it, add an option such as --handle \(key.handle.hexadecimal)=2A37.
                """)
        }
        if handles.count > Self.namedHandles {
            warnings.append("\(file.path): \(handles.count - Self.namedHandles) more handles are not named either.")
        }
        // Links and batteries of peripherals that are no sensors are not played.
        if !sensors.keys.contains(where: speaking.contains), handles.isEmpty, first != nil {
            warnings.append("\(file.path): it holds no value of a sensor.")
        }
    }
}
