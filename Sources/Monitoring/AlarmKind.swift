/// The conditions that raise alarms; the raw value is the word in `bedside watch --json`.
public enum AlarmKind: String, CaseIterable, Hashable, Sendable {
    /// A confirmed body temperature of 38.3 °C or more.
    case feverSingle = "fever_single"
    /// A body temperature of 38.0 °C or more, sustained for an hour.
    case feverSustained = "fever_sustained"
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
        case .feverSingle, .feverSustained: .physiological
        case .sensorOff, .silent, .linkLost, .batteryLow: .technical
        }
    }

    /// Whether the worst value of an episode is the lowest.
    var isWorseWhenLower: Bool {
        switch self {
        case .batteryLow: true
        case .feverSingle, .feverSustained, .sensorOff, .silent, .linkLost: false
        }
    }

    /// Whether it says that a measurement is missing.
    var isAboutAbsence: Bool {
        switch self {
        case .sensorOff, .silent, .linkLost: true
        case .feverSingle, .feverSustained, .batteryLow: false
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
