import SensorDrivers
import Testing
import VitalDecoders
import Vitals
import Waves

@testable import KnownSensors
@testable import Sensors

/// Conducts the conversation of one driver in injected time, with a sensor that answers every request at once unless a
/// test says otherwise.
struct DriverBench {
    private(set) var conversation: Conversation
    private(set) var now = Moment(monotonicNanoseconds: 1_000_000_000_000, wallMilliseconds: 1_767_322_800_000)
    /// What was asked of the sensor, in order.
    private(set) var requests: [DriverRequest] = []
    /// What the driver reported, in order.
    private(set) var reports: [DriverAction] = []
    /// What the driver reported of stored nights, in order.
    private(set) var nightReports: [DriverNights.Report] = []
    /// What reading a characteristic gives; nothing is a refusal.
    var values: [BluetoothUUID: [UInt8]] = [:]
    /// How many more requests are answered; then the sensor is silent.
    var answersLeft = Int.max
    /// Which requests the sensor refuses.
    var refuses: (DriverRequest) -> Bool = { _ in false }
    private var due: MonotonicTime?

    init<Driver: SensorDriver>(
        _ driver: Driver.Type, newestSequence: Int? = nil, isPaired: Bool = true, transmitter: String? = "123456",
        newSensors: NewSensorPolicy = .ask, waves: Set<WaveKind> = [], runningWaves: Set<WaveKind> = [],
        nights: DriverNights = DriverNights(),
        randomOctets: @escaping @Sendable (Int) -> [UInt8] = { Array(1...UInt8($0)) }, cipher: AES128 = AES128()
    ) {
        let identity = SensorIdentity(address: "C0:52:49:00:00:0A", name: "Bench", kind: .other)
        let context = DriverContext(
            identity, isPaired: isPaired, transmitter: transmitter, newSensors: newSensors,
            waves: waves, runningWaves: runningWaves, newestSequence: newestSequence, nights: nights,
            localTime: { Self.time($0) }, milliseconds: { Self.milliseconds($0) },
            randomOctets: randomOctets, cipher: cipher)
        conversation = Conversation(driver.init(context), patience: driver.patience)
    }

    /// Connects to a sensor with these characteristics.
    mutating func connect(_ attributes: [DriverAttribute]) { handle(.connected(attributes)) }

    /// Has the sensor send a value.
    mutating func receive(_ octets: [UInt8], from uuid: BluetoothUUID) { handle(.received(octets, from: uuid)) }

    /// The link is over.
    mutating func end() {
        for case .report(let action) in conversation.end(at: now) { reports.append(action) }
    }

    /// Lets time pass, with the timers that are due in it.
    mutating func wait(_ duration: Duration) {
        let end = now.advanced(by: duration)
        while let due, due <= end.monotonic {
            now = now.advanced(by: .nanoseconds(max(0, due.nanoseconds(since: now.monotonic))))
            self.due = nil
            handle(.timerFired)
        }
        now = end
    }

    mutating func handle(_ event: Conversation.Event) {
        // An answer comes after everything that the event before it has led to.
        var events = [event]
        while !events.isEmpty {
            for effect in conversation.handle(events.removeFirst(), at: now) {
                switch effect {
                case .perform(let request, let number):
                    requests.append(request)
                    guard answersLeft > 0 else { break }
                    answersLeft -= 1
                    events.append(.answered(number: number, answer(to: request)))
                case .setTimer(let due): self.due = due
                case .report(.nights(let report)): nightReports.append(report)
                case .report(let action): reports.append(action)
                case .changed: break
                }
            }
        }
    }

    private func answer(to request: DriverRequest) -> Conversation.Answer {
        if refuses(request) { return .failure(wantsPairing: false) }
        guard request.kind == .read else { return .success([]) }
        return values[request.uuid].map { .success($0) } ?? .failure(wantsPairing: false)
    }

    var state: Conversation.State { conversation.state }

    /// Whether something will still happen by itself: a timer, or an answer that is awaited with one.
    var hasTimer: Bool { due != nil }

    /// The pieces of waves that were reported.
    var waves: [WavePiece] { reports.compactMap { if case .wave(let piece) = $0 { piece } else { nil } } }

    /// The states of waves that were reported.
    var waveStates: [WaveState] { reports.compactMap { if case .waveState(_, let state) = $0 { state } else { nil } } }

    /// What was reported beside waves.
    var reportsBesideWaves: [DriverAction] {
        reports.filter {
            switch $0 {
            case .wave, .waveState: false
            default: true
            }
        }
    }

