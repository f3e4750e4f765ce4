/// A subcommand of `bedside`: one value for the parser, the help text and the manual page.
public enum Subcommand: String, CaseIterable, Sendable {
    /// The screen; the default subcommand.
    case dashboard
    /// Events as lines of text or JSON.
    case watch
    /// A monitor in the background.
    case record
    /// The running monitor's status, in one line.
    case status
    /// An entry of the patient's record.
    case enter
    /// What waits to be confirmed.
    case confirm
    /// Entries of a file.
    case `import`
    /// The alarm log of all runs.
    case alarms
    /// The history: wear periods and summaries.
    case history
    /// The last days of a patient.
    case report
    /// What an oximeter measured in a night.
    case night
    /// Recorded readings in formats for other programs.
    case export
    /// The record, sent to servers.
    case send
    /// A replay of a recording.
    case replay
    /// A collector of the recorded data of a ward's beds.
    case collect
    /// The screen of a ward with all beds.
    case ward
    /// The first setup: missing requirements, sensors, limits, alarms, start.
    case setup
    /// Checks of Bedside's requirements.
    case doctor
    /// The configuration file.
    case config
    /// Octets to JSON.
    case decode
    /// The traffic with sensors, as lines and as a capture.
    case trace
    /// Simulated sensors for other programs.
    case simulate
    /// The sounds of alarms and of the pulse.
    case sound
    /// The help of a subcommand.
    case help
    /// The completion of the command line for a shell.
    case completions

    /// Whether it runs when no subcommand is named.
    public var isDefault: Bool { self == .dashboard }

    /// What it does, in one sentence.
    public var summary: String { declaration.summary }

    /// What it does, in several sentences if necessary.
    public var explanation: String { declaration.explanation }

    /// The accepted options.
    public var options: [Option] { declaration.options }

    /// The operands after the options, for the usage line.
    public var operands: String { declaration.operands }

    /// Examples of commands.
    public var examples: [SubcommandExample] { declaration.examples }

    /// The accepted number of operands.
    var operandCount: ClosedRange<Int> { declaration.operandCount }

    /// The usage line.
    public var usage: String {
        var parts = ["bedside"]
        if !isDefault { parts.append(rawValue) }
        parts.append("[OPTION]...")
        if !operands.isEmpty { parts.append(operands) }
        return parts.joined(separator: " ")
    }

    private var declaration: SubcommandDeclaration {
        switch self {
        case .dashboard: .dashboard
        case .watch: .watch
        case .record: .record
        case .status: .status
        case .enter: .enter
        case .confirm: .confirm
        case .import: .import
        case .alarms: .alarms
        case .history: .history
        case .report: .report
        case .night: .night
        case .export: .export
        case .send: .send
        case .replay: .replay
        case .collect: .collect
        case .ward: .ward
        case .setup: .setup
        case .doctor: .doctor
        case .config: .config
        case .decode: .decode
        case .trace: .trace
        case .simulate: .simulate
        case .sound: .sound
        case .help: .help
        case .completions: .completions
        }
    }
}

/// An example of a command, for help and manual page.
public struct SubcommandExample: Hashable, Sendable {
    /// The command, as a line of a shell.
    public let command: String
    /// What it does, in one sentence.
    public let purpose: String

    init(_ command: String, _ purpose: String) {
        (self.command, self.purpose) = (command, purpose)
    }
}
