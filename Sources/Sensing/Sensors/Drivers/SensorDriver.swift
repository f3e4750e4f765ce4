import VitalDecoders
import Vitals

/// Conducts the conversation with a sensor: its requests, their order, and the meaning of the answers.
///
/// A pure state machine: it gets events with their moment and returns actions; it performs nothing and reads no clock.
/// ``Conversation`` performs one request at a time, repeats failed ones, limits every wait, and creates a new driver
/// for each link, so that a driver contains only the path to success. Facts from earlier links are in the
/// ``DriverContext``.
protocol SensorDriver: Sendable {
    /// Creates a driver for a new link.
    init(_ context: DriverContext)

    /// How long the sensor may take to send the wanted data; then the link is ended.
    static var patience: Duration { get }

    /// Handles an event; returns the actions in order.
    mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction]

    /// Handles the end of the link; returns the remaining reports.
    mutating func end(at now: Moment) -> [DriverAction]
}

extension SensorDriver {
    mutating func end(at now: Moment) -> [DriverAction] { [] }

    static var patience: Duration { .seconds(30) }
}

/// Facts for a driver from outside the link.
struct DriverContext: Sendable {
    var identity: SensorIdentity
    /// Whether this computer is paired with it.
    var isPaired: Bool
    /// The user's identifier for a transmitter of this name; `nil` for none.
    var transmitter: String?
    /// Whether a transmitter may use a new sensor that it has detected.
    var newSensors: NewSensorPolicy
    /// The greatest sequence number of the sensor's measurements that are in the record already.
    var newestSequence: Int?
    /// The local time at a moment, for setting a sensor's clock.
    var localTime: @Sendable (Moment) -> DateTime
    /// Milliseconds since 1970 (UTC) of a sensor's local time; `nil` for incomplete dates.
    var milliseconds: @Sendable (DeviceTime) -> Int64?
    /// Returns unpredictable octets, for an authentication.
    var randomOctets: @Sendable (_ count: Int) -> [UInt8]
    /// The cipher of an authentication.
    var cipher: AES128

    init(
        _ identity: SensorIdentity, isPaired: Bool = false, transmitter: String? = nil,
        newSensors: NewSensorPolicy = .ask, newestSequence: Int? = nil,
        localTime: @escaping @Sendable (Moment) -> DateTime = { DateTime(localTimeAt: $0) },
        milliseconds: @escaping @Sendable (DeviceTime) -> Int64? = { $0.localMilliseconds },
        randomOctets: @escaping @Sendable (Int) -> [UInt8] = { count in
            (0..<count).map { _ in UInt8.random(in: .min ... .max) }
        }, cipher: AES128 = AES128()
    ) {
        self.identity = identity
        self.isPaired = isPaired
        self.transmitter = transmitter
        self.newSensors = newSensors
        self.newestSequence = newestSequence
        self.localTime = localTime
        self.milliseconds = milliseconds
        self.randomOctets = randomOctets
        self.cipher = cipher
    }
}

/// An event on the link to a sensor.
enum DriverEvent: Hashable, Sendable {
    /// The services are resolved, and these are the characteristics.
    case connected([DriverAttribute])
    /// A subscription or a write has succeeded.
    case succeeded(DriverRequest)
    /// The octets of a requested read.
    case read([UInt8], of: BluetoothUUID)
    /// An optional request has failed, in spite of its repetitions.
    case failed(DriverRequest)
    /// The sensor has notified or indicated a value.
    case received([UInt8], from: BluetoothUUID)
    /// The time of ``DriverAction/setTimer(_:)`` is over.
    case timerFired
    /// Somebody has said whether a new sensor (`TransmitterStatus.newSensor`) is accepted.
    case newSensorAnswered(isAccepted: Bool)
}

/// A characteristic of a sensor.
struct DriverAttribute: Hashable, Sendable {
    var uuid: BluetoothUUID
    /// Whether it notifies or indicates.
    var isNotifying = false
    /// Whether it can be read.
    var isReadable = false
    /// Whether it can be written with a response.
    var isWritable = false
    /// Whether it can be written without a response.
    var isWritableWithoutResponse = false
}

/// A request to a sensor.
struct DriverRequest: Hashable, Sendable {
    /// The kind of request.
    var kind: Kind
    /// The characteristic.
    var uuid: BluetoothUUID
    /// Whether the conversation continues without it, for example if a clock cannot be set.
    var isOptional = false

    /// The kinds of requests.
    enum Kind: Hashable, Sendable {
        /// Subscribe to its values.
        case subscribe
        /// Read its value.
        case read
        /// Write a value, and wait for the response.
        case write([UInt8])
        /// Write a value without a response.
        case writeWithoutResponse([UInt8])
    }

    /// A subscription.
    static func subscribe(_ uuid: BluetoothUUID, isOptional: Bool = false) -> Self {
        Self(kind: .subscribe, uuid: uuid, isOptional: isOptional)
    }

    static func read(_ uuid: BluetoothUUID, isOptional: Bool = false) -> Self {
        Self(kind: .read, uuid: uuid, isOptional: isOptional)
    }

    /// A write with an answer.
    static func write(_ octets: [UInt8], to uuid: BluetoothUUID, isOptional: Bool = false) -> Self {
        Self(kind: .write(octets), uuid: uuid, isOptional: isOptional)
    }

    /// A write without an answer.
    static func writeWithoutResponse(_ octets: [UInt8], to uuid: BluetoothUUID) -> Self {
        Self(kind: .writeWithoutResponse(octets), uuid: uuid)
    }
}

