import BluetoothCapture
import Sensors
import VitalDecoders
import Vitals

/// Plays a capture of Bluetooth traffic as the supervisor's events: links, values, advertisements.
public struct CaptureReplay: ReplaySource {
    private let file: CaptureFile
    private let survey: CaptureSurvey
    private let given: [UInt16: BluetoothUUID]
    private var records: CaptureRecords
    private var decoder: CaptureDecoder
    private var peripherals: [CapturedPeer: ReplayedPeripheral]
    /// The connected peripherals, and whether they have sent values.
    private var links: [CapturedPeer: Bool] = [:]
    private var timeline = ReplayTimeline()
    private var waiting: [MonitorEvent] = []
    private var nextWaiting = 0
    private var start: Int64 = .min

    /// The greatest number of peripherals followed at the same time.
    private static let limit = 4096
    /// The greatest number of packets, or portions of the file, per step; a few milliseconds.
    private static let stepLimit = 1024

    /// Whether a file that begins with these bytes is a capture.
    public static func isCapture(_ bytes: [UInt8]) -> Bool { CaptureFormat(beginning: bytes) != nil }

    /// Opens a capture and surveys it once.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - handles: The characteristics of handles that the capture does not name, given by the user.
    /// - Throws: ``ReplayError``.
    public init(_ path: String, handles: [UInt16: BluetoothUUID] = [:]) throws(ReplayError) {
        file = try CaptureFile(path)
        survey = try CaptureSurvey(file, characteristics: handles)
        given = handles
        records = CaptureRecords(file)
        decoder = CaptureDecoder(names: survey.names, characteristics: handles)
        peripherals = survey.sensors
    }

    /// The wall times of the first and last record, in milliseconds since 1970 (UTC); `nil` for an empty capture.
    public var range: ClosedRange<Int64>? {
        guard let first = survey.first, let last = survey.last else { return nil }
        return ReplayTimeline.shown(wall: first / 1000)...ReplayTimeline.shown(wall: last / 1000)
    }

    /// Whether the capture is a trace of simulated sensors.
    public var isSimulated: Bool { survey.isSimulated }

    /// Sentences for the user about parts of the capture that cannot be played.
    public var warnings: [String] { survey.warnings }

    /// Continues with the events from a wall time on, in milliseconds since 1970 (UTC).
    public mutating func seek(to wallMilliseconds: Int64) {
        records = CaptureRecords(file)
        decoder = CaptureDecoder(names: survey.names, characteristics: given)
        peripherals = survey.sensors
        links = [:]
        timeline = ReplayTimeline()
        waiting = []
        nextWaiting = 0
        start = wallMilliseconds
    }

    /// Reads the next event.
    ///
    /// - Throws: ``ReplayError`` when no more can be read.
    public mutating func next() throws(ReplayError) -> ReplayStep {
        if nextWaiting == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            nextWaiting = 0
        }
        var count = 0
        while waiting.isEmpty, count < Self.stepLimit {
            count += 1
            switch try records.next() {
            case .record(let record):
                var happened: [CaptureEvent] = []
                decoder.handle(record) { happened.append($0) }
                for event in happened { handle(event) }
            case .searching: break
            case .end: return .end
            }
        }
        if waiting.isEmpty { return .searching }
        defer { nextWaiting += 1 }
        return .event(waiting[nextWaiting])
    }

    // MARK: From packets to events

    private mutating func handle(_ event: CaptureEvent) {
        let isBefore = ReplayTimeline.shown(wall: event.microseconds / 1000) < start
        if isBefore {
            // Only connections and identities matter later.
            follow(event, at: .beginning) { _ in }
            return
        }
        let isFirst = timeline.newest == nil
        let (moment, gap) = timeline.moment(wallMicroseconds: event.microseconds)
        var kinds: [MonitorEvent.Kind] = isFirst ? connectedBefore(at: moment) : []
        if let gap { kinds.append(.gap(gap)) }
        follow(event, at: moment) { kinds.append($0) }
        waiting += kinds.map { MonitorEvent(moment: moment, kind: $0) }
    }

    private mutating func connectedBefore(at moment: Moment) -> [MonitorEvent.Kind] {
        links.filter(\.value).keys.sorted { $0.text < $1.text }.compactMap { peer in
            peripherals[peer].map { .connection($0.identity, ConnectionState(phase: .ready)) }
        }
    }

    private mutating func follow(_ event: CaptureEvent, at moment: Moment, _ emit: (MonitorEvent.Kind) -> Void) {
        if peripherals.count >= Self.limit { forgetStrangers() }
        var peripheral = peripherals[event.peer] ?? ReplayedPeripheral(event.peer)
        let before = peripheral.identity
        switch event.kind {
        case .advertised(let said):
            peripheral.learn(name: said.name, services: said.services)
            let news = peripheral.heard(
                strength: said.signalStrength, isNews: peripheral.identity != before, at: moment)
            if let news { emit(news) }
        case .services(let services): peripheral.learn(services: services)
        case .connected:
            links[event.peer] = false
            let names = decoder.names[event.peer]
            peripheral.connected(having: names?.characteristics ?? [], at: moment)
            if peripheral.isRead { emit(.connection(peripheral.identity, ConnectionState(phase: .connected))) }
        case .disconnected(let end):
            if links.removeValue(forKey: event.peer) != nil, peripheral.isRead {
                emit(.connection(peripheral.identity, ConnectionState(phase: .disconnected, reason: end.reason)))
            }
        case .value(.characteristic(let characteristic), let octets, let origin):
            var values: [MonitorEvent.Kind] = []
            peripheral.interpret(octets, of: characteristic, isNotified: origin == .notified, at: moment) {
                values.append($0)
            }
            if origin == .notified, peripheral.isRead, links[event.peer] != true {
                links[event.peer] = true
                emit(.connection(peripheral.identity, ConnectionState(phase: .ready)))
            }
            values.forEach(emit)
        case .value(.unnamed, _, _): break
        }
        peripherals[event.peer] = peripheral
    }

    /// Removes peripherals that only advertised, because changing addresses make their number unlimited.
    private mutating func forgetStrangers() {
        peripherals = peripherals.filter { $0.value.isRead || links[$0.key] != nil }
    }
}

extension CaptureEvent.LinkEnd {
    /// The corresponding reason of a connection state.
    fileprivate var reason: ConnectionState.DisconnectReason {
        switch self {
        case .controller: .adapter
        case .reason: isByHost ? .user : .linkLost
        }
    }
}

extension CapturedPeer {
    /// The address, or the link's handle if the address is unknown.
    var text: String {
        switch self {
        case .address(let address): address
        case .link(let handle): "link \(handle.hexadecimal)"
        }
    }
}

extension ReplayedPeripheral {
    /// Creates an otherwise unknown peripheral.
    init(_ peer: CapturedPeer) {
        self.init(address: peer.text)
    }
}

extension UInt16 {
    /// Four hexadecimal digits after `0x`.
    var hexadecimal: String {
        let digits = String(self, radix: 16, uppercase: true)
        return "0x" + String(repeating: "0", count: 4 - digits.count) + digits
    }
}

extension Moment {
    /// The moment of events without a time.
    static let beginning = Moment(monotonicNanoseconds: 0, wallMilliseconds: 0)
}
