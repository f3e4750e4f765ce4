/// Something that happened, as every reader of the one event stream sees it.
///
/// The sensor supervisor makes these; dashboard, recorder and `bedside watch` read them.
public struct MonitorEvent: Codable, Hashable, Sendable {
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
    public enum Kind: Codable, Hashable, Sendable {
        /// The connection to the message bus came or went.
        case bus(BusState)
        /// bluetoothd came or went.
        case daemon(DaemonState)
        /// The adapter that is in use changed, or there is none.
        case adapter(AdapterStatus)
        /// One of the adapters came, changed or went; these are all of them, in the order of their identifiers.
        case adapters([AdapterStatus])
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
        /// Nothing could be heard for a while, or the wall clock jumped; not a word about the sensors' part in it.
        case gap(Gap)
        /// The pairing with a sensor took a step, or the sensor wants to be paired.
        case pairing(SensorIdentity, PairingState)
        /// What the user has said about a sensor, as it is now; to be kept from one start to the next.
        case remembered(RememberedSensor)
        /// The user wants nothing known of a sensor any more.
        case forgotten(SensorIdentity)
        /// More sensors are nearby than are connected without being asked for, or no more are.
        case sensorsLeftOut(Bool)
        /// The services of the sensor that is looked at, with their characteristics.
        case services(SensorIdentity, [SensorService])
        /// What a characteristic of the sensor that is looked at had last; comes after its services.
        case octets(SensorIdentity, CharacteristicOctets)
        /// Nothing happened; time passed.
        case tick
        /// A recording is played anew from here: nothing that was told before counts any more.
        case restarted
    }
}

/// Octets that a characteristic does not allow, and where they went wrong.
public struct MalformedOctets: Codable, Hashable, Sendable {
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
