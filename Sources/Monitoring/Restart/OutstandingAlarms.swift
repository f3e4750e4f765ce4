import SaturatingArithmetic
import Vitals

/// The alarms about the patient with which the log of earlier runs leaves the next one: those that went on when the
/// program ended, and those that are over and that nobody has answered.
///
/// Entries are folded in one by one, the oldest first; it is bounded by the number of conditions, not by the log.
/// Technical alarms are not among them: their conditions are found anew.
public struct OutstandingAlarms: Codable, Hashable, Sendable {
    /// What goes on, as far as the log knows.
    private(set) var going: [Condition: Episode] = [:]
    /// What is over and unanswered; several episodes of a condition are one.
    private(set) var over: [Condition: Episode] = [:]
    /// When somebody last declared a fever over.
    private(set) var cleared: [Condition: Moment] = [:]
    /// The greatest number of an alarm, whatever it was about; the next one has a greater one.
    public var lastAlarm: Alarm.ID = 0
    /// What ended with the newest entry; the next one may say that the user declared it over.
    private var ended: Episode?
    /// When an entry by hand was last taken back: what ends then was raised by a mistake.
    private var lastRetraction: Moment?

    /// Makes the state of an empty log.
    public init() {}

    /// Folds a log in.
    ///
    /// - Parameter entries: The oldest first.
    public init(_ entries: some Sequence<AlarmLogEntry>) {
        for entry in entries { add(entry) }
    }

    /// Whether there is none.
    public var isEmpty: Bool { going.isEmpty && over.isEmpty && ended == nil && cleared.isEmpty }

    /// What identifies a condition beyond a run of the program.
    struct Condition: Codable, Hashable, Sendable {
        var kind: AlarmKind
        var vital: Vital?
        var source: Source

        init(_ change: AlarmLogEntry.Change) {
            (kind, vital) = (change.kind, change.vital)
            source = change.sensor.map { $0.kind == .manual ? .manual : .sensor(address: $0.address) } ?? .computer
        }

        /// Where a condition is found, whichever run it is.
        enum Source: Codable, Hashable, Sendable {
            case sensor(address: String), manual, computer
        }
    }

    /// An episode as the log tells it.
    struct Episode: Codable, Hashable, Sendable {
        /// The run in which its number is meant.
        var run: Int64
        /// As of the newest entry; the peak is the worst of all.
        var change: AlarmLogEntry.Change
        /// When it became an alarm.
        var start: Moment
        /// The newest entry about it.
        var last: Moment
        var acknowledgedAt: Moment?
        /// When the program ended before it.
        var interruptedAt: Moment?
        /// When it ended, unless it was interrupted.
        var endedAt: Moment?
        /// How many episodes it stands for.
        var count = 1

        /// Whether it is shown after its end until somebody acknowledges it.
        var isKept: Bool { change.priority == .high && acknowledgedAt == nil }

        /// Until when it is known to have gone on.
        var knownUntil: Moment { endedAt ?? interruptedAt ?? last }

        /// Takes an earlier episode of the same condition in.
        mutating func join(_ older: Episode) {
            start = min(older.start, start)
            change.sinceWallMilliseconds = min(older.change.sinceWallMilliseconds, change.sinceWallMilliseconds)
            keepPeak(of: older.change)
        }

        mutating func keepPeak(of other: AlarmLogEntry.Change) {
            guard let peak = other.peak else { return }
            change.peak = change.kind.worse(of: peak, change.peak)
        }
    }

    // MARK: Folding

    /// Folds an entry in; entries come in the order in which they were written.
    public mutating func add(_ entry: AlarmLogEntry) {
        switch entry.content {
        case .action(let action): add(action, entry)
        case .change(let change):
            lastAlarm = max(lastAlarm, change.episode)
            settleEnd()
            if change.kind.alarmClass == .physiological { add(change, entry) }
        }
    }

    private mutating func add(_ action: AlarmLogEntry.Action, _ entry: AlarmLogEntry) {
        func isMeant(_ episode: Episode) -> Bool {
            episode.run == entry.run && action.episodes.contains(episode.change.episode)
        }
        switch action.word {
        case ActionRecord.Kind.newPatient.word:
            let newest = lastAlarm
            self = OutstandingAlarms()
            lastAlarm = newest
        case AnswerWord.acknowledged:
            settleEnd()
            over = over.filter { !isMeant($0.value) }
            for (condition, episode) in going where isMeant(episode) && episode.acknowledgedAt == nil {
                going[condition]?.acknowledgedAt = entry.moment
            }
        case AnswerWord.cleared:
            if let ended, isMeant(ended) {
                if ended.change.kind.isFever { cleared[Condition(ended.change)] = entry.moment }
                self.ended = nil
            }
            settleEnd()
        case AnswerWord.retracted:
            settleEnd()
            lastRetraction = entry.moment
        default: settleEnd()
        }
    }

    private enum AnswerWord {
        static let acknowledged = ActionRecord.Kind.acknowledged([]).word
        static let cleared = ActionRecord.Kind.cleared(0).word
        static let retracted = "entry_retracted"
    }

