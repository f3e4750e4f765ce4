import Vitals

/// What a user can do to the monitor's state.
///
/// Whatever silences something has an end; nothing here can silence an alarm for ever.
public enum UserAction: Codable, Hashable, Sendable {
    /// Acknowledge every active or suspended alarm, and take away what is only shown because nobody had acknowledged it.
    case acknowledgeAll
    /// Acknowledge the alarm with this number.
    case acknowledge(Alarm.ID)
    /// Declare an episode over; the next time the condition is met, a new one begins.
    case clear(Alarm.ID)
    /// Pause the sound of all alarms, for ``MonitorSettings/AlarmSignals/audioPause`` or for so long.
    case pauseAudio(Duration?)
    /// Let alarms be heard again.
    case endAudioPause
    /// Silence the kind of alarm that this one is, in its direction: high does not snooze low, nor severely high.
    case snooze(Alarm.ID, Duration?)
    /// Let a kind of alarm be heard again.
    case endSnooze(SnoozeKey)
    /// Hold the physiological and sensor-off alarms of the sensor with this address, because the patient is cared for.
    case pauseForCare(address: String, Duration?)
    /// Let the alarms of the sensor with this address speak again.
    case endCarePause(address: String)
    /// Change a rule about the values of a vital; refused when the limits would contradict each other.
    case change(Vital, LimitSetting)
    /// Let the limits of the settings hold again.
    case resetLimits
    /// Take note of the newest absolute neutrophil count, or forget it; fevers weigh by it.
    case setNeutrophils(NeutrophilCount?)
    /// Take in what somebody has measured or noted, and typed.
    case enter(ManualEntry)
    /// Take an entry back, because it was a mistake; it stays known as one.
    case retract(ManualEntry.ID)
    /// Another patient: forget trends, pauses, changed limits, manual entries and physiological alarms; keep the sensors.
    case newPatient

    /// Change a limit, with its priority and delay; refused when the limits would contradict each other.
    public static func setLimit(_ vital: Vital, _ kind: LimitKind, _ limit: AlarmLimit) -> UserAction {
        .change(vital, .limit(kind, limit))
    }
}

/// Which alarms a snooze silences: those of one kind, and so of one direction, about one vital.
public struct SnoozeKey: Codable, Hashable, Sendable {
    /// The kind.
    public var kind: AlarmKind
    /// The vital; `nil` for kinds that are about none.
    public var vital: Vital?

    /// Makes a key.
    public init(kind: AlarmKind, vital: Vital?) {
        self.kind = kind
        self.vital = vital
    }
}
