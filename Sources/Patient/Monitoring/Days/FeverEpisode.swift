import Base
import Vitals

/// A time of fever, as the rules of fever judged it.
public struct FeverEpisode: Hashable, Sendable {
    /// When the condition was first met, in milliseconds since 1970 (UTC).
    public var start: Int64
    /// How it ended.
    public var ending: Ending
    /// The highest temperature; `nil` when the log does not know it.
    public var highest: VitalValue?

    /// How a fever ended.
    public enum Ending: Hashable, Sendable {
        /// It ended then, in milliseconds since 1970 (UTC).
        case ended(Int64)
        /// Monitoring ended then, before the fever did.
        case interrupted(Int64)
        /// No end is recorded.
        case open
    }

    public init(start: Int64, ending: Ending, highest: VitalValue?) {
        self.start = start
        self.ending = ending
        self.highest = highest
    }

    /// The last time at which it is known, in milliseconds since 1970 (UTC); `nil` while it is open.
    public var end: Int64? {
        switch ending {
        case .ended(let time), .interrupted(let time): time
        case .open: nil
        }
    }

    /// The fevers of an alarm log, the oldest first; those that overlap are one.
    ///
    /// A fever that was entered is what its entries say now: it began when the first one was measured, not when it was
    /// typed; its highest value is one that was not taken back; and one that was only a mistake was none.
    ///
    /// - Parameters:
    ///   - log: The entries in the order of time.
    ///   - temperatures: All body temperatures that were entered, those that were taken back, too.
    public static func all(in log: [AlarmLogEntry], entered temperatures: [RecordEntry]) -> [FeverEpisode] {
        var episodes: [(key: Key, fever: FeverEpisode, limit: VitalValue?, isEntered: Bool)] = []
        let sensors = Set(temperatures.map(\.sensor.address))
        for entry in log {
            switch entry.content {
            case .action(let action):
                // The fevers of the previous patient are not this one's.
                if action.word == ActionRecord.Kind.newPatient.word { episodes = [] }
            case .change(let change):
                guard change.kind.isFever else { continue }
                let key = Key(run: entry.run, number: change.episode)
                let isEntered =
                    change.sensor.map { $0.kind == .manual || sensors.contains($0.address) } ?? false
                if let place = episodes.lastIndex(where: { $0.key == key }) {
                    episodes[place].fever.add(change, at: entry.moment.wallMilliseconds)
                    episodes[place].limit = episodes[place].limit ?? change.limit
                    episodes[place].isEntered = episodes[place].isEntered && isEntered
                } else if ![.ended, .putAway, .unanswered, .interrupted].contains(change.state) {
                    episodes.append(
                        (
                            key,
                            FeverEpisode(
                                start: change.sinceWallMilliseconds, ending: .open,
                                highest: [change.peak, change.value].compactMap(\.self).max()),
                            change.limit, isEntered
                        ))
                }
            }
        }
        return joined(
            episodes.compactMap { $0.isEntered ? $0.fever.corrected(by: temperatures, above: $0.limit) : $0.fever })
    }

    /// The fever by those of its entries that still hold; `nil` where none does.
    private func corrected(by temperatures: [RecordEntry], above limit: VitalValue?) -> FeverEpisode? {
        let times = start...max(start, end ?? .max)
        let samples = temperatures.filter { entry in
            !entry.isRetracted
                && (times.contains(entry.enteredAt.wallMilliseconds) || times.contains(entry.taken.wallMilliseconds))
        }.compactMap { $0.sample(of: .bodyTemperature) }
        let crossing = samples.filter { sample in limit.map { sample.value >= $0 } ?? true }
        guard let first = crossing.map(\.moment.wallMilliseconds).min() else { return nil }
        var fever = self
        fever.start = min(first, end ?? first)
        fever.highest = crossing.map(\.value).max()
        return fever
    }

    private struct Key: Equatable {
        var run: Int64
        var number: Int
    }

    private mutating func add(_ change: AlarmLogEntry.Change, at wall: Int64) {
        highest = [highest, change.peak, change.value].compactMap(\.self).max()
        switch (change.state, ending) {
        case (.ended, .open): ending = .ended(wall)
        case (.interrupted, .open), (.unanswered, .open): ending = .interrupted(wall)
        default: break
        }
    }

    private static func joined(_ episodes: [FeverEpisode]) -> [FeverEpisode] {
        var joined: [FeverEpisode] = []
        for episode in episodes.sorted(by: { $0.start < $1.start }) {
            guard let last = joined.last, last.end.map({ episode.start <= $0 }) ?? true else {
                joined.append(episode)
                continue
            }
            let place = joined.count - 1
            joined[place].highest = [last.highest, episode.highest].compactMap(\.self).max()
            if let end = last.end, episode.end.map({ $0 > end }) ?? true { joined[place].ending = episode.ending }
        }
        return joined
    }
}