/// An action for the caller of a driver.
enum DriverAction: Hashable, Sendable {
    /// Send a request, after all earlier ones.
    case request(DriverRequest)
    /// Fire ``DriverEvent/timerFired`` after this time; replaces an earlier timer.
    case setTimer(Duration)
    /// Cancel the timer.
    case cancelTimer
    /// The value of a vital, or the reason for its absence.
    case reading(Vital, Reading.Outcome, DriverReadingDetails = DriverReadingDetails())
    /// A value that was measured once.
    case entry(RecordEntry.Content, EntryFacts, taken: Moment?)
    /// The last sequence number that the sensor has transferred, to continue there on the next link.
    case remember(sequence: Int)
    /// The present pressure in the cuff, in whole mmHg.
    case cuffPressure(Int)
    /// The battery level in percent.
    case battery(Int)
    /// What a transmitter reports of itself, and of the sensor that it is on; the whole of it each time.
    case transmitter(TransmitterStatus)
    /// A sentence for the user.
    case notice(String)
    /// The sensor has sent invalid octets.
    case malformed([UInt8], of: BluetoothUUID, MalformedValueError)
    /// The sensor streams from now on, and may be silent for any time.
    case streaming
    /// Everything was transferred: end the link, and wait until the sensor advertises again.
    case finish
    /// The sensor must be paired first.
    case askToPair(String)
    /// The sensor cannot be used, for a reason that no repetition changes.
    case refuse(String)
}

/// The details of a driver's reading.
struct DriverReadingDetails: Hashable, Sendable {
    /// The site of the measurement.
    var site: BodySite?
    /// The sensor's own time.
    var deviceTime: DeviceTime?
    /// When it was measured, if it is not a present value.
    var late: LateInterval?
}

extension [DriverAttribute] {
    /// The characteristic with a UUID.
    subscript(uuid: BluetoothUUID) -> DriverAttribute? { first { $0.uuid == uuid } }
}

/// Assembles frames that a sensor sends in pieces.
struct FrameAssembler: Hashable, Sendable {
    /// The received octets that were not used yet.
    private(set) var octets: [UInt8] = []
    private let limit: Int
    private var newest: Moment?

    /// After a longer pause, earlier octets do not belong to the next frame.
    static let longestPause = Duration.seconds(3)

    /// Creates an assembler.
    ///
    /// - Parameter limit: The most octets to keep; the oldest are dropped.
    init(limit: Int) { self.limit = limit }

    /// Appends a piece.
    mutating func append(_ piece: [UInt8], at now: Moment) {
        if let newest, now.since(newest) > Self.longestPause { octets = [] }
        newest = now
        octets += piece
        if octets.count > limit { octets.removeFirst(octets.count - limit) }
    }

    mutating func drop(_ count: Int) { octets.removeFirst(min(count, octets.count)) }

    /// Drops everything.
    mutating func clear() { octets = [] }
}

/// Reduces a fast sensor to one reading a second for each vital, plus the extremes between.
///
/// The first reading of a second passes at once, and so does each change between a value and an absence; of the other
/// readings in that second, those pass that are lower or higher than all before. So no extreme is lost, and a steady
/// value costs one reading a second.
struct Decimator: Sendable {
    private var seconds: [Vital: Second] = [:]

    /// The readings passed within the present second.
    private struct Second {
        let start: MonotonicTime
        var outcome: Reading.Outcome
        var low: VitalValue?
        var high: VitalValue?
    }

    /// Handles a reading; returns the readings to pass on.
    mutating func take(_ reading: Reading) -> [Reading] {
        guard let second = seconds[reading.vital],
            reading.moment.monotonic < second.start.advanced(by: .seconds(1)), reading.late == nil
        else {
            begin(reading)
            return [reading]
        }
        switch (second.outcome, reading.outcome) {
        case (.measured, .measured(let value, let quality)):
            var isNews = false
            if case .measured(_, let before) = second.outcome, before != quality { isNews = true }
            if let low = second.low, value < low { isNews = true }
            if let high = second.high, value > high { isNews = true }
            guard isNews else { return [] }
            seconds[reading.vital]?.outcome = reading.outcome
            seconds[reading.vital]?.low = second.low.map { min($0, value) }
            seconds[reading.vital]?.high = second.high.map { max($0, value) }
            return [reading]
        case (.noMeasurement(let before), .noMeasurement(let reason)) where before == reason: return []
        default:
            begin(reading)
            return [reading]
        }
    }

    private mutating func begin(_ reading: Reading) {
        guard reading.late == nil else { return }
        var value: VitalValue?
        if case .measured(let measured, _) = reading.outcome { value = measured }
        seconds[reading.vital] = Second(
            start: reading.moment.monotonic, outcome: reading.outcome, low: value, high: value)
    }
}

/// The perfusion index of an oximeter with a protocol of its maker.
///
/// These oximeters send 0 for "none", and some models never send anything else: the index is reported from the first
/// number on. From then on, what ends the saturation ends the index, too.
struct PerfusionIndex: Hashable, Sendable {
    private var isSent = false

    /// What to report of a number beside the saturation that came with it.
    ///
    /// - Parameter thousandths: Thousandths of a percent, which are rounded half up.
    mutating func report(thousandths: Int, beside saturation: Reading.Outcome) -> [DriverAction] {
        // Without a saturation it is left over from before.
        guard case .measured(_, let quality) = saturation, thousandths > 0 else { return absent(.searching) }
        isSent = true
        let outcome = Reading.Outcome(hundredths: (thousandths + 5) / 10, of: .perfusionIndex, quality)
        return [.reading(.perfusionIndex, outcome)]
    }

    /// What to report where the oximeter measures nothing.
    func absent(_ reason: AbsenceReason) -> [DriverAction] {
        isSent ? [.reading(.perfusionIndex, .noMeasurement(reason))] : []
    }
}
