import Base
import Monitoring
import Vitals
import Waves

/// A message from a monitor to a view, one line each.
public enum MonitorLine: Codable, Hashable, Sendable {
    /// The first line: identifies the monitor.
    case hello(MonitorHello)
    /// The whole state, on which later lines build.
    ///
    /// Stored indirectly, so that other lines are not as large.
    indirect case snapshot(MonitorSnapshot)
    /// An input changed the state.
    case input(MonitorInput)
    /// Samples of waves, for a view that has asked for them; nothing else waits for one.
    case waves([WaveUpdate])
    /// A heartbeat while nothing happens.
    case alive(Moment)
    /// A sentence for the user, about a problem or the result of a wish.
    case notice(String)
    /// The monitor sends nothing more; with a clause for the reason: "has no place for another view".
    case refused(String)
}

extension MonitorLine {
    /// Whether its content is consistent; a line of the right form may contain anything.
    var isCoherent: Bool {
        switch self {
        case .snapshot(let snapshot): snapshot.state.isCoherent
        case .input(.settings(let settings, _, _, _)): settings.isCoherent
        case .input(.earlierRun(let earlier, _)): earlier.isCoherent
        case .input(.event(let event)):
            switch event.kind {
            case .battery(_, let percent): (0...100).contains(percent)
            case .announcedInterval(_, let announced): AnnouncedInterval.range.contains(announced.seconds)
            case .transmitter(_, let status): status.isCoherent
            case .nights(_, let nights): nights.isCoherent
            case .beacon(_, let temperature): Vital.bodyTemperature.isMeasurable(temperature)
            case .cuffPressure(_, let pressure): (0...400).contains(pressure)
            default: true
            }
        case .waves(let updates): updates.allSatisfy(\.isCoherent)
        case .hello, .input, .alive, .notice, .refused: true
        }
    }
}

/// The identity of a monitor, in a form that every version reads; fields are only ever added.
public struct MonitorHello: Codable, Hashable, Sendable {
    /// The form of the later lines (``LinkForm/current``); a program with another form cannot read them.
    public var form: String
    /// The monitor's version.
    public var version: String
    /// The subcommand, such as `record`.
    public var command: String
    /// The process identifier.
    public var process: Int32

    /// Describes a monitor of this program's version.
    public init(version: String, command: String, process: Int32) {
        form = LinkForm.current
        self.version = version
        self.command = command
        self.process = process
    }

    /// The name shown: "bedside record, process 4711".
    public var name: String { "\(shortName), process \(process)" }

    /// The short name shown: "bedside record".
    public var shortName: String {
        command == "dashboard" ? "bedside" : "bedside \(sanitized(command, limit: 16))"
    }
}

/// The whole state of a monitor.
public struct MonitorSnapshot: Codable, Hashable, Sendable {
    /// The patient, the sensors, the alarms, with the trends.
    public var state: MonitorState
    /// The part of the alarm log that a screen shows, the oldest entry first.
    public var log: [AlarmLogEntry]
    /// Whether the data are real or simulated, if known yet.
    public var provenance: Provenance
    /// Whether readings are recorded.
    public var isRecording: Bool

    public init(state: MonitorState, log: [AlarmLogEntry], provenance: Provenance, isRecording: Bool) {
        self.state = state
        self.log = log
        self.provenance = provenance
        self.isRecording = isRecording
    }
}

/// A message from a view to its monitor, one per line.
public enum ViewerLine: Codable, Hashable, Sendable {
    /// The first line: asks for the state and all changes.
    case attach(form: String)
    /// A wish of the user; its effect returns as an input.
    case wish(Wish)
    /// The kinds of waves that the view wants from now on; at first none.
    case waves([WaveKind])
}

/// The form of the lines, as a hash of the structure of the state and its default settings, so that a program with
/// another structure is recognised.
public enum LinkForm {
    /// The form that this program writes and reads.
    public static let current: String = {
        let start = Moment(monotonicNanoseconds: 0, wallMilliseconds: 0)
        let line = (try? LinkCoder.line(MonitorState(start: start))) ?? []
        // FNV-1a, which is the same in every process.
        let hash = line.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "6-" + String(hash, radix: 16)
    }()
}
