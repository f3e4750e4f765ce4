import Vitals

/// The conditions that raise alarms; the raw value is the name in `bedside watch --json`.
public enum AlarmKind: String, CaseIterable, Codable, Hashable, Sendable {
    /// A confirmed body temperature of 38.3 °C or more.
    case feverSingle = "fever_single"
    /// A body temperature of 38.0 °C or more, sustained for an hour.
    case feverSustained = "fever_sustained"
    /// A vital is below the lower of its low limits.
    case severeLow = "severe_low"
    /// A vital is below its low limit.
    case low
    /// A vital is above its high limit.
    case high
    /// A vital is above the higher of its high limits.
    case severeHigh = "severe_high"
    /// A vital has fallen too fast.
    case fall
    /// A vital has risen too fast.
    case rise
    /// A vital has not changed for implausibly long; the sensor may be displaced.
    case flatLine = "flat_line"
    /// The sensor is off the body or has no contact.
    case sensorOff = "sensor_off"
    /// The sensor reports a fault, and sends no value or questionable ones.
    case equipment
    /// The sensor has no measurement for another reason: searching, too little blood flow, demonstration …
    case noMeasurement = "no_measurement"
    /// The sensor asks for a calibration.
    case calibrationWanted = "calibration_wanted"
    /// The sensor is connected, and nothing arrives.
    case silent
    /// The link to the sensor is lost.
    case linkLost = "link_lost"
    /// The sensor's battery is low.
    case batteryLow = "battery_low"
    /// The sensor's signal is so weak that its link is at risk.
    case weakSignal = "weak_signal"
    /// An oximeter sees too little of the pulse to be sure of its saturation; off unless the settings want it.
    case weakPulse = "weak_pulse"
    /// The sensor repeatedly sends malformed data.
    case malformed
    /// The message bus cannot be reached.
    case busLost = "bus_lost"
    /// bluetoothd does not run.
    case daemonGone = "daemon_gone"
    /// The message bus does not answer, so that nothing is heard.
    case busSilent = "bus_silent"
    /// bluetoothd does not answer, so that nothing is heard.
    case daemonSilent = "daemon_silent"
    /// The Bluetooth adapter is missing, off or blocked.
    case adapterOff = "adapter_off"
    /// Readings cannot be stored, or soon cannot.
    case storage
    /// The computer's sound system no longer plays alarms.
    case soundLost = "sound_lost"
    /// The ward's screens cannot see this monitor, because the broker cannot be reached.
    case wardLost = "ward_lost"
    /// The last blood count is a week old.
    case labDue = "lab_due"
    /// The computer's clock was set.
    case clockJump = "clock_jump"
    /// Monitoring was interrupted, because the computer slept or the program could not keep up.
    case notMonitored = "not_monitored"
    /// A connected sensor is not monitored, because there are too many sensors.
    case readingsDropped = "readings_dropped"
    /// No sensor is wanted, and there is no screen to show that.
    case nothingMonitored = "nothing_monitored"
    /// More sensors are in range than are connected automatically.
    case tooManySensors = "too_many_sensors"
    /// The viewed monitor has ended or does not answer.
    ///
    /// Raised only in remote views.
    case monitorLost = "monitor_lost"

    /// About the patient, or about the equipment.
    public var alarmClass: AlarmClass {
        switch self {
        case .feverSingle, .feverSustained, .severeLow, .low, .high, .severeHigh, .fall, .rise: .physiological
        case .flatLine, .sensorOff, .equipment, .noMeasurement, .calibrationWanted, .silent, .linkLost, .batteryLow,
            .weakSignal, .weakPulse, .malformed, .busLost, .daemonGone, .busSilent, .daemonSilent, .adapterOff,
            .storage,
            .soundLost,
            .wardLost, .labDue, .clockJump, .notMonitored, .readingsDropped, .nothingMonitored, .tooManySensors,
            .monitorLost:
            .technical
        }
    }

    /// Whether it is about a temperature that a rule calls fever.
    public var isFever: Bool { self == .feverSingle || self == .feverSustained }

    /// Whether the worst value of an episode is the lowest.
    public var isWorseWhenLower: Bool {
        switch self {
        case .severeLow, .low, .fall, .batteryLow, .weakSignal, .weakPulse: true
        default: false
        }
    }

    /// The rank within a priority, by harm: severe saturation, severe rate, fever, others.
    public func urgency(of vital: Vital?) -> Int {
        // A companion, which has no limits, has no severe alarm.
        let family = vital.flatMap { $0.traits.limits == nil ? nil : $0.traits.family }
        return switch (self, family) {
        case (.severeLow, .oxygen), (.severeHigh, .oxygen): 0
        case (.severeLow, .heart), (.severeHigh, .heart): 1
        case (.feverSingle, _), (.feverSustained, _): 2
        default: Self.leastUrgency
        }
    }

    /// The rank of all others.
    public static let leastUrgency = 3

    /// The worse of two values, by the direction of the condition.
    func worse(of value: VitalValue, _ other: VitalValue?) -> VitalValue {
        guard let other else { return value }
        return isWorseWhenLower ? min(value, other) : max(value, other)
    }

    /// Whether the patient's values raise it; such alarms end with a change of patient.
    var isAboutValues: Bool { alarmClass == .physiological || self == .flatLine || self == .weakPulse }

    /// Whether it reports a missing measurement.
    var isAboutAbsence: Bool {
        switch self {
        case .sensorOff, .equipment, .noMeasurement, .calibrationWanted, .silent, .linkLost: true
        default: false
        }
    }

    /// Whether it explains missing measurements, so that its priority rises while there are no measurements.
    var saysWhyNothingIsMeasured: Bool {
        isAboutAbsence || isAboutBluetooth
    }

    /// Whether it reports that Bluetooth cannot be used.
    public var isAboutBluetooth: Bool {
        switch self {
        case .busLost, .daemonGone, .busSilent, .daemonSilent, .adapterOff: true
        default: false
        }
    }

    /// Whether its title needs the vital: "low".
    var isNamedByVital: Bool {
        switch self {
        case .severeLow, .low, .high, .severeHigh, .fall, .rise, .flatLine: true
        default: false
        }
    }

    /// Whether it is held while its sensor is paused for care, because the care itself can cause it.
    var isHeldInCare: Bool {
        alarmClass == .physiological || self == .sensorOff || self == .noMeasurement || self == .flatLine
            || self == .weakPulse
    }
}

/// About the patient, or about the equipment (IEC 60601-1-8); the raw value is the name in `bedside watch --json`.
public enum AlarmClass: String, Codable, Hashable, Sendable {
    case physiological, technical
}

/// How soon a response is needed (IEC 60601-1-8); the raw value is the name in `bedside watch --json`.
public enum AlarmPriority: String, CaseIterable, Codable, Hashable, Sendable, Comparable {
    case low, medium, high

    private var rank: Int {
        switch self {
        case .low: 0
        case .medium: 1
        case .high: 2
        }
    }

    /// Orders low before high priority.
    public static func < (lhs: AlarmPriority, rhs: AlarmPriority) -> Bool {
        lhs.rank < rhs.rank
    }
}

/// The state of an alarm; the raw value is the name in `bedside watch --json`.
public enum AlarmState: String, CaseIterable, Codable, Hashable, Sendable {
    case pending, active, suspended, acknowledged, ended
}
