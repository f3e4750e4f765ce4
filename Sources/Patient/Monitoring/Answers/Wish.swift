import Vitals

/// What a user asks of a monitor, from its own screen or from a view; the monitor may refuse it.
///
/// What the log keeps of it is an ``ActionRecord``.
public enum Wish: Codable, Hashable, Sendable {
    /// About sensors or the radio.
    case sensor(SensorWish)
    /// About alarms, limits, or the patient's record.
    case patient(PatientWish)
    /// Keep this limit of a vital in the settings.
    case keepLimit(Vital, LimitSetting)
}
