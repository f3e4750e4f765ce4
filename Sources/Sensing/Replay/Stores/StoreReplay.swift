import Base
import Recording
import Sensors
import VitalDecoders
import Vitals

/// Plays a store of Bedside: readings, octets if they were recorded, and gaps.
///
/// A store does not contain connections; they are inferred: a sensor is connected from its first reading on, loses its
/// link where that was recorded, and was disconnected by the user where its readings end without a reason. Silence is
/// evaluated again, as for live events.
public struct StoreReplay: ReplaySource {
    private let path: String
    private let epochs: [RecordedEpoch]
    /// The wall times of the first and last reading, in milliseconds since 1970 (UTC); `nil` without readings.
    public let range: ClosedRange<Int64>?
    /// Empty: everything in a store can be played.
    public let warnings: [String] = []

    private var nextEpoch = 0
    private var pages: StorePages?
    private var epoch: RecordedEpoch?
    private var start: Int64 = .min
    private var timeline = ReplayTimeline()
    /// The recorded moment of the last played item.
    private var newest: Moment?
    private var links: [String: StoredLink] = [:]
    private var peripherals: [String: ReplayedPeripheral] = [:]
    private var waiting: [MonitorEvent] = []
    private var nextWaiting = 0
    /// Links that the user ended, with their time; the earliest first.
    private var endings: [MonitorEvent] = []

    /// Opens a store.
    ///
    /// - Throws: ``ReplayError``.
    public init(_ path: String) throws(ReplayError) {
        self.path = path
        do throws(StoreError) {
            guard let history = try StoredHistory.open(path) else {
                (epochs, range) = ([], nil)
                return
            }
            let range = try history.readingRange()
            self.range = range.map {
                ReplayTimeline.shown(wall: $0.lowerBound)...ReplayTimeline.shown(wall: $0.upperBound)
            }
            epochs = Self.covering(range, try history.epochs())
        } catch {
            throw ReplayError(store: error)
        }
    }

    /// The epochs; the first and the last are extended so that every reading is within one: the times of an epoch are
    /// those of its start and its last write, which a collected store may lack.
    private static func covering(_ range: ClosedRange<Int64>?, _ epochs: [RecordedEpoch]) -> [RecordedEpoch] {
        guard let range, !epochs.isEmpty else { return epochs }
        var epochs = epochs
        let (first, last) = (epochs[0].range, epochs[epochs.count - 1].range)
        epochs[0].range = min(first.lowerBound, range.lowerBound)...first.upperBound
        let lowerBound = epochs[epochs.count - 1].range.lowerBound
        epochs[epochs.count - 1].range = lowerBound...max(last.upperBound, range.upperBound)
        return epochs
    }

    public func waves() -> ReplayWaves? { ReplayWaves(path) }

    public var waveEpoch: Int64? { epoch?.number }

    /// Continues with the events from a wall time on, in milliseconds since 1970 (UTC).
    public mutating func seek(to wallMilliseconds: Int64) {
        // Items before the earliest displayable time are shown at that time.
        start = wallMilliseconds <= ReplayTimeline.wallTimes.lowerBound ? .min : wallMilliseconds
        nextEpoch = epochs.firstIndex { $0.range.upperBound >= start } ?? epochs.count
        pages = nil
        epoch = nil
        timeline = ReplayTimeline()
        newest = nil
        (links, peripherals) = ([:], [:])
        (waiting, endings, nextWaiting) = ([], [], 0)
    }

    /// Reads the next event.
    ///
    /// - Throws: ``ReplayError`` when no more can be read.
    public mutating func next() throws(ReplayError) -> ReplayStep {
        if nextWaiting == waiting.count {
            waiting.removeAll(keepingCapacity: true)
            nextWaiting = 0
            if try !play() { return .end }
        }
        if waiting.isEmpty { return .searching }
        defer { nextWaiting += 1 }
        return .event(waiting[nextWaiting])
    }

    /// The greatest number of items played at the same moment; the rest follows in the next step.
    private static let stepLimit = 1024

