import Base
import Vitals

/// How often alarms sound, and with which melody.
///
/// It cannot silence an alarm: every interval is within the range of the alarm's priority.
public struct SoundPattern: Codable, Hashable, Sendable {
    /// From the beginning of one burst to the next, for high priority; 2.5 to 15 seconds.
    public var highGap = Duration.seconds(5)
    /// From the beginning of one burst to the next, for medium priority; 2.5 to 30 seconds.
    public var mediumGap = Duration.seconds(15)
    /// From the beginning of one burst to the next, for low priority; `nil` for a single burst.
    public var lowGap: Duration?
    /// The intervals of groups of alarms that do not have that of their priority.
    public var repetitions: [AlarmGroup: Duration] = [:]
    /// The melodies of groups of alarms that do not have their usual one.
    public var melodies: [AlarmGroup: SoundCategory] = [:]

    public init() {}

    /// The possible intervals of a priority, from the beginning of one burst to the next.
    public static func gaps(_ priority: AlarmPriority) -> ClosedRange<Duration> {
        switch priority {
        case .high: .milliseconds(2500)...(.seconds(15))
        case .medium: .milliseconds(2500)...(.seconds(30))
        case .low: .milliseconds(2500)...(.seconds(600))
        }
    }

    /// From the beginning of one burst to the next; `nil` for a single burst.
    public func gap(_ priority: AlarmPriority) -> Duration? {
        switch priority {
        case .high: highGap
        case .medium: mediumGap
        case .low: lowGap
        }
    }

    /// The interval of an alarm, within the range of its priority; `nil` for a single burst.
    public func gap(of alarm: Alarm) -> Duration? {
        let own = AlarmGroup(alarm.kind, alarm.vital).flatMap { repetitions[$0] }
        return own?.clamped(to: Self.gaps(alarm.priority)) ?? gap(alarm.priority)
    }

    /// The melody of an alarm.
    public func melody(of kind: AlarmKind, _ vital: Vital?) -> SoundCategory {
        AlarmGroup(kind, vital).map { melody(of: $0) } ?? SoundCategory(kind, vital)
    }

    /// The melody of a group of alarms.
    public func melody(of group: AlarmGroup) -> SoundCategory { melodies[group] ?? group.usualMelody }
}

/// A group of alarms that can have a melody and a repetition of its own; the raw value is its name in the configuration.
public enum AlarmGroup: String, CaseIterable, Codable, Hashable, Sendable {
    case fever
    case spo2
    case heartLow = "heart_low"
    case heartHigh = "heart_high"
    case temperature
    case glucoseLow = "glucose_low"
    case glucoseHigh = "glucose_high"
    case lostSensor = "lost_sensor"
    case sensorFault = "sensor_fault"
    case battery
    case system

    /// The group of an alarm; `nil` for an alarm about the patient without a vital.
    public init?(_ kind: AlarmKind, _ vital: Vital?) {
        if kind.alarmClass == .physiological {
            if kind.isFever {
                self = .fever
                return
            }
            switch vital?.traits.family {
            case .heart: self = kind.isWorseWhenLower ? .heartLow : .heartHigh
            case .oxygen: self = .spo2
            case .temperature: self = .temperature
            case .glucose: self = kind.isWorseWhenLower ? .glucoseLow : .glucoseHigh
            case nil: return nil
            }
            return
        }
        switch kind {
        case .sensorOff, .noMeasurement, .silent, .linkLost, .weakSignal: self = .lostSensor
        case .equipment, .calibrationWanted, .flatLine, .weakPulse, .malformed: self = .sensorFault
        case .batteryLow: self = .battery
        default: self = .system
        }
    }

    /// What its alarms are about.
    public var text: String {
        switch self {
        case .fever: "fever"
        case .spo2: "the oxygen saturation"
        case .heartLow: "a low or falling heart or pulse rate"
        case .heartHigh: "a high or rising heart or pulse rate"
        case .temperature: "the limits of a temperature"
        case .glucoseLow: "a low or falling glucose"
        case .glucoseHigh: "a high or rising glucose"
        case .lostSensor: "a sensor that is off the body, silent or out of range"
        case .sensorFault: "a sensor that is faulty, displaced or to be calibrated"
        case .battery: "a sensor's battery"
        case .system: "Bluetooth, the computer and the store"
        }
    }

    /// Whether its alarms are about the equipment.
    public var isOfEquipment: Bool { usualMelody == .equipment }

    /// Its usual melody, which says what its alarms are about.
    public var usualMelody: SoundCategory {
        switch self {
        case .fever, .temperature: .temperature
        case .spo2: .oxygen
        case .heartLow, .heartHigh: .cardiac
        case .glucoseLow, .glucoseHigh: .general
        case .lostSensor, .sensorFault, .battery, .system: .equipment
        }
    }
}
