import Monitoring
import Vitals
import Waves

/// The store's memory from one start to the next.
public struct StoredMemory: Hashable, Sendable {
    /// The user's choices about sensors, in the order in which they were first remembered.
    public var sensors: [RememberedSensor]
    /// The changed limits of the patient.
    public var patient: MonitorMemory
    /// The links that Bedside made, in case it was killed.
    public var links: [OwnedLink]
    /// The waves that sensors may still send, because nothing has stopped them.
    public var runningWaves: [RunningWave]

    /// What earlier runs have left about the remembered sensors, by address.
    public var contacts: [String: SensorContact]

    /// The greatest sequence number of the transferred measurements of each sensor, by address.
    public var sequences: [String: Int]
    /// The newest measurements that sensors have transferred with their time and without a sequence number.
    public var handedOver: [RecordEntry]
    /// The names of the nights that are stored of each sensor, by address.
    public var nights: [String: Set<String>]

    public init(
        sensors: [RememberedSensor] = [], patient: MonitorMemory = MonitorMemory(), links: [OwnedLink] = [],
        runningWaves: [RunningWave] = [], sequences: [String: Int] = [:], handedOver: [RecordEntry] = [],
        contacts: [String: SensorContact] = [:], nights: [String: Set<String>] = [:]
    ) {
        (self.sensors, self.patient, self.links) = (sensors, patient, links)
        (self.runningWaves, self.sequences) = (runningWaves, sequences)
        (self.handedOver, self.contacts, self.nights) = (handedOver, contacts, nights)
    }

    /// Whether there is nothing to remember.
    public var isEmpty: Bool { self == StoredMemory() }
}

/// A change of what the store remembers for the next start.
public enum MemoryChange: Hashable, Sendable {
    /// The user's choices about a sensor.
    case remembered(RememberedSensor)
    /// The user has forgotten a sensor.
    case forgotten(address: String)
    /// A sensor reported its battery level; without effect unless it is remembered.
    case battery(address: String, SensorContact.Battery)
    /// All changed limits of the patient.
    case patient(MonitorMemory)
    /// All links made by Bedside.
    case links([OwnedLink])
    /// All waves that sensors may still send.
    case runningWaves([RunningWave])
    /// Something about the persons of devices.
    case deviceUsers(DeviceUserChange)
}

/// Reads the remembered sensors, while a monitor may be writing them.
public enum SensorMemory {
    /// The remembered sensors, in the order in which they were first remembered; none without a store.
    ///
    /// - Parameter path: The store.
    /// - Throws: ``StoreError``.
    public static func read(_ path: String) throws(StoreError) -> [RememberedSensor] {
        guard let database = try StoreFile.openForReading(path) else { return [] }
        return try MemoryStore(database: database).read().sensors
    }
}
