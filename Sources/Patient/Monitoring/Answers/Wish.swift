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

/// A wish about alarms, limits, or the patient's record; the monitor's state carries it out.
///
/// Every silencing action expires; none silences an alarm permanently.
public enum PatientWish: Codable, Hashable, Sendable {
    /// Acknowledge every active or suspended alarm, and remove latched ones.
    case acknowledgeAll
    /// Acknowledge the alarm with this number.
    case acknowledge(Alarm.ID)
    /// Declare an episode over; when the condition is met again, a new one begins.
    case clear(Alarm.ID)
    /// Pause the sound of all alarms, for ``MonitorSettings/AlarmSignals/audioPause`` or for this duration.
    case pauseAudio(Duration?)
    /// End the audio pause.
    case endAudioPause
    /// Be silent for this long, as long as another screen confirms that it sounds (``PlannedSilence``).
    case planSilence(Duration)
    /// End the planned silence.
    case endSilence
    /// Silence alarms of the same kind and direction as this one: high does not snooze low, nor severely high.
    case snooze(Alarm.ID, Duration?)
    /// End the snooze of a kind of alarm.
    case endSnooze(SnoozeKey)
    /// Hold the physiological and sensor-off alarms of the sensor with this address during care.
    case pauseForCare(address: String, Duration?)
    /// End the care pause of the sensor with this address.
    case endCarePause(address: String)
    /// Change a rule for a vital; refused if the limits would contradict each other.
    case change(Vital, LimitSetting)
    /// Restore the limits of the settings.
    case resetLimits
    /// Set or forget the newest absolute neutrophil count, which weights fevers.
    case setNeutrophils(NeutrophilCount?)
    /// Add a manual entry; one that corrects another one retracts that.
    indirect case enter(RecordEntry)
    /// Calibrate the sensor with this address with a value that was typed from a meter.
    case calibrate(address: String, with: RecordEntry.ID)
    /// Retract a mistaken entry for a reason; it stays marked as a mistake.
    case retract(RecordEntry.ID, reason: String = "")
    /// Confirm measurements that sensors have handed over.
    case confirm([RecordEntry.ID])
    /// Say which person of the device with this address is the patient, by the number there.
    case chooseUser(address: String, Int)
    /// Another patient: forget trends, pauses, changed limits, manual entries and physiological alarms; keep the
    /// sensors.
    case newPatient

    /// Change a limit, with its priority and delay; refused if the limits would contradict each other.
    public static func setLimit(_ vital: Vital, _ kind: LimitKind, _ limit: AlarmLimit) -> PatientWish {
        .change(vital, .limit(kind, limit))
    }
}

/// The alarms that a snooze silences: one kind, and so one direction, for one vital.
public struct SnoozeKey: Codable, Hashable, Sendable {
    public var kind: AlarmKind
    /// The vital; `nil` for kinds without one.
    public var vital: Vital?

    public init(kind: AlarmKind, vital: Vital?) {
        self.kind = kind
        self.vital = vital
    }
}
