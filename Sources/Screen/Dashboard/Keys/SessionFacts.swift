import Monitoring
import Vitals
import Wording

/// Facts of the session besides the patient's state: whose it is, where, and by which means.
public struct SessionFacts: Hashable, Sendable {
    /// The viewed monitor, such as `bedside record, process 4711`; `nil` if this is the monitor.
    public var viewedMonitor: String?
    /// Whether the data come from a simulator; every screen shows it.
    public var isSimulated = false
    /// The state of a replay, which every screen shows; `nil` for the present.
    public var replay: ReplayStatus?
    /// The local time's offset from UTC, with its changes within the last days, to read typed times.
    public var timeZone = LocalTimeZone(offset: 0)
    /// The patient; `nil` for the patient without a name.
    public var patient: PatientName?
    /// The label of this screen, such as the bed's; may be empty.
    public var title = ""
    /// The available means of sound; every screen shows them.
    public var soundMeans = SoundMeans.bellOnly
    /// Whether readings are being recorded.
    public var recording = RecordingMark.unknown
    /// The newest part of the alarm log.
    public var log = AlarmLog()
    /// Whether there is a configuration file that is not read; every screen shows it.
    public var ignoresConfiguration = false

    /// The local time's offset from UTC in seconds, positive to the east.
    public var timeZoneOffset: Int { timeZone.offset }
}
