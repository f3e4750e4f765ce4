import Vitals

/// The category of an alarm, which its melody encodes; the raw value is the name of the melody.
public enum SoundCategory: String, CaseIterable, Codable, Hashable, Sendable {
    /// Heart rate and pulse rate.
    case cardiac
    /// Oxygen saturation.
    case oxygen
    /// Temperatures and fever.
    case temperature
    /// The equipment: a technical alarm.
    case equipment
    /// All other alarms.
    case general
    /// A melody for alarms that the settings choose; IEC 60601-1-8:2006 has it for infusions.
    case infusion
    /// A melody for alarms that the settings choose; IEC 60601-1-8:2006 has it for ventilation.
    case ventilation

    /// The usual category of an alarm.
    public init(_ kind: AlarmKind, _ vital: Vital?) {
        self =
            AlarmGroup(kind, vital)?.usualMelody ?? (kind.alarmClass == .technical ? .equipment : .general)
    }
}