    /// The entries that were reported.
    var entries: [(content: RecordEntry.Content, facts: EntryFacts, taken: Moment?)] {
        reports.compactMap {
            if case .entry(let content, let facts, let taken) = $0 { (content, facts, taken) } else { nil }
        }
    }

    /// The values that were written to a characteristic.
    func written(to uuid: BluetoothUUID) -> [[UInt8]] {
        requests.compactMap { request in
            guard request.uuid == uuid else { return nil }
            return switch request.kind {
            case .write(let octets), .writeWithoutResponse(let octets): octets
            case .read, .subscribe: nil
            }
        }
    }

    /// The wall time in a zone without summer time, at UTC.
    private static func time(_ moment: Moment) -> DateTime {
        let seconds = moment.wallMilliseconds / 1000
        let day = civil(seconds / 86_400)
        return DateTime(
            year: UInt16(day.year), month: UInt8(day.month), day: UInt8(day.day), hour: UInt8(seconds / 3600 % 24),
            minute: UInt8(seconds / 60 % 60), second: UInt8(seconds % 60))
    }

    static func milliseconds(_ time: DeviceTime) -> Int64? {
        guard let year = time.year, let month = time.month, let day = time.day else { return nil }
        // Days from civil, H. Hinnant's algorithm.
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let ofEra = shifted - era * 400
        let days = era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + dayOfYear - 719_468
        return Int64(days * 86_400 + time.hour * 3600 + time.minute * 60 + time.second) * 1000
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let dayOfYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let place = (5 * dayOfYear + 2) / 153
        let month = place < 10 ? place + 3 : place - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * place + 2) / 5 + 1)
    }
}

/// The characteristics of the sensors that drivers are for.
enum Attributes {
    static func notifying(_ uuid: BluetoothUUID) -> DriverAttribute { DriverAttribute(uuid: uuid, isNotifying: true) }

    static let clock = DriverAttribute(uuid: BluetoothUUID(0x2A2B), isReadable: true, isWritable: true)
    static let control = DriverAttribute(uuid: BluetoothUUID(0x2A52), isNotifying: true, isWritable: true)
    static let cuff = [notifying(BluetoothUUID(0x2A35)), notifying(BluetoothUUID(0x2A36)), clock]
    static let glucoseMeter = [notifying(BluetoothUUID(0x2A18)), notifying(BluetoothUUID(0x2A34)), control, clock]
    static let spotChecks = [notifying(BluetoothUUID(0x2A5E)), control, clock]
    static let scale = [notifying(BluetoothUUID(0x2A9D)), clock]
    static let fingertip = [notifying(FingertipOximeterDriver.characteristic)]
    static let jumper = [notifying(JumperOximeterDriver.characteristic)]
    static let bci = [notifying(BCIOximeterDriver.characteristic)]
    static let nonin = [
        notifying(NoninOximeterDriver.characteristic), notifying(NoninOximeterDriver.plethysmogram),
    ]
    static let glucoseSensor = [
        notifying(BluetoothUUID(0x2AA7)), control, DriverAttribute(uuid: BluetoothUUID(0x2AA8), isReadable: true),
        DriverAttribute(uuid: BluetoothUUID(0x2AA9), isReadable: true),
    ]
    static let miaoMiao = [
        notifying(MiaoMiaoDriver.notifying),
        DriverAttribute(uuid: MiaoMiaoDriver.writing, isWritableWithoutResponse: true),
    ]
    static let bridge = [
        DriverAttribute(uuid: XDripBridgeDriver.characteristic, isNotifying: true, isWritableWithoutResponse: true)
    ]
    static let dexcom = [
        DriverAttribute(uuid: DexcomDriver.authentication, isNotifying: true, isWritable: true),
        DriverAttribute(uuid: DexcomDriver.control, isNotifying: true, isWritable: true),
    ]
    static let polar = [
        DriverAttribute(uuid: PolarWaveDriver.control, isNotifying: true, isReadable: true, isWritable: true),
        notifying(CharacteristicType.polarMeasurementData.uuid),
    ]
    static let newRing = [
        notifying(OxyIIDriver.notifying), DriverAttribute(uuid: OxyIIDriver.writing, isWritableWithoutResponse: true),
    ]
    /// An oximeter ring, or a recorder of an ECG with the same service.
    static let ring = [
        notifying(OximeterRingDriver.notifying),
        DriverAttribute(uuid: OximeterRingDriver.writing, isWritable: true, isWritableWithoutResponse: true),
    ]
}
