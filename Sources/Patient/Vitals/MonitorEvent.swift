/// Something that happened, as every reader of the one event stream sees it.
///
/// The sensor supervisor sends these; dashboard, recorder and `bedside watch` read them.
public struct MonitorEvent: Codable, Hashable, Sendable {
    /// When it happened.
    public var moment: Moment
    /// What happened.
    public var kind: Kind

    public init(moment: Moment, kind: Kind) {
        self.moment = moment
        self.kind = kind
    }

    /// What can happen.
    ///
    /// Stored indirectly, because events are passed on many times and copied each time.
    public indirect enum Kind: Codable, Hashable, Sendable {
        /// The connection to the message bus was made or lost.
        case bus(BusState)
        /// bluetoothd started or ended.
        case daemon(DaemonState)
        /// The adapter that is in use changed, or there is none.
        case adapter(AdapterStatus)
        /// The list of adapters changed; these are all of them, in the order of their identifiers.
        case adapters([AdapterStatus])
        /// A sensor (or another peripheral) is heard on the air, with its newest signal strength.
        case nearby(SensorIdentity, signalStrength: Int?, services: [String])
        /// A sensor tells everybody its body temperature without a connection; sent after ``nearby(_:signalStrength:services:)``.
        ///
        /// For information only: it is no reading, which nothing judges and no record keeps.
        case beacon(SensorIdentity, bodyTemperature: VitalValue)
        /// A peripheral is no longer heard on the air.
        case gone(SensorIdentity)
        /// The connection to a sensor changed.
        case connection(SensorIdentity, ConnectionState)
        /// A sensor sent a vital's value, or the reason why it has none.
        case reading(Reading)
        /// A sensor handed over what was measured once.
        case entry(RecordEntry)
        /// A cuff that measures is under this pressure, in mmHg.
        case cuffPressure(SensorIdentity, Int)
        /// A sensor sent the intervals between the newest beats; never empty, and sent after the reading of the same notification.
        case rrIntervals(RRIntervals)
        /// A sensor sent its battery level, in percent from 0 to 100.
        case battery(SensorIdentity, percent: Int)
        /// A sensor sent octets that its characteristic does not allow; neither a value nor an absence.
        case malformed(SensorIdentity, MalformedOctets)
        /// Nothing could be received for a while, or the wall clock jumped; the sensors need not be at fault.
        case gap(Gap)
        /// The state of the pairing with a sensor changed.
        case pairing(SensorIdentity, PairingState)
        /// The user's settings for a sensor changed; they are remembered across starts.
        case remembered(RememberedSensor)
        /// The user removed a sensor from the remembered ones.
        case forgotten(SensorIdentity)
        /// Whether more sensors are nearby than are connected automatically.
        case sensorsLeftOut(Bool)
        /// The services of the inspected sensor, with their characteristics.
        case services(SensorIdentity, [SensorService])
        /// The newest value of a characteristic of the inspected sensor; sent after its services.
        case octets(SensorIdentity, CharacteristicOctets)
        /// Nothing happened; time passed.
        case tick
        /// A replay starts again here; earlier events no longer count.
        case restarted
    }
}

/// A malformed value of a characteristic, and where it is malformed.
public struct MalformedOctets: Codable, Hashable, Sendable {
    /// The characteristic's UUID as `bedside decode` prints it.
    public var characteristic: String
    /// The octets received.
    public var octets: [UInt8]
    /// What is wrong with it, for the user.
    public var reason: String
    /// The offset of the first octet in question.
    public var offset: Int

    public init(characteristic: String, octets: [UInt8], reason: String, offset: Int) {
        self.characteristic = characteristic
        self.octets = octets
        self.reason = reason
        self.offset = offset
    }
}
