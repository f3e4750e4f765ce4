import VitalDecoders
import Vitals
import Waves

/// Conducts the conversation with a sensor: its requests, their order, and the meaning of the answers.
///
/// A pure state machine: it gets events with their moment and returns actions; it performs nothing and reads no clock.
/// The conversation performs one request at a time, repeats failed ones, limits every wait, and creates a new driver
/// for each link, so that a driver contains only the path to success. Facts from earlier links are in the
/// ``DriverContext``.
public protocol SensorDriver: Sendable {
    /// Creates a driver for a new link.
    init(_ context: DriverContext)

    /// How long the sensor may take to send the wanted data; then the link is ended.
    static var patience: Duration { get }

    /// Handles an event; returns the actions in order.
    mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction]

    /// Handles the end of the link; returns the remaining reports.
    mutating func end(at now: Moment) -> [DriverAction]

    /// The writes that end what the driver has started on the sensor, such as a stream that would empty its battery.
    ///
    /// They are made before this program ends the link; a link that is lost leaves no time for them.
    func farewell() -> [DriverRequest]

    /// The waves that may run on the sensor because the driver, or one on an earlier link, has started them.
    ///
    /// They are remembered until they are stopped, and are the ``DriverContext/runningWaves`` of the next link.
    var runningWaves: Set<WaveKind> { get }
}

extension SensorDriver {
    /// Reports nothing.
    public mutating func end(at now: Moment) -> [DriverAction] { [] }

    /// Writes nothing.
    public func farewell() -> [DriverRequest] { [] }

    /// None: nothing runs on after the link.
    public var runningWaves: Set<WaveKind> { [] }

    /// Half a minute.
    public static var patience: Duration { .seconds(30) }
}

/// Facts for a driver from outside the link.
public struct DriverContext: Sendable {
    public var identity: SensorIdentity
    /// Whether this computer is paired with it.
    public var isPaired: Bool
    /// The user's identifier for a transmitter of this name; `nil` for none.
    public var transmitter: String?
    /// Whether a transmitter may use a new sensor that it has detected.
    public var newSensors: NewSensorPolicy
    /// The kinds of waves that somebody looks at or records.
    public var waves: Set<WaveKind>
    /// The kinds of waves that may run since an earlier link, whose end left no time to stop them.
    public var runningWaves: Set<WaveKind>
    /// The greatest sequence number of the sensor's measurements that are in the record already.
    public var newestSequence: Int?
    /// What is known and wanted of the nights that it has stored.
    public var nights = DriverNights()
    /// The local time at a moment, for setting a sensor's clock.
    public var localTime: @Sendable (Moment) -> DateTime
    /// Milliseconds since 1970 (UTC) of a sensor's local time; `nil` for incomplete dates.
    public var milliseconds: @Sendable (DeviceTime) -> Int64?
    /// Returns unpredictable octets, for an authentication.
    public var randomOctets: @Sendable (_ count: Int) -> [UInt8]
    /// The cipher of an authentication.
    public var cipher: AES128

    /// Creates a context with the clock and the chance of this computer.
    public init(
        _ identity: SensorIdentity, isPaired: Bool = false, transmitter: String? = nil,
        newSensors: NewSensorPolicy = .ask, waves: Set<WaveKind> = [], runningWaves: Set<WaveKind> = [],
        newestSequence: Int? = nil, nights: DriverNights = DriverNights()
    ) {
        self.init(
            identity, isPaired: isPaired, transmitter: transmitter, newSensors: newSensors, waves: waves,
            runningWaves: runningWaves, newestSequence: newestSequence, nights: nights, cipher: AES128())
    }

    public init(
        _ identity: SensorIdentity, isPaired: Bool = false, transmitter: String? = nil,
        newSensors: NewSensorPolicy = .ask, waves: Set<WaveKind> = [], runningWaves: Set<WaveKind> = [],
        newestSequence: Int? = nil, nights: DriverNights = DriverNights(),
        localTime: @escaping @Sendable (Moment) -> DateTime = { DateTime(localTimeAt: $0) },
        milliseconds: @escaping @Sendable (DeviceTime) -> Int64? = { $0.localMilliseconds },
        randomOctets: @escaping @Sendable (Int) -> [UInt8] = { count in
            (0..<count).map { _ in UInt8.random(in: .min ... .max) }
        }, cipher: AES128
    ) {
        self.identity = identity
        self.isPaired = isPaired
        self.transmitter = transmitter
        self.newSensors = newSensors
        self.waves = waves
        self.runningWaves = runningWaves
        self.newestSequence = newestSequence
        self.nights = nights
        self.localTime = localTime
        self.milliseconds = milliseconds
        self.randomOctets = randomOctets
        self.cipher = cipher
    }
}

