import Monitoring
import Vitals

/// What the program knows of the session besides the patient's state: what is monitored, where, and by which means.
public struct SessionFacts: Hashable, Sendable {
    /// The monitor that this is only a view of, such as `bedside record, process 4711`; `nil` when it is the monitor.
    public var viewedMonitor: String?
    /// Whether the data come from a simulator; every screen says so.
    public var isSimulated = false
    /// Where the playing of a recording is, which every screen says; `nil` when the present is shown.
    public var replay: ReplayStatus?
    /// The local time's distance from UTC, with its changes within the last days, by which times are read that are typed.
    public var timeZone = LocalTimeZone(offset: 0)
    /// Whose vital signs these are; `nil` for the one patient that has no name.
    public var patient: PatientName?
    /// What this screen is about, such as the bed's label; empty when there is nothing to say.
    public var title = ""
    /// What of sound is possible here; every screen says so.
    public var soundMeans = SoundMeans.bellOnly
    /// Whether readings are being recorded.
    public var recording = RecordingMark.unknown
    /// The newest part of the alarm log.
    public var log = AlarmLog()
    /// Whether there is a configuration file that is not read; every screen says so.
    public var ignoresConfiguration = false

    /// The local time's distance from UTC in seconds, positive to the east.
    public var timeZoneOffset: Int { timeZone.offset }
}
