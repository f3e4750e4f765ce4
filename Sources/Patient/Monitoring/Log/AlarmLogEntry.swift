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

    /// An alarm when it entered a state.
    public struct Change: Codable, Hashable, Sendable {
        /// The number of the episode within the run.
        public var episode: Int
        /// The condition.
        public var kind: AlarmKind
        /// How soon a response was needed.
        public var priority: AlarmPriority
        /// The state that it entered.
        public var state: State
        /// Its sensor; `nil` for an alarm about this computer.
        public var sensor: SensorIdentity?
        /// Its vital, if it was about one.
        public var vital: Vital?
        /// The site of the value, if the sensor reported it.
        public var site: BodySite?
        /// The newest value, in the vital's unit.
        public var value: VitalValue?
        /// The worst value of the episode so far.
        public var peak: VitalValue?
        /// The limit that was crossed.
        public var limit: VitalValue?
        /// When the condition was first met, in milliseconds since 1970 (UTC).
        public var sinceWallMilliseconds: Int64
        /// The alarm in one line.
        public var text: String

        /// Whether it comes from entries of the record; the log stores the sensor of the newest one.
        var isOfEntry: Bool { kind.alarmClass == .physiological && sensor?.kind.isSpot == true }

        public init(
            episode: Int, kind: AlarmKind, priority: AlarmPriority, state: State, sensor: SensorIdentity?,
            vital: Vital?, site: BodySite?, value: VitalValue?, peak: VitalValue?, limit: VitalValue?,
            sinceWallMilliseconds: Int64, text: String
        ) {
            self.episode = episode
            self.kind = kind
            self.priority = priority
            self.state = state
            self.sensor = sensor
            self.vital = vital
            self.site = site
            self.value = value
            self.peak = peak
            self.limit = limit
            self.sinceWallMilliseconds = sinceWallMilliseconds
            self.text = text
        }
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
        /// Its name, as in ``ActionRecord/Kind/word``.
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
    }
}
