import Base
import Vitals

/// The episodes of the alarms about the patient, for the trends: their beginnings and ends from the log.
///
/// Built from the log, entry by entry, and bounded like it.
public struct AlarmEpisodes: Hashable, Sendable {
    /// The number of episodes kept for each vital, the newest.
    static let limit = 500

    public struct Episode: Hashable, Sendable {
        /// The run of the program in which it began; 0 for the present one.
        public let run: Int64
        /// Its number within the run.
        public let number: Alarm.ID
        /// Its highest priority.
        public internal(set) var priority: AlarmPriority
        /// When it became an alarm.
        public let start: Moment
        /// When it ended; `nil` while it continues, or if the run ended before.
        public internal(set) var end: Moment?
    }

    private var episodes: [[Episode]] = Array(repeating: [], count: Vital.allCases.count)
    /// The last wall-clock time at which each earlier run is known to have been running.
    private var lastSeen: [Int64: Int64] = [:]

    /// Adds an entry of the log; entries come in the order of time.
    mutating func add(_ entry: AlarmLogEntry) {
        if entry.run != 0 { lastSeen[entry.run] = entry.moment.wallMilliseconds }
        switch entry.content {
        // Episodes of the previous patient do not belong to this one's trends.
        case .action(let action) where action.name == .newPatient: self = AlarmEpisodes()
        case .action: break
        case .change(let change):
            guard change.alarmClass == .physiological, let vital = change.vital else { return }
            add(change, of: vital, entry)
        }
    }

    private mutating func add(_ change: AlarmLogEntry.Change, of vital: Vital, _ entry: AlarmLogEntry) {
        // An ongoing episode is among the newest; of several with the same number, the newest is meant.
        let index = episodes[vital.index].lastIndex { $0.number == change.id && $0.run == entry.run }
        guard let index else {
            guard ![.ended, .putAway, .unanswered].contains(change.state) else { return }
            if episodes[vital.index].count >= Self.limit * 2 {
                episodes[vital.index].removeFirst(Self.limit)
            }
            episodes[vital.index].append(
                Episode(run: entry.run, number: change.id, priority: change.priority, start: entry.moment))
            return
        }
        episodes[vital.index][index].priority = max(episodes[vital.index][index].priority, change.priority)
        if change.state == .ended { episodes[vital.index][index].end = entry.moment }
    }

    /// The episodes of a vital, the oldest first.
    public func of(_ vital: Vital) -> [Episode] { episodes[vital.index] }

    /// A period with an alarm.
    public struct Stretch: Hashable, Sendable {
        /// When it began, by the present monotonic clock.
        public var start: MonotonicTime
        /// When it ended, by the present monotonic clock.
        public var end: MonotonicTime
        /// How soon a response was needed.
        public var priority: AlarmPriority
    }

    /// The alarms about a vital between two moments, by the present monotonic clock.
    ///
    /// Times of earlier runs are converted by the wall clock. An episode without an end in the log lasts until now, or
    /// until the last known time of its run.
    public func stretches(of vital: Vital, from: Moment, to: Moment, now: Moment) -> [Stretch] {
        episodes[vital.index].compactMap { episode in
            let start = present(episode.start, run: episode.run, now: now)
            let end =
                episode.end.map { present($0, run: episode.run, now: now) }
                ?? (episode.run == 0
                    ? now.monotonic
                    : lastSeen[episode.run].map { present(wallMilliseconds: $0, now: now) } ?? start)
            guard start < to.monotonic, end >= from.monotonic else { return nil }
            return Stretch(start: start, end: max(start, end), priority: episode.priority)
        }
    }

    private func present(_ moment: Moment, run: Int64, now: Moment) -> MonotonicTime {
        run == 0 ? moment.monotonic : present(wallMilliseconds: moment.wallMilliseconds, now: now)
    }

    private func present(wallMilliseconds: Int64, now: Moment) -> MonotonicTime {
        let ahead = wallMilliseconds.subtractingSaturated(now.wallMilliseconds)
        return now.monotonic.advanced(byNanoseconds: ahead.multipliedSaturated(by: 1_000_000))
    }
}