    private mutating func add(_ change: AlarmLogEntry.Change, _ entry: AlarmLogEntry) {
        let condition = Condition(change)
        switch change.state {
        case .active, .acknowledged, .suspended, .alertedAgain: isOngoing(condition, change, entry)
        case .interrupted:
            guard var episode = going[condition], episode.run == entry.run else { return }
            episode.interruptedAt = episode.interruptedAt ?? entry.moment
            going[condition] = episode
        case .ended:
            guard var episode = going.removeValue(forKey: condition) else { return }
            let isMistake = change.sensor?.kind == .manual && lastRetraction == entry.moment
            episode.handle(change, entry)
            episode.endedAt = entry.moment
            episode.interruptedAt = nil
            // Also what does not stay, because the next entry may say that a fever was declared over.
            ended = isMistake ? nil : episode
        case .unanswered:
            if let interrupted = going.removeValue(forKey: condition) { keep(interrupted, of: condition) }
            var episode = over[condition] ?? Episode(change, entry)
            // It has a number of this run from now on.
            (episode.run, episode.change.episode) = (entry.run, change.episode)
            over[condition] = episode
        case .putAway: over[condition] = nil
        }
    }

    private mutating func isOngoing(_ condition: Condition, _ change: AlarmLogEntry.Change, _ entry: AlarmLogEntry) {
        guard var episode = going[condition] else {
            var episode = Episode(change, entry)
            if change.state == .acknowledged { episode.acknowledgedAt = entry.moment }
            going[condition] = episode
            return
        }
        if episode.run != entry.run, episode.change.episode != change.episode {
            // Another one, which nobody joined with it.
            keep(episode, of: condition)
            going[condition] = nil
            return isOngoing(condition, change, entry)
        }
        let isWorse = change.priority > episode.change.priority
        episode.handle(change, entry)
        episode.interruptedAt = nil
        switch change.state {
        case .acknowledged: episode.acknowledgedAt = episode.acknowledgedAt ?? entry.moment
        // What is suspended does not say whether somebody has acknowledged it; what has risen wants it anew.
        case .suspended: if isWorse { episode.acknowledgedAt = nil }
        default: episode.acknowledgedAt = nil
        }
        going[condition] = episode
    }

    /// Decides what becomes of what ended with the entry before.
    private mutating func settleEnd() {
        guard let episode = ended else { return }
        ended = nil
        keep(episode, of: Condition(episode.change))
    }

    /// Keeps what is over if it stays until it is answered.
    private mutating func keep(_ episode: Episode, of condition: Condition) {
        guard episode.isKept else { return }
        var kept = episode
        if let older = over[condition] {
            kept.join(older)
            kept.count += older.count
        }
        over[condition] = kept
    }

    // MARK: What remains

    /// Values between two moments, for what the log does not tell: it has a value only where the state of an alarm changed.
    public struct ValueRange: Sendable {
        /// The extremes.
        public var lowest, highest: VitalValue
        /// The newest.
        public var newest: VitalValue

        /// Describes values.
        public init(lowest: VitalValue, highest: VitalValue, newest: VitalValue) {
            (self.lowest, self.highest, self.newest) = (lowest, highest, newest)
        }
    }

    /// Completes what went on when the program ended by what was recorded until then.
    ///
    /// - Parameter values: Finds the values of a sensor's vital from a wall time on, in milliseconds since 1970 (UTC);
    ///   `nil` when there are none.
    public mutating func complete<Failure>(
        by values: (SensorIdentity, Vital, Int64) throws(Failure) -> ValueRange?
    ) throws(Failure) {
        for (condition, episode) in going {
            // While a change by speed goes on, its value means nothing by itself.
            guard let sensor = episode.change.sensor, let vital = condition.vital, sensor.kind != .manual,
                condition.kind != .fall, condition.kind != .rise,
                let range = try values(sensor, vital, episode.change.sinceWallMilliseconds)
            else { continue }
            let worst = condition.kind.isWorseWhenLower ? range.lowest : range.highest
            going[condition]?.change.value = range.newest
            going[condition]?.change.peak = condition.kind.worse(of: worst, episode.change.peak)
        }
    }

    /// What was going on until a moment that is not too long ago, and what is over or was left alone for longer; each
    /// in the order of the numbers.
    ///
    /// - Parameter isRecent: Whether an episode that was known to go on until then may still go on.
    func remaining(_ isRecent: (Episode) -> Bool) -> (going: [Episode], over: [Episode]) {
        var last = self
        last.settleEnd()
        for (condition, episode) in last.going where !isRecent(episode) {
            last.going[condition] = nil
            last.keep(episode, of: condition)
        }
        func sorted(_ episodes: Dictionary<Condition, Episode>.Values) -> [Episode] {
            episodes.sorted { ($0.change.episode, $0.last) < ($1.change.episode, $1.last) }
        }
        return (sorted(last.going.values), sorted(last.over.values))
    }
}

extension OutstandingAlarms.Episode {
    init(_ change: AlarmLogEntry.Change, _ entry: AlarmLogEntry) {
        self.init(run: entry.run, change: change, start: entry.moment, last: entry.moment)
    }

    /// Takes the newest entry about it over.
    mutating func handle(_ newest: AlarmLogEntry.Change, _ entry: AlarmLogEntry) {
        let earlier = change
        change = newest
        change.sinceWallMilliseconds = min(earlier.sinceWallMilliseconds, newest.sinceWallMilliseconds)
        keepPeak(of: earlier)
        (run, last) = (entry.run, entry.moment)
    }
}
