import Base
import Vitals

/// The alarms about the patient that earlier runs left in the log: those active when the program ended, and ended,
/// unanswered ones.
///
/// Entries are added one by one, the oldest first; the size is bounded by the number of conditions, not by the log.
/// Technical alarms are omitted, because their conditions are detected again.
public struct OutstandingAlarms: Codable, Hashable, Sendable {
    /// The ongoing episodes, by the log.
    private(set) var going: [Condition: Episode] = [:]
    /// The ended, unanswered episodes; several of one condition are merged.
    private(set) var over: [Condition: Episode] = [:]
    /// When a user last declared a fever over.
    private(set) var cleared: [Condition: Moment] = [:]
    /// The greatest alarm number so far.
    public var lastAlarm: Alarm.ID = 0
    /// The episode that ended with the newest entry; the next entry may report that the user declared it over.
    private var ended: Episode?
    /// When a manual entry was last retracted: alarms that end then were raised by a mistake.
    private var lastRetraction: Moment?

    public init() {}

    /// Creates the state after a log.
    ///
    /// - Parameter entries: The oldest first.
    public init(_ entries: some Sequence<AlarmLogEntry>) {
        for entry in entries { add(entry) }
    }

    public var isEmpty: Bool { going.isEmpty && over.isEmpty && ended == nil && cleared.isEmpty }

    /// Identifies a condition across runs of the program.
    struct Condition: Codable, Hashable, Sendable {
        var kind: AlarmKind
        var vital: Vital?
        var source: Source

        /// - Returns: `nil` for a condition that another version has named.
        init?(_ change: AlarmLogEntry.Change) {
            guard let kind = change.kind else { return nil }
            (self.kind, vital) = (kind, change.vital)
            source = change.isOfEntry ? .manual : change.sensor.map { .sensor(address: $0.address) } ?? .computer
        }

        /// The source of a condition, in any run.
        enum Source: Codable, Hashable, Sendable {
            case sensor(address: String), manual, computer
        }
    }

    /// An episode from the log.
    struct Episode: Codable, Hashable, Sendable {
        /// What it is an episode of.
        let condition: Condition
        /// The run that its number belongs to.
        var run: Int64
        /// Its newest entry, with the worst peak of all.
        var change: AlarmLogEntry.Change
        /// When it became an alarm.
        var start: Moment
        /// The newest entry about it.
        var last: Moment
        var acknowledgedAt: Moment?
        /// When the program ended before the episode did.
        var interruptedAt: Moment?
        /// When it ended, unless it was interrupted.
        var endedAt: Moment?
        /// The number of episodes it represents.
        var count = 1

        /// Whether it is shown after its end until it is acknowledged.
        var isKept: Bool { change.priority == .high && acknowledgedAt == nil }

        /// The last moment at which it is known to have been active.
        var knownUntil: Moment { endedAt ?? interruptedAt ?? last }

        /// Merges an earlier episode of the same condition.
        mutating func join(_ older: Episode) {
            start = min(older.start, start)
            change.sinceWallMilliseconds = min(older.change.sinceWallMilliseconds, change.sinceWallMilliseconds)
            keepPeak(of: older.change)
        }

        mutating func keepPeak(of other: AlarmLogEntry.Change) {
            guard let peak = other.peak else { return }
            change.peak = condition.kind.worse(of: peak, change.peak)
        }
    }

    // MARK: Folding

    /// Adds an entry; entries come in the order in which they were written.
    public mutating func add(_ entry: AlarmLogEntry) {
        switch entry.content {
        case .action(let action): add(action, entry)
        case .change(let change):
            lastAlarm = max(lastAlarm, change.id)
            settleEnd()
            if change.alarmClass == .physiological { add(change, entry) }
        }
    }

    private mutating func add(_ action: AlarmLogEntry.Action, _ entry: AlarmLogEntry) {
        func isMeant(_ episode: Episode) -> Bool {
            episode.run == entry.run && action.episodes.contains(episode.change.id)
        }
        switch action.name {
        case .newPatient:
            let newest = lastAlarm
            self = OutstandingAlarms()
            lastAlarm = newest
        case .acknowledged:
            settleEnd()
            over = over.filter { !isMeant($0.value) }
            for (condition, episode) in going where isMeant(episode) && episode.acknowledgedAt == nil {
                going[condition]?.acknowledgedAt = entry.moment
            }
        case .cleared:
            if let ended, isMeant(ended) {
                if ended.condition.kind.isFever { cleared[ended.condition] = entry.moment }
                self.ended = nil
            }
            settleEnd()
        case .retracted:
            settleEnd()
            lastRetraction = entry.moment
        default: settleEnd()
        }
    }

