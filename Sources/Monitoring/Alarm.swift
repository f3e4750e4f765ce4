import Vitals

/// One episode of an alarm: what it is about, how it stands, and what it has been through.
public struct Alarm: Hashable, Sendable, Identifiable {
    /// The number of the episode, from 1; a later episode of the same condition has another.
    public let id: Int
    /// The condition.
    public let kind: AlarmKind
    /// How soon a response is needed.
    public internal(set) var priority: AlarmPriority
    /// The sensor that it comes from.
    public internal(set) var sensor: SensorIdentity
    /// The sensor's ordinal, with `kind` the key of the state machine.
    let sensorOrdinal: Int
    /// The vital that it is about, if it is about one.
    public internal(set) var vital: Vital?
    /// Where on the body the newest value was taken, when the sensor says so.
    public internal(set) var site: BodySite?
    /// How it stands.
    public internal(set) var phase: Phase
    /// When the condition was first met (or first suspected).
    public let since: Moment
    /// When it became active; `nil` while pending.
    public internal(set) var activeSince: Moment?
    /// When the user acknowledged it.
    public internal(set) var acknowledgedAt: Moment?
    /// When it ended.
    public internal(set) var endedAt: Moment?
    /// The newest value, in the vital's unit, or percent for a battery.
    public internal(set) var value: VitalValue?
    /// The worst value of the episode.
    public internal(set) var peak: VitalValue?
    /// The limit that was crossed.
    public internal(set) var limit: VitalValue?
    /// For a technical alarm: why there is no measurement.
    public internal(set) var reason: AbsenceReason?
    /// The readings that confirm it so far, while a rule wants several.
    public internal(set) var confirmations: Confirmations?

    /// About the patient, or about the equipment.
    public var alarmClass: AlarmClass { kind.alarmClass }

    /// The state in the words of `bedside watch --json`.
    public var state: AlarmState {
        switch phase {
        case .pending: .pending
        case .active: acknowledgedAt == nil ? .active : .acknowledged
        case .suspended: .suspended
        case .ended: .ended
        }
    }

    /// How an episode stands; acknowledging is beside it, because an acknowledged alarm can be suspended and resume.
    public enum Phase: Hashable, Sendable {
        /// Suspected, or waiting for its delay.
        case pending
        /// The condition holds, or has not been gone for long enough.
        case active
        /// Cannot be judged since then, because there is no measurement; not ended. The reason is `nil` when none is
        /// known.
        case suspended(since: Moment, reason: AbsenceReason?)
        /// Over.
        case ended
    }

    /// Progress of a rule that wants several readings in a row.
    public struct Confirmations: Hashable, Sendable {
        /// How many have come.
        public var count: Int
        /// How many are wanted.
        public var wanted: Int
    }
}

/// The conditions that raise alarms; the raw value is the word in `bedside watch --json`.
public enum AlarmKind: String, CaseIterable, Hashable, Sendable {
    /// A confirmed body temperature of 38.3 °C or more.
    case feverSingle = "fever_single"
    /// The sensor is off the body or has no contact.
    case sensorOff = "sensor_off"
    /// The sensor is connected, and nothing arrives.
    case silent
    /// The link to the sensor is lost.
    case linkLost = "link_lost"
    /// The sensor's battery is low.
    case batteryLow = "battery_low"

    /// About the patient, or about the equipment.
    public var alarmClass: AlarmClass {
        switch self {
        case .feverSingle: .physiological
        case .sensorOff, .silent, .linkLost, .batteryLow: .technical
        }
    }
}

/// About the patient, or about the equipment (IEC 60601-1-8); the raw value is the word in `bedside watch --json`.
public enum AlarmClass: String, Hashable, Sendable {
    case physiological, technical
}

/// How soon a response is needed (IEC 60601-1-8); the raw value is the word in `bedside watch --json`.
public enum AlarmPriority: String, CaseIterable, Hashable, Sendable, Comparable {
    case low, medium, high

    private var rank: Int {
        switch self {
        case .low: 0
        case .medium: 1
        case .high: 2
        }
    }

    /// Orders low before high.
    public static func < (lhs: AlarmPriority, rhs: AlarmPriority) -> Bool {
        lhs.rank < rhs.rank
    }
}

/// How an alarm stands; the raw value is the word in `bedside watch --json`.
public enum AlarmState: String, CaseIterable, Hashable, Sendable {
    case pending, active, suspended, acknowledged, ended
}
