import Base
import Vitals

/// A fever, as evaluated by the fever rules.
public struct FeverEpisode: Hashable, Sendable {
    /// When the condition was first met, in milliseconds since 1970 (UTC).
    public var start: Int64
    public var ending: Ending
    /// The highest temperature; `nil` if it is not in the log.
    public var highest: VitalValue?

    /// The end of a fever.
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

    /// The last known time of the fever, in milliseconds since 1970 (UTC); `nil` while it is open.
    public var end: Int64? {
        switch ending {
        case .ended(let time), .interrupted(let time): time
        case .open: nil
        }
    }

    /// The fevers of an alarm log, the oldest first; overlapping ones are merged.
    ///
    /// A typed fever follows the present state of its entries: it began when the first one was measured, not when it was
    /// typed; retracted values do not count; without a valid entry there was no fever.
    ///
    /// - Parameters:
    ///   - log: The entries in the order of time.
    ///   - temperatures: All entered body temperatures, including retracted ones.
    public static func all(in log: [AlarmLogEntry], entered temperatures: [RecordEntry]) -> [FeverEpisode] {
        var episodes: [(key: Key, fever: FeverEpisode, limit: VitalValue?, isEntered: Bool)] = []
        let sensors = Set(temperatures.map(\.sensor.address))
        for entry in log {
            switch entry.content {
            case .action(let action):
                // The fevers of the previous patient are not this one's.
                if action.name == .newPatient { episodes = [] }
            case .change(let change):
                guard change.kind?.isFever == true else { continue }
                let key = Key(run: entry.run, number: change.id)
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

    /// The fever by its entries that are still valid; `nil` if none is.
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
