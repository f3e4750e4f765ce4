import Monitoring
import Vitals

/// What the store remembers from one start to the next.
public struct StoredMemory: Hashable, Sendable {
    /// The user's choices about sensors, in the order in which they were first remembered.
    public var sensors: [RememberedSensor]
    /// The changed limits of the patient.
    public var patient: MonitorMemory
    /// The links that Bedside made, in case it was killed.
    public var links: [OwnedLink]

    /// Up to which of its own numbers of measurements each sensor, by address, has handed them over.
    public var sequences: [String: Int]

    public init(
        sensors: [RememberedSensor] = [], patient: MonitorMemory = MonitorMemory(), links: [OwnedLink] = [],
        sequences: [String: Int] = [:]
    ) {
        (self.sensors, self.patient, self.links, self.sequences) = (sensors, patient, links, sequences)
    }

    /// Whether there is nothing to remember.
    public var isEmpty: Bool { self == StoredMemory() }
}

/// A decision that the store remembers for the next start.
public enum MemoryChange: Hashable, Sendable {
    /// The user's choices about a sensor.
    case remembered(RememberedSensor)
    /// The user wants a sensor to be forgotten.
    case forgotten(address: String)
    /// All changed limits of the patient.
    case patient(MonitorMemory)
    /// All links that are Bedside's own.
    case links([OwnedLink])
}
