import VitalDecoders
import Vitals

/// A sensor that has to be conversed with: what it is asked, in which order, and what its answers mean.
///
/// A pure state machine: events go in with their moment, actions come out; nothing is performed and no clock is read.
/// ``Conversation`` performs one request after the other, repeats what fails, limits every wait, and begins with a new
/// driver on each link, so that a driver only knows the way that leads to success. What a driver must know from earlier
/// links comes with its ``DriverContext``.
protocol SensorDriver: Sendable {
    /// Begins on a new link.
    init(_ context: DriverContext)

    /// How long the sensor may be silent before it sends what is wanted; then the link is given up.
    static var patience: Duration { get }

    /// Handles what happened; returns what to do, in order.
    mutating func handle(_ event: DriverEvent, at now: Moment) -> [DriverAction]

    /// The link is over; returns what is still to be reported.
    mutating func end(at now: Moment) -> [DriverAction]
}

extension SensorDriver {
    mutating func end(at now: Moment) -> [DriverAction] { [] }

    static var patience: Duration { .seconds(30) }
}

/// What a driver knows besides what the sensor says.
struct DriverContext: Sendable {
    /// Which sensor it is.
    var identity: SensorIdentity
    /// Whether this computer is paired with it.
    var isPaired: Bool
    /// The identifier that people gave for a transmitter of this name; `nil` for none.
    var transmitter: String?
    /// The greatest of the sensor's own numbers of measurements that are in the record already.
    var newestSequence: Int?
    /// The local time at a moment, to set a sensor's clock by.
    var localTime: @Sendable (Moment) -> DateTime
    /// Milliseconds since 1970 (UTC) of a sensor's local time; `nil` for incomplete dates.
    var milliseconds: @Sendable (DeviceTime) -> Int64?
    /// Makes octets that nobody can foresee, for an authentication.
    var randomOctets: @Sendable (_ count: Int) -> [UInt8]

    init(
        _ identity: SensorIdentity, isPaired: Bool = false, transmitter: String? = nil, newestSequence: Int? = nil,
        localTime: @escaping @Sendable (Moment) -> DateTime = { DateTime(localTimeAt: $0) },
        milliseconds: @escaping @Sendable (DeviceTime) -> Int64? = { $0.localMilliseconds },
        randomOctets: @escaping @Sendable (Int) -> [UInt8] = { count in
            (0..<count).map { _ in UInt8.random(in: .min ... .max) }
        }
    ) {
        self.identity = identity
        self.isPaired = isPaired
        self.transmitter = transmitter
        self.newestSequence = newestSequence
        self.localTime = localTime
        self.milliseconds = milliseconds
        self.randomOctets = randomOctets
    }
}

/// What happened on the link to a sensor.
enum DriverEvent: Hashable, Sendable {
    /// The services are resolved, and these are the characteristics.
    case connected([DriverAttribute])
    /// A subscription or a write has succeeded.
    case succeeded(DriverRequest)
    /// What was asked to be read.
    case read([UInt8], of: BluetoothUUID)
    /// A request that may fail has failed, in spite of its repetitions.
    case failed(DriverRequest)
    /// The sensor has notified or indicated a value.
    case received([UInt8], from: BluetoothUUID)
    /// The time of ``DriverAction/setTimer(_:)`` is over.
    case timerFired
}

/// A characteristic that a sensor has.
struct DriverAttribute: Hashable, Sendable {
    /// Which one.
    var uuid: BluetoothUUID
    /// Whether it notifies or indicates.
    var isNotifying = false
    /// Whether it can be read.
    var isReadable = false
    /// Whether it can be written with an answer.
    var isWritable = false
    /// Whether it can be written without an answer.
    var isWritableWithoutResponse = false
}

/// Something that a sensor is asked.
struct DriverRequest: Hashable, Sendable {
    /// What is asked.
    var kind: Kind
    /// The characteristic.
    var uuid: BluetoothUUID
    /// Whether the conversation goes on without it, as with a clock that cannot be set.
    var isOptional = false

    /// The kinds of requests.
    enum Kind: Hashable, Sendable {
        /// Have its values notified or indicated.
        case subscribe
        /// Read its value.
        case read
        /// Write a value, and await the answer.
        case write([UInt8])
        /// Write a value that is not answered.
        case writeWithoutResponse([UInt8])
    }

    /// A subscription.
    static func subscribe(_ uuid: BluetoothUUID, isOptional: Bool = false) -> Self {
        Self(kind: .subscribe, uuid: uuid, isOptional: isOptional)
    }

    /// A read.
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

/// What a driver wants done.
enum DriverAction: Hashable, Sendable {
    /// Ask the sensor something, after all that was asked before.
    case request(DriverRequest)
    /// Fire ``DriverEvent/timerFired`` after this time, instead of at any earlier one.
    case setTimer(Duration)
    /// Fire no timer.
    case cancelTimer
    /// The value of a vital, or why there is none.
    case reading(Vital, Reading.Outcome, DriverReadingDetails = DriverReadingDetails())
    /// A value that was measured once.
    case entry(RecordEntry.Content, SensorStamp, taken: Moment?)
    /// Up to which of its own numbers the sensor has handed over what it had, for the next link.
    case remember(sequence: Int)
    /// The pressure in a cuff that measures, in whole mmHg.
    case cuffPressure(Int)
    /// The battery level in percent.
    case battery(Int)
    /// Something that people should know, a sentence.
    case notice(String)
    /// The sensor has sent what it must not.
    case malformed([UInt8], of: BluetoothUUID, MalformedValueError)
    /// What was wanted has come: what follows comes by itself, and the sensor may be silent for as long as it likes.
    case streaming
    /// Everything was handed over: end the link, and wait until the sensor shows itself again.
    case finish
    /// The sensor must be paired first.
    case askToPair(String)
    /// It cannot be used, for a reason that no repetition changes.
    case refuse(String)
}

/// What belongs to a reading of a driver.
struct DriverReadingDetails: Hashable, Sendable {
    /// Where it was measured.
    var site: BodySite?
    /// The sensor's own time.
    var deviceTime: DeviceTime?
    /// When it was measured, if that is not now.
    var late: LateInterval?
}

extension [DriverAttribute] {
    /// The characteristic with a UUID.
    subscript(uuid: BluetoothUUID) -> DriverAttribute? { first { $0.uuid == uuid } }
}