    private mutating func add(_ change: AlarmLogEntry.Change, _ entry: AlarmLogEntry) {
        guard let condition = Condition(change) else { return }
        switch change.state {
        case .active, .acknowledged, .suspended, .alertedAgain: isOngoing(condition, change, entry)
        case .interrupted:
            guard var episode = going[condition], episode.run == entry.run else { return }
            episode.interruptedAt = episode.interruptedAt ?? entry.moment
            going[condition] = episode
        case .ended:
            guard var episode = going.removeValue(forKey: condition) else { return }
            let isMistake = change.isOfEntry && lastRetraction == entry.moment
            episode.handle(change, entry)
            episode.endedAt = entry.moment
            episode.interruptedAt = nil
            // Also one that does not latch, because the next entry may say that a fever was declared over.
            ended = isMistake ? nil : episode
        case .unanswered:
            if let interrupted = going.removeValue(forKey: condition) { keep(interrupted, of: condition) }
            var episode = over[condition] ?? Episode(condition, change, entry)
            // It has a number of this run from now on.
            (episode.run, episode.change.id) = (entry.run, change.id)
            over[condition] = episode
        case .putAway: over[condition] = nil
        }
    }

    private mutating func isOngoing(_ condition: Condition, _ change: AlarmLogEntry.Change, _ entry: AlarmLogEntry) {
        guard var episode = going[condition] else {
            var episode = Episode(condition, change, entry)
            if change.state == .acknowledged { episode.acknowledgedAt = entry.moment }
            going[condition] = episode
            return
        }
        if episode.run != entry.run, episode.change.id != change.id {
            // Another episode, which was not merged with it.
            keep(episode, of: condition)
            going[condition] = nil
            return isOngoing(condition, change, entry)
        }
        let isWorse = change.priority > episode.change.priority
        episode.handle(change, entry)
        episode.interruptedAt = nil
        switch change.state {
        case .acknowledged: episode.acknowledgedAt = episode.acknowledgedAt ?? entry.moment
        // A suspended entry does not contain whether it is acknowledged; a higher priority must be acknowledged again.
        case .suspended: if isWorse { episode.acknowledgedAt = nil }
        default: episode.acknowledgedAt = nil
        }
        going[condition] = episode
    }

    /// Settles the episode that ended with the entry before.
    private mutating func settleEnd() {
        guard let episode = ended else { return }
        ended = nil
        keep(episode, of: episode.condition)
    }

    /// Keeps an ended episode if it latches.
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

    /// Values between two moments, which complete the log: it has a value only where the state of an alarm changed.
    public struct ValueRange: Sendable {
        /// The extremes.
        public var lowest, highest: VitalValue
        public var newest: VitalValue

        public init(lowest: VitalValue, highest: VitalValue, newest: VitalValue) {
            (self.lowest, self.highest, self.newest) = (lowest, highest, newest)
        }
    }

    /// Completes the episodes active at the end of the program by the recorded values.
    ///
    /// - Parameter values: Finds the values of a sensor's vital from a wall time on, in milliseconds since 1970 (UTC);
    ///   `nil` without values.
    public mutating func complete<Failure>(
        by values: (SensorIdentity, Vital, Int64) throws(Failure) -> ValueRange?
    ) throws(Failure) {
        for (condition, episode) in going {
            // For an alarm about a change, the value alone means nothing.
            guard let sensor = episode.change.sensor, let vital = condition.vital, condition.source != .manual,
                condition.kind != .fall, condition.kind != .rise,
                let range = try values(sensor, vital, episode.change.sinceWallMilliseconds)
            else { continue }
            let worst = condition.kind.isWorseWhenLower ? range.lowest : range.highest
            going[condition]?.change.value = range.newest
            going[condition]?.change.peak = condition.kind.worse(of: worst, episode.change.peak)
        }
    }

    /// The episodes that may still continue, and those that have ended or are too old; each in the order of the numbers.
    ///
    /// - Parameter isRecent: Whether an episode may still continue.
    func remaining(_ isRecent: (Episode) -> Bool) -> (going: [Episode], over: [Episode]) {
        var last = self
        last.settleEnd()
        for (condition, episode) in last.going where !isRecent(episode) {
            last.going[condition] = nil
            last.keep(episode, of: condition)
        }
        func sorted(_ episodes: Dictionary<Condition, Episode>.Values) -> [Episode] {
            episodes.sorted { ($0.change.id, $0.last) < ($1.change.id, $1.last) }
        }
        return (sorted(last.going.values), sorted(last.over.values))
    }
}

extension OutstandingAlarms.Episode {
    init(_ condition: OutstandingAlarms.Condition, _ change: AlarmLogEntry.Change, _ entry: AlarmLogEntry) {
        self.init(condition: condition, run: entry.run, change: change, start: entry.moment, last: entry.moment)
    }

    /// Takes over the newest entry about it.
    mutating func handle(_ newest: AlarmLogEntry.Change, _ entry: AlarmLogEntry) {
        let earlier = change
        change = newest
        change.sinceWallMilliseconds = min(earlier.sinceWallMilliseconds, newest.sinceWallMilliseconds)
        keepPeak(of: earlier)
        (run, last) = (entry.run, entry.moment)
    }
}
