import Monitoring
import Vitals
import WardMessages

/// An entry of the ward's log: what happened to an alarm, and at which bed.
public struct WardLogEntry: Hashable, Sendable {
    /// When, by the ward's clocks.
    public var moment: Moment
    /// The bed; `nil` for the ward as a whole.
    public var bed: WardBed?
    /// The priority of the alarm.
    public var priority: AlarmPriority
    /// What happened.
    public var change: Change
    /// The alarm in one line.
    public var text: String
    /// Where the alarm comes from.
    public var origin: Origin

    /// Where an alarm comes from.
    public enum Origin: Hashable, Sendable {
        /// The bed, whose alarm is now like this.
        case bed(WardAlarm)
        /// The ward itself.
        case ward(WardOwnAlarm.Kind)
    }

    /// What happened to an alarm; the raw value is the word in `bedside ward --json`.
    public enum Change: String, Hashable, Sendable {
        /// It is new, or active again.
        case active
        /// It became worse.
        case worsened
        /// It cannot be evaluated without a measurement.
        case suspended
        /// Somebody acknowledged it.
        case acknowledged
        /// It is over.
        case ended
    }

    /// How many entries are kept.
    static let limit = 500
}

/// A technical alarm of the ward screen itself.
public struct WardOwnAlarm: Hashable, Sendable {
    /// What it is about.
    public var kind: Kind
    /// The bed; `nil` for the ward as a whole.
    public var bed: WardBed?
    /// Since when.
    public var since: Moment
    /// Whether somebody at the screen has acknowledged it.
    public var isAcknowledged = false

    /// What the ward itself notices.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// The broker cannot be reached: nothing is known of any bed.
        case noBroker = "no_broker"
        /// Two monitors publish for one bed.
        case twoMonitors = "two_monitors"
        /// Nothing comes from a bed.
        case noLink = "no_link"
        /// A bed sends, but does not answer, so that the age of its values is unknown.
        case noAnswer = "no_answer"
        /// The clock of a bed is off by more than a minute.
        case clockOff = "clock_off"

        /// How soon a response is needed.
        public var priority: AlarmPriority {
            switch self {
            case .noBroker, .twoMonitors: .high
            case .noLink, .noAnswer: .medium
            case .clockOff: .low
            }
        }

        /// The title in capitals.
        public var title: String {
            switch self {
            case .noBroker: "NO BROKER"
            case .twoMonitors: "TWO MONITORS"
            case .noLink: "NO LINK"
            case .noAnswer: "NO ANSWER"
            case .clockOff: "CLOCK OFF"
            }
        }
    }

    /// The alarm in one line: "NO LINK", "TWO MONITORS FOR BED 12".
    public var text: String {
        guard kind == .twoMonitors, let bed else { return kind.title }
        return "\(kind.title) FOR \(bed.label.uppercased())"
    }
}