/// An event on the link to a sensor.
public enum DriverEvent: Hashable, Sendable {
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
    /// Something about the nights that the sensor has stored.
    case nights(DriverNights.Event)
}

/// A characteristic of a sensor.
public struct DriverAttribute: Hashable, Sendable {
    public var uuid: BluetoothUUID
    /// Whether it notifies or indicates.
    public var isNotifying = false
    /// Whether it can be read.
    public var isReadable = false
    /// Whether it can be written with a response.
    public var isWritable = false
    /// Whether it can be written without a response.
    public var isWritableWithoutResponse = false

    public init(
        uuid: BluetoothUUID, isNotifying: Bool = false, isReadable: Bool = false, isWritable: Bool = false,
        isWritableWithoutResponse: Bool = false
    ) {
        self.uuid = uuid
        self.isNotifying = isNotifying
        self.isReadable = isReadable
        self.isWritable = isWritable
        self.isWritableWithoutResponse = isWritableWithoutResponse
    }
}

/// A request to a sensor.
public struct DriverRequest: Hashable, Sendable {
    /// The kind of request.
    public var kind: Kind
    /// The characteristic.
    public var uuid: BluetoothUUID
    /// Whether the conversation continues without it, for example if a clock cannot be set.
    public var isOptional = false

    /// The kinds of requests.
    public enum Kind: Hashable, Sendable {
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
    public static func subscribe(_ uuid: BluetoothUUID, isOptional: Bool = false) -> Self {
        Self(kind: .subscribe, uuid: uuid, isOptional: isOptional)
    }

    /// A read.
    public static func read(_ uuid: BluetoothUUID, isOptional: Bool = false) -> Self {
        Self(kind: .read, uuid: uuid, isOptional: isOptional)
    }

    /// A write with an answer.
    public static func write(_ octets: [UInt8], to uuid: BluetoothUUID, isOptional: Bool = false) -> Self {
        Self(kind: .write(octets), uuid: uuid, isOptional: isOptional)
    }

    /// A write without an answer.
    public static func writeWithoutResponse(_ octets: [UInt8], to uuid: BluetoothUUID) -> Self {
        Self(kind: .writeWithoutResponse(octets), uuid: uuid)
    }
}

/// An action for the caller of a driver.
public enum DriverAction: Hashable, Sendable {
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
    /// Samples of a wave, with their times by the sensor's clock.
    case wave(WavePiece)
    /// The state of a wave has changed.
    case waveState(WaveKind, WaveState)
    /// Something about the nights that the sensor has stored.
    case nights(DriverNights.Report)
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
public struct DriverReadingDetails: Hashable, Sendable {
    /// The site of the measurement.
    public var site: BodySite?
    /// The sensor's own time.
    public var deviceTime: DeviceTime?
    /// When it was measured, if it is not a present value.
    public var late: LateInterval?
    /// The count of a glucose sensor that sends counts: whoever passes the reading on makes a value of it by the user's
    /// calibrations, and keeps the outcome where there are none.
    public var raw: RawGlucose?

    public init(
        site: BodySite? = nil, deviceTime: DeviceTime? = nil, late: LateInterval? = nil, raw: RawGlucose? = nil
    ) {
        self.site = site
        self.deviceTime = deviceTime
        self.late = late
        self.raw = raw
    }
}

extension [DriverAttribute] {
    /// The characteristic with a UUID.
    public subscript(uuid: BluetoothUUID) -> DriverAttribute? { first { $0.uuid == uuid } }
}

/// Assembles frames that a sensor sends in pieces.
public struct FrameAssembler: Hashable, Sendable {
    /// The received octets that were not used yet.
    public private(set) var octets: [UInt8] = []
    private let limit: Int
    private var newest: Moment?

    /// After a longer pause, earlier octets do not belong to the next frame.
    public static let longestPause = Duration.seconds(3)

    /// Creates an assembler.
    ///
    /// - Parameter limit: The most octets to keep; the oldest are dropped.
    public init(limit: Int) { self.limit = limit }

    /// Appends a piece.
    public mutating func append(_ piece: [UInt8], at now: Moment) {
        if let newest, now.since(newest) > Self.longestPause { octets = [] }
        newest = now
        octets += piece
        if octets.count > limit { octets.removeFirst(octets.count - limit) }
    }

    /// Drops the oldest octets.
    public mutating func drop(_ count: Int) { octets.removeFirst(min(count, octets.count)) }

    /// Drops everything.
    public mutating func clear() { octets = [] }
}
