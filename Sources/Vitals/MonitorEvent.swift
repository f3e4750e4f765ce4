/// Something that happened, as every reader of the one event stream sees it.
///
/// The sensor supervisor makes these; dashboard, recorder and `bedside watch` read them.
public struct MonitorEvent: Hashable, Sendable {
    /// When it happened.
    public var moment: Moment
    /// What happened.
    public var kind: Kind

    /// Makes an event.
    public init(moment: Moment, kind: Kind) {
        self.moment = moment
        self.kind = kind
    }

    /// What can happen.
    public enum Kind: Hashable, Sendable {
        /// The connection to the message bus came or went.
        case bus(BusState)
        /// bluetoothd came or went.
        case daemon(DaemonState)
        /// The adapter changed, or there is none.
        case adapter(AdapterStatus)
        /// A sensor (or another peripheral) is heard on the air, with its newest signal strength.
        case nearby(SensorIdentity, signalStrength: Int?, services: [String])
        /// A peripheral is no longer heard on the air.
        case gone(SensorIdentity)
        /// The connection to a sensor changed.
        case connection(SensorIdentity, ConnectionState)
        /// A sensor told a vital's value, or that it has none.
        case reading(Reading)
        /// A sensor told its battery level, in percent from 0 to 100.
        case battery(SensorIdentity, percent: Int)
        /// A sensor sent octets that its characteristic does not allow; neither a value nor an absence.
        case malformed(SensorIdentity, MalformedOctets)
        /// What the user has said about a sensor, as it is now; to be kept from one start to the next.
        case remembered(RememberedSensor)
        /// The user wants nothing known of a sensor any more.
        case forgotten(SensorIdentity)
        /// Nothing happened; time passed.
        case tick
    }
}

/// Whether there is a message bus to talk to.
public enum BusState: Hashable, Sendable {
    /// It serves us.
    case connected
    /// The bus cannot be reached; `reason` is a sentence for people.
    case lost(reason: String)
}

/// Whether bluetoothd owns `org.bluez` on the bus.
public enum DaemonState: String, Hashable, Sendable {
    /// It does, or it does not.
    case running, gone
}

/// A local radio, and whether it can be used.
public struct AdapterStatus: Hashable, Sendable {
    /// `hci0`, or `nil` when there is no adapter at all.
    public var identifier: String?
    /// The adapter's Bluetooth address.
    public var address: String?
    /// Whether it can be used.
    public var power: Power
    /// Whether it is discovering peripherals.
    public var isScanning: Bool

    /// Makes a status.
    public init(identifier: String?, address: String?, power: Power, isScanning: Bool) {
        self.identifier = identifier
        self.address = address
        self.power = power
        self.isScanning = isScanning
    }

    /// The states of an adapter; the raw value is the word in `bedside watch --json`.
    public enum Power: String, Hashable, Sendable {
        /// It can be used.
        case ready
        /// It is switched off, by BlueZ or another program.
        case off
        /// It is switched off by a switch, a key or `rfkill`.
        case blocked
        /// There is none.
        case missing
    }
}

/// Where a sensor is on its way to streaming.
public struct ConnectionState: Hashable, Sendable {
    /// The step.
    public var phase: Phase
    /// Why, for `disconnected` and `waiting`.
    public var reason: DisconnectReason?
    /// The number of the attempt, from 1, for `connecting` and `waiting`.
    public var attempt: Int?
    /// When the next attempt will be made, for `waiting`.
    public var retryAt: Moment?
    /// Whether it is, or was, the link of another program, which brings us nothing unless the user wants the sensor.
    public var isForeign: Bool

    /// Makes a state.
    public init(
        phase: Phase, reason: DisconnectReason? = nil, attempt: Int? = nil, retryAt: Moment? = nil,
        isForeign: Bool = false
    ) {
        self.phase = phase
        self.reason = reason
        self.attempt = attempt
        self.retryAt = retryAt
        self.isForeign = isForeign
    }

    /// The steps; the raw value is the word in `bedside watch --json`.
    public enum Phase: String, Hashable, Sendable {
        /// A connect is under way.
        case connecting
        /// The link is up; services are not resolved yet.
        case connected
        /// Services are resolved and the characteristics are subscribed to.
        case ready
        /// Not connected, and no attempt will be made.
        case disconnected
        /// Not connected; another attempt will be made at `retryAt`.
        case waiting
    }

    /// Why a connection ended or failed; the raw value is the word in `bedside watch --json`.
    public enum DisconnectReason: String, Hashable, Sendable {
        /// The user asked for it.
        case user
        /// The link was lost, or the sensor ended it; BlueZ does not tell which.
        case linkLost = "link_lost"
        /// The link could not be established, or the sensor wants to be paired.
        case refused
        /// The sensor, or its services, did not come in time.
        case timeout
        /// What is needed is not there: the adapter, bluetoothd or the message bus.
        case adapter, daemon, bus
        /// BlueZ does not know the sensor any more, and it has to be heard first.
        case removed
        /// Anything else.
        case unknown
    }
}

/// Octets that a characteristic does not allow, and where they went wrong.
public struct MalformedOctets: Hashable, Sendable {
    /// The characteristic's UUID as `bedside decode` prints it.
    public var characteristic: String
    /// What came.
    public var octets: [UInt8]
    /// What is wrong with it, for people.
    public var reason: String
    /// The offset of the first octet in question.
    public var offset: Int

    /// Makes a description of malformed octets.
    public init(characteristic: String, octets: [UInt8], reason: String, offset: Int) {
        self.characteristic = characteristic
        self.octets = octets
        self.reason = reason
        self.offset = offset
    }
}
