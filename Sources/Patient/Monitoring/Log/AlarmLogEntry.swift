import Vitals

/// One entry of the alarm log: a change of an alarm, or an action.
public struct AlarmLogEntry: Codable, Hashable, Sendable {
    public var moment: Moment
    /// The run of the program, as the store numbers them; 0 for the present one.
    public var run: Int64
    /// What happened.
    public var content: Content

    public init(moment: Moment, run: Int64 = 0, content: Content) {
        self.moment = moment
        self.run = run
        self.content = content
    }

    /// The kinds of events.
    public enum Content: Codable, Hashable, Sendable {
        /// An alarm entered a state.
        case change(Change)
        /// A user, or the program, answered alarms or changed their rules.
        case action(Action)
    }

    /// An alarm as it was when it entered a state.
    @dynamicMemberLookup
    public struct Change: Codable, Hashable, Sendable {
        /// The alarm as the store keeps it: without marks that do not follow from the state.
        public private(set) var report: AlarmReport
        /// The state that it entered.
        public var state: State {
            didSet { leaveOutMarks() }
        }

        public init(_ report: AlarmReport, _ state: State) {
            (self.report, self.state) = (report, state)
            leaveOutMarks()
        }

        private mutating func leaveOutMarks() {
            (report.state, report.isAcknowledged) = (state.alarmState, state == .acknowledged)
            (report.isLatched, report.isHeld) = (false, false)
        }

        public subscript<Value>(dynamicMember field: WritableKeyPath<AlarmReport, Value>) -> Value {
            get { report[keyPath: field] }
            set { report[keyPath: field] = newValue }
        }

        public subscript<Value>(dynamicMember field: KeyPath<AlarmReport, Value>) -> Value { report[keyPath: field] }
    }

    /// The states in the log; the raw value is the name in `bedside alarms --json`.
    public enum State: String, CaseIterable, Codable, Hashable, Sendable {
        /// It is signalled.
        case active
        /// It cannot be evaluated, because there is no measurement; not ended.
        case suspended
        /// A user acknowledged it.
        case acknowledged
        /// It alerts again, because it was not acknowledged.
        case alertedAgain = "alerted_again"
        /// Its condition has ended.
        case ended
        /// It was shown after its end until it was acknowledged, and is no longer shown.
        case putAway = "put_away"
        /// The program ended before the alarm did: its end is unknown.
        case interrupted
        /// The program restarted; the alarm has ended, or its end is unknown, and it was not acknowledged.
        case unanswered

        /// The state of the alarm from then on.
        var alarmState: AlarmState {
            switch self {
            case .active, .alertedAgain: .active
            case .suspended: .suspended
            case .acknowledged: .acknowledged
            case .ended, .putAway, .interrupted, .unanswered: .ended
            }
        }
    }

    /// Whether it ends its episode; `nil` for an action.
    public var isEndOfEpisode: Bool? {
        guard case .change(let change) = content else { return nil }
        return change.state == .ended || change.state == .putAway || change.state == .interrupted
    }

    /// A user's or the program's action.
    public struct Action: Codable, Hashable, Sendable {
        /// Who did it.
        public var actor: ActionRecord.Actor
        /// Its name, as in ``ActionRecord/Name``; another version may know others.
        public var word: String
        /// What happened, as a sentence without a full stop.
        public var text: String
        /// The episodes concerned, if any.
        public var episodes: [Int]
        /// When the action expires, in milliseconds since 1970 (UTC).
        public var untilWallMilliseconds: Int64?

        public init(
            actor: ActionRecord.Actor, word: String, text: String, episodes: [Int] = [],
            untilWallMilliseconds: Int64? = nil
        ) {
            self.actor = actor
            self.word = word
            self.text = text
            self.episodes = episodes
            self.untilWallMilliseconds = untilWallMilliseconds
        }

        /// The kind of action; `nil` for one of another version.
        public var name: ActionRecord.Name? { ActionRecord.Name(rawValue: word) }

        /// The action without typed text: a note, a name, a setting, a count.
        public var forOthers: Action {
            var action = self
            guard let name else {
                action.text = "something done at the bed"
                return action
            }
            action.text = name.sentenceForOthers ?? text
            return action
        }
    }
}

extension AlarmLogEntry {
    /// The log entry of an effect; `nil` for effects that are not logged.
    ///
    /// A pending alarm is not logged; when it becomes active, the entry contains its beginning.
    public init?(_ effect: Effect) {
        switch effect {
        case .alarm(let alarm, let moment):
            let state: State
            switch alarm.state {
            case .pending: return nil
            case .active: state = .active
            case .suspended: state = .suspended
            case .acknowledged: state = .acknowledged
            case .ended:
                // An episode that ends while pending was never an alarm.
                guard alarm.activeSince != nil else { return nil }
                state = .ended
            }
            self.init(moment: moment, content: .change(Change(AlarmReport(alarm), state)))
        case .alarmAgain(let alarm, let moment):
            self.init(moment: moment, content: .change(Change(AlarmReport(alarm), .alertedAgain)))
        case .latchReset(let alarm, let moment):
            self.init(moment: moment, content: .change(Change(AlarmReport(alarm), .putAway)))
        case .unanswered(let alarm, let moment):
            self.init(moment: moment, content: .change(Change(AlarmReport(alarm), .unanswered)))
        case .action(let record):
            self.init(moment: record.moment, content: .action(Action(record)))
        case .reading, .entry, .soundBurst, .soundReminder, .deviceUsers, .calibrations: return nil
        }
    }
}

extension AlarmLogEntry.Action {
    /// An action as it was recorded.
    init(_ record: ActionRecord) {
        self.init(
            actor: record.actor, word: record.kind.word, text: record.kind.text, episodes: record.kind.episodes,
            untilWallMilliseconds: record.kind.until?.wallMilliseconds)
    }
}

extension ActionRecord.Kind {
    /// The episodes concerned.
    var episodes: [Alarm.ID] {
        switch self {
        case .acknowledged(let alarms): alarms
        case .cleared(let alarm, _), .answeredFromWard(let alarm, _), .audioPauseEnded(by: let alarm?): [alarm]
        default: []
        }
    }

    /// When the action expires.
    var until: Moment? {
        switch self {
        case .audioPaused(let until), .silenceBegan(let until, _), .snoozed(_, let until), .carePaused(_, let until):
            until
        default: nil
        }
    }
}

/// A row of a store: what it says, and what distinguishes it from others.
public struct RecordedRow: Hashable, Sendable {
    public var content: RecordedContent
    /// The run of the program that recorded it.
    public var run: Int64
    /// Distinguishes it from others of its kind and millisecond.
    public var number: Int64

    public init(_ content: RecordedContent, run: Int64, number: Int64) {
        self.content = content
        self.run = run
        self.number = number
    }
}

/// A record of a monitor.
public enum RecordedContent: Hashable, Sendable {
    case reading(Reading)
    /// The RR intervals of a notification.
    case rrIntervals(RRIntervals)
    /// A change of an alarm, or an action.
    case alarmLog(AlarmLogEntry)
    /// An entry of a patient's record, with the patient's number in the store.
    case entry(RecordEntry, patient: Int)

    /// When it was recorded.
    public var moment: Moment {
        switch self {
        case .reading(let reading): reading.moment
        case .rrIntervals(let intervals): intervals.moment
        case .alarmLog(let entry): entry.moment
        case .entry(let entry, _): entry.enteredAt
        }
    }
}
