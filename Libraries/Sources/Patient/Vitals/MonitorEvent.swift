/// An event, as every reader of the event stream receives it.
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

    /// The kind of an event.
    ///
    /// Stored indirectly, because events are passed on and copied many times.
    public indirect enum Kind: Codable, Hashable, Sendable {
        /// The connection to the message bus was made or lost.
        case bus(BusState)
        /// bluetoothd started or ended.
        case daemon(DaemonState)
        /// The adapter in use changed, or was removed.
        case adapter(AdapterStatus)
        /// The list of adapters changed; these are all of them, in the order of their identifiers.
        case adapters([AdapterStatus])
        /// A sensor or another peripheral was heard, with its newest signal strength.
        case nearby(SensorIdentity, signalStrength: Int?, services: [String])
        /// A sensor advertised its body temperature; sent after ``nearby(_:signalStrength:services:)``.
        ///
        /// For information only: it is no reading, is not evaluated and not recorded.
        case beacon(SensorIdentity, bodyTemperature: VitalValue)
        /// A peripheral is no longer heard on the air.
        case gone(SensorIdentity)
        /// The connection to a sensor changed.
        case connection(SensorIdentity, ConnectionState)
        /// A sensor sent a vital's value, or the reason for its absence.
        case reading(Reading)
        /// A sensor transferred a single measurement.
        case entry(RecordEntry)
        /// The present pressure in a measuring cuff, in mmHg.
        case cuffPressure(SensorIdentity, Int)
        /// A sensor sent RR intervals; never empty, and sent after the reading of the same notification.
        case rrIntervals(RRIntervals)
        /// A sensor sent its battery level, in percent from 0 to 100.
        case battery(SensorIdentity, percent: Int)
        /// A thermometer announced how often it measures.
        case announcedInterval(SensorIdentity, AnnouncedInterval)
        /// A transmitter reported itself, and the sensor that it is on.
        case transmitter(SensorIdentity, TransmitterStatus)
        /// A ring reported its stored nights, and what has become of each.
        case nights(SensorIdentity, SensorNights)
        /// A sensor sent malformed octets; neither a value nor an absence.
        case malformed(SensorIdentity, MalformedOctets)
        /// Nothing was received for a while, or the wall clock jumped; not necessarily the fault of a sensor.
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
        /// The newest advertisement of the inspected sensor; sent after its services, or without them.
        case advertised(SensorIdentity, AdvertisedData)
        /// A step of the traffic with a traced sensor; sent only while somebody traces it.
        case traced(TraceEntry)
        /// Only time has passed.
        case tick
        /// A replay starts again here; earlier events no longer count.
        case restarted
    }
}

/// A malformed value of a characteristic, and the place of the error.
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
