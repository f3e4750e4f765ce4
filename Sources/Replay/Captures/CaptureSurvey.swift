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
    /// The sensors, as if they had not sent anything yet.
    private(set) var sensors: [CapturedPeer: ReplayedPeripheral] = [:]
    /// Sentences for the user.
    private(set) var warnings: [String] = []

    private var unnamed: [Unnamed: Int] = [:]
    private var truncatedPackets = 0
    private var hasValues = false

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
            decoder.handle(record) { self.record($0, &peripherals) }
        }
        names = decoder.names
        sensors = peripherals.filter(\.value.isRead).mapValues(\.beforeFirstValue)
        nameLate()
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
            // Nearly all repeat known values.
            peripheral.learn(name: said.name, services: said.services)
        case .services(let services): peripheral.learn(services: services)
        case .value(.characteristic(let characteristic), let octets, let origin):
            hasValues = hasValues || origin == .notified
            peripheral.interpret(
                octets, of: characteristic, isNotified: origin == .notified, at: .beginning, report: { _ in })
        case .value(.unnamed(let handle), _, .notified):
            let key = Unnamed(peer: event.peer, handle: handle)
            if unnamed.count < Self.limit || unnamed[key] != nil { unnamed[key, default: 0] += 1 }
        case .value(.unnamed, _, .read), .connected, .disconnected: break
        }
        peripherals[event.peer] = peripheral
    }

    /// Removes warnings about handles that a later discovery in the capture named.
    private mutating func nameLate() {
        for key in unnamed.keys where names[key.peer]?[handle: key.handle] != nil {
            unnamed[key] = nil
            hasValues = true
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
        let handles = unnamed.sorted { ($0.value, $1.key.handle) > ($1.value, $0.key.handle) }
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
        if !hasValues, handles.isEmpty, first != nil {
            warnings.append("\(file.path): it holds no value of a sensor.")
        }
    }
}
