import Monitoring
import Vitals
import WardMessages

/// An entry of the ward's log: a change of an alarm at a bed or of the ward's own.
public struct WardLogEntry: Hashable, Sendable {
    /// The time by the ward's clocks.
    public var moment: Moment
    /// The bed; `nil` for the ward as a whole.
    public var bed: WardBed?
    public var priority: AlarmPriority
    public var change: Change
    /// The alarm in one line.
    public var text: String
    /// The source of the alarm.
    public var origin: Origin

    /// The source of an alarm.
    public enum Origin: Hashable, Sendable {
        /// A bed, with the present state of its alarm.
        case bed(WardAlarm)
        /// The ward itself.
        case ward(WardOwnAlarm.Kind)
    }

    /// A change of an alarm; the raw value is the word in `bedside ward --json`.
    public enum Change: String, Hashable, Sendable {
        /// It is new, or active again.
        case active
        /// It became worse.
        case worsened
        /// It cannot be evaluated without a measurement.
        case suspended
        /// A user acknowledged it.
        case acknowledged
        /// It has ended.
        case ended
    }

    /// The number of kept entries.
    static let limit = 500
}

/// A technical alarm of the ward screen itself.
public struct WardOwnAlarm: Hashable, Sendable {
    /// The kind of the alarm.
    public var kind: Kind
    /// The bed; `nil` for the ward as a whole.
    public var bed: WardBed?
    /// When it began.
    public var since: Moment
    /// The beds without a place that it is about; empty for one about ``bed``.
    public var unplaced: [WardBed] = []
    /// Whether a user of the screen has acknowledged it.
    public var isAcknowledged = false

    /// The technical alarms of the ward itself.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// The broker cannot be reached: nothing is known of any bed.
        case noBroker = "no_broker"
        /// Beds are heard that have no place: nothing of them is shown.
        case noPlace = "no_place"
        /// Two monitors publish for one bed.
        case twoMonitors = "two_monitors"
        /// Nothing arrives from a bed.
        case noLink = "no_link"
        /// A bed sends, but does not answer, so that the age of its values is unknown.
        case noAnswer = "no_answer"
        /// The clock of a bed differs by more than a minute.
        case clockOff = "clock_off"

        /// How soon a response is needed.
        public var priority: AlarmPriority {
            switch self {
            case .noBroker, .noPlace, .twoMonitors: .high
            case .noLink, .noAnswer: .medium
            case .clockOff: .low
            }
        }

        /// The rank within its priority; the least is the most urgent.
        public var urgency: Int { self == .noPlace ? -1 : AlarmKind.leastUrgency }

        /// The title in capitals.
        public var title: String {
            switch self {
            case .noBroker: "NO BROKER"
            case .noPlace: "NO PLACE"
            case .twoMonitors: "TWO MONITORS"
            case .noLink: "NO LINK"
            case .noAnswer: "NO ANSWER"
            case .clockOff: "CLOCK OFF"
            }
        }
    }

    /// The alarm in one line: "NO LINK", "TWO MONITORS FOR BED 12", "NO PLACE FOR 3 BEDS".
    public var text: String {
        switch kind {
        case .twoMonitors: bed.map { "\(kind.title) FOR \($0.label.uppercased())" } ?? kind.title
        case .noPlace: "\(kind.title) FOR \(Self.count(unplaced))"
        case .noLink where bed == nil: "\(kind.title) TO \(Self.count(unplaced)) WITHOUT A PLACE"
        case .noBroker, .noLink, .noAnswer, .clockOff: kind.title
        }
    }

    private static func count(_ beds: [WardBed]) -> String {
        switch beds.count {
        case 1: beds[0].label.uppercased()
        case UnplacedBeds.most...: "MORE THAN \(UnplacedBeds.most) BEDS"
        default: "\(beds.count) BEDS"
        }
    }
}