    /// Plays the items of the next moment, or begins the next epoch; returns whether there are more.
    private mutating func play() throws(ReplayError) -> Bool {
        guard let item = try pages?.peek() else { return beginEpoch() }
        let then = item.moment
        let isLater = newest.map { then.monotonicNanoseconds.subtractingSaturated($0.monotonicNanoseconds) } ?? 0
        if let ending = endings.first, let now = timeline.newest,
            ending.moment < now.advanced(by: .nanoseconds(max(0, isLater)))
        {
            waiting.append(endings.removeFirst())
            return true
        }
        let (moment, gap) = timeline.step(nanoseconds: isLater, wall: then.wallMilliseconds)
        newest = then
        if let gap { waiting.append(MonitorEvent(moment: moment, kind: .gap(gap))) }
        var order: [String] = []
        var items: [String: [StoredItem]] = [:]
        var count = 0
        while count < Self.stepLimit, let item = try pages?.peek(),
            item.moment.monotonicNanoseconds <= then.monotonicNanoseconds
        {
            count += 1
            let address = item.sensor.address
            if items[address] == nil { order.append(address) }
            items[address, default: []].append(item)
            pages?.drop()
        }
        for address in order { try report(items[address] ?? [], of: address, then: then, at: moment) }
        return true
    }

    // MARK: Epochs

    private mutating func beginEpoch() -> Bool {
        if !endings.isEmpty {
            waiting = endings
            endings = []
            return true
        }
        guard epochs.indices.contains(nextEpoch) else { return false }
        let begun = epochs[nextEpoch]
        nextEpoch += 1
        guard begun.range.upperBound >= start else { return true }
        let former = epoch
        epoch = begun
        pages = StorePages(path, begun, from: start)
        guard let former, let before = timeline.newest else { return true }
        let passed: Int64
        if former.run == begun.run, let newest {
            passed = begun.monotonicNanoseconds.subtractingSaturated(newest.monotonicNanoseconds)
        } else {
            // Another run may follow a restart of the computer, which resets its clock.
            passed = begun.range.lowerBound.subtractingSaturated(before.wallMilliseconds)
                .multipliedSaturated(by: 1_000_000)
            endLinks(at: before)
        }
        newest = Moment(
            monotonicNanoseconds: begun.monotonicNanoseconds, wallMilliseconds: begun.range.lowerBound)
        let after = timeline.advance(nanoseconds: passed, wall: begun.range.lowerBound)
        let reason = GapReason(rawValue: begun.cause) ?? .program
        waiting.append(MonitorEvent(moment: after, kind: .gap(Gap(from: before, to: after, reason: reason))))
        return true
    }

    private mutating func endLinks(at moment: Moment) {
        for address in links.keys.sorted() {
            guard let link = links[address] else { continue }
            let ended = ConnectionState(phase: .disconnected, reason: .user)
            waiting.append(MonitorEvent(moment: moment, kind: .connection(link.sensor, ended)))
        }
        links = [:]
    }

    // MARK: Items

    private mutating func report(
        _ items: [StoredItem], of address: String, then: Moment, at moment: Moment
    ) throws(ReplayError) {
        var readings: [Reading] = []
        var octets: [RawNotification] = []
        for item in items {
            switch item {
            case .reading(let recorded): readings.append(recorded.reading)
            case .notification(let recorded):
                let repeated = octets.contains { $0.octets == recorded.notification.octets }
                if !repeated { octets.append(recorded.notification) }
            }
        }
        let sensor = readings.last?.sensor ?? links[address]?.sensor ?? items.first?.sensor
        guard let sensor else { return }
        let made = interpret(octets, of: sensor, at: moment)
        let isMadeAnew = made.contains { if case .reading = $0 { true } else { false } }
        let kept: [MonitorEvent.Kind] = isMadeAnew ? [] : readings.map { .reading($0) }
        for kind in made + kept {
            guard case .reading(var reading) = kind else {
                waiting.append(MonitorEvent(moment: moment, kind: kind))
                continue
            }
            // Values that were read once are only in the stored reading.
            let stored = readings.first { $0.vital == reading.vital }
            reading.site = reading.site ?? stored?.site
            // Whether it was late is only in the stored reading.
            if let stored { reading.late = stored.late?.moved(from: stored.moment, to: moment) }
            reading.moment = moment
            report(reading, at: moment)
        }
        let isAlive = !octets.isEmpty || readings.contains { !$0.isOfTimeAlone }
        if isAlive, links[address] != nil { try foresee(address, sensor, then: then, at: moment) }
    }

