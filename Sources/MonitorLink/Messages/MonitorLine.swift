import Monitoring
import Vitals

/// What a monitor tells those who look at it from elsewhere, one line each.
public enum MonitorLine: Codable, Hashable, Sendable {
    /// The first line: who monitors.
    case hello(MonitorHello)
    /// All that the monitor knows; what follows builds on it.
    case snapshot(MonitorSnapshot)
    /// Something changed the state.
    case input(MonitorInput)
    /// Nothing happened, and the monitor is alive.
    case alive(Moment)
    /// A sentence for the user, about trouble or about what became of a wish.
    case notice(String)
    /// Why nothing more is told, as a clause: "has no place for another view".
    case refused(String)
}

extension MonitorLine {
    /// Whether it can be folded in or shown without care; a line may hold anything that has the right form.
    var isCoherent: Bool {
        switch self {
        case .snapshot(let snapshot): snapshot.state.isCoherent
        case .input(.settings(let settings, _, _, _)): settings.isCoherent
        case .input(.earlierRun(let earlier, _)): earlier.isCoherent
        case .input(.event(let event)):
            if case .battery(_, let percent) = event.kind { (0...100).contains(percent) } else { true }
        case .hello, .input, .alive, .notice, .refused: true
        }
    }
}

/// Who monitors, in words that every version understands; fields are only ever added.
public struct MonitorHello: Codable, Hashable, Sendable {
    /// What the lines that follow look like (``LinkForm/current``); who knows another one cannot read them.
    public var form: String
    /// The monitor's version.
    public var version: String
    /// Its command, such as `record`.
    public var command: String
    /// Its process.
    public var process: Int32

    /// Describes a monitor of this program's version.
    public init(version: String, command: String, process: Int32) {
        form = LinkForm.current
        self.version = version
        self.command = command
        self.process = process
    }

    /// What to call it: "bedside record, process 4711".
    public var name: String { "\(shortName), process \(process)" }

    /// What to call it where there is little room: "bedside record".
    public var shortName: String {
        command == "dashboard" ? "bedside" : "bedside \(sanitized(command, limit: 16))"
    }
}

/// All that a monitor knows.
public struct MonitorSnapshot: Codable, Hashable, Sendable {
    /// The patient, the sensors, the alarms, with the trends.
    public var state: MonitorState
    /// The alarm log as far as a screen shows it, the oldest first.
    public var log: [AlarmLogEntry]
    /// Whether the data are simulated, as far as that is known yet.
    public var provenance: Provenance
    /// Whether readings are recorded where the store can be written.
    public var isRecording: Bool

    /// Makes a snapshot.
    public init(state: MonitorState, log: [AlarmLogEntry], provenance: Provenance, isRecording: Bool) {
        self.state = state
        self.log = log
        self.provenance = provenance
        self.isRecording = isRecording
    }
}

/// What somebody who looks at a monitor wants of it, one line each; what comes of it comes back as an input.
public enum ViewerLine: Codable, Hashable, Sendable {
    /// The first line: wants to be told everything.
    case attach(form: String)
    /// Have this done about sensors or the radio.
    case command(SensorCommand)
    /// The user did this.
    case action(UserAction)
    /// Keep this rule about the values of a vital in the settings.
    case keepLimit(Vital, LimitSetting)
}

/// The form of the lines, as a short word that is another one whenever the state or its usual settings are made of other
/// parts: then a program of another version is not guessed at, but told apart.
public enum LinkForm {
    /// The form that this program writes and reads.
    public static let current: String = {
        let start = Moment(monotonicNanoseconds: 0, wallMilliseconds: 0)
        let line = (try? LinkCoder.line(MonitorState(start: start))) ?? []
        // FNV-1a, which is the same in every process.
        let hash = line.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return "3-" + String(hash, radix: 16)
    }()
}