    private mutating func interpret(
        _ octets: [RawNotification], of sensor: SensorIdentity, at moment: Moment
    ) -> [MonitorEvent.Kind] {
        guard !octets.isEmpty else { return [] }
        var peripheral = peripherals[sensor.address] ?? ReplayedPeripheral(sensor)
        peripheral.isKnown(as: sensor)
        var made: [MonitorEvent.Kind] = []
        for notification in octets {
            guard let characteristic = BluetoothUUID(notification.characteristic) else { continue }
            peripheral.interpret(notification.octets, of: characteristic, isNotified: true, at: moment) {
                made.append($0)
            }
        }
        peripherals[sensor.address] = peripheral
        return made
    }

    private mutating func report(_ reading: Reading, at moment: Moment) {
        let (sensor, address) = (reading.sensor, reading.sensor.address)
        switch reading.outcome {
        case .noMeasurement(.silent): return
        case .noMeasurement(.linkLost):
            guard links.removeValue(forKey: address) != nil else { return }
            let lost = ConnectionState(phase: .disconnected, reason: .linkLost)
            waiting.append(MonitorEvent(moment: moment, kind: .connection(sensor, lost)))
            return
        case .measured, .noMeasurement: break
        }
        if links[address] == nil {
            waiting.append(MonitorEvent(moment: moment, kind: .connection(sensor, ConnectionState(phase: .ready))))
        }
        links[address, default: StoredLink(sensor: sensor)].record(sensor, at: moment)
        waiting.append(MonitorEvent(moment: moment, kind: .reading(reading)))
    }

    /// Determines whether a sensor sends more; one that ends without a reason was disconnected by the user.
    private mutating func foresee(
        _ address: String, _ sensor: SensorIdentity, then: Moment, at moment: Moment
    ) throws(ReplayError) {
        guard sensor.kind.isStreaming, let timeout = links[address]?.timeout else { return }
        var ahead = 0
        while let item = try pages?.item(ahead),
            case let later = item.moment.monotonicNanoseconds.subtractingSaturated(then.monotonicNanoseconds),
            later <= StoredLink.longestTimeout
        {
            if item.sensor.address == address {
                if later <= timeout { return }
                if case .reading(let recorded) = item, recorded.reading.isOfTimeAlone { return }
                break
            }
            ahead += 1
        }
        links[address] = nil
        let ended = MonitorEvent(
            moment: moment.advanced(by: .seconds(1)),
            kind: .connection(sensor, ConnectionState(phase: .disconnected, reason: .user)))
        let place = endings.firstIndex { $0.moment > ended.moment } ?? endings.count
        endings.insert(ended, at: place)
    }
}

extension Reading {
    /// Whether no sensor sent it: a silence, a lost link.
    fileprivate var isOfTimeAlone: Bool {
        switch outcome {
        case .noMeasurement(.silent), .noMeasurement(.linkLost): true
        default: false
        }
    }
}

/// A sensor with readings.
struct StoredLink {
    /// The greatest timeout, in nanoseconds.
    static let longestTimeout: Int64 = 120_000_000_000
    private static let shortestPatience: Int64 = 15_000_000_000

    var sensor: SensorIdentity
    private var last: Moment?
    private var interval: Int64?

    init(sensor: SensorIdentity) {
        self.sensor = sensor
    }

    mutating func record(_ sensor: SensorIdentity, at moment: Moment) {
        self.sensor = sensor
        if let last, moment > last { interval = moment.since(last).nanoseconds }
        last = moment
    }

    /// The length of silence that counts as a fault: several times its interval.
    var timeout: Int64 {
        guard let interval else { return Self.longestTimeout }
        return min(max(Self.shortestPatience, interval.multipliedSaturated(by: 10)), Self.longestTimeout)
    }
}
