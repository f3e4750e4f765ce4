import Base
import Vitals

extension MonitorState {
    /// The minute of the local day.
    func minuteOfDay(_ moment: Moment) -> Int {
        let local = moment.wallMilliseconds.addingSaturated(Int64(timeZoneOffset) * 1000)
        let minutes = local / 60_000 % Int64(LimitProfile.minutesOfDay)
        // Before 1970 the remainder is negative; no monitor runs there.
        return Int(minutes < 0 ? minutes + Int64(LimitProfile.minutesOfDay) : minutes)
    }

    /// Selects the limits for the time of day and reports a change of profile.
    mutating func followTimeOfDay() -> [Effect] {
        guard !settings.profiles.isEmpty else { return [] }
        let chosen = settings.profiles.selected(minute: minuteOfDay(now))
        guard chosen != limitBook.profile else { return [] }
        let limits = chosen.map { settings.profiles[$0].limits } ?? settings.limits
        let refused = limitBook.hold(limits, profile: chosen)
        var effects = report(.profileChanged(chosen.map { settings.profiles[$0].name }), by: .program)
        effects += reportTakenBack(refused)
        return effects + evaluateAllValues()
    }

    /// Reports the user's changes that contradict the new limits.
    func reportTakenBack(_ refused: [LimitBook.Refusal]) -> [Effect] {
        var effects: [Effect] = []
        for change in refused.map(\.change) {
            let now = limitBook.current[change.vital]?[change.setting.name] ?? change.setting
            effects += report(.limitChanged(change.vital, from: change.setting, to: now), by: .program)
        }
        return effects
    }

    /// When the time of day next selects other limits; `nil` for never.
    var profileDeadline: MonotonicTime? {
        guard !settings.profiles.isEmpty else { return nil }
        let day = LimitProfile.minutesOfDay
        let minute = minuteOfDay(now)
        let bounds = settings.profiles.flatMap { [$0.start, $0.end] }.map { ($0 - minute - 1 + 2 * day) % day + 1 }
        let ahead = bounds.filter { settings.profiles.selected(minute: (minute + $0) % day) != limitBook.profile }.min()
        guard let ahead else { return nil }
        let into = (now.wallMilliseconds % 60_000 + 60_000) % 60_000
        let milliseconds = Int64(ahead) * 60_000 - into
        return now.monotonic.advanced(by: .milliseconds(milliseconds))
    }

    /// Applies a new offset of the local time from UTC in seconds: summer time begins or ends.
    ///
    /// - Returns: The effects, including those of the time that passed until then.
    public mutating func apply(timeZoneOffset: Int, at moment: Moment) -> [Effect] {
        self.timeZoneOffset = timeZoneOffset.clamped(to: -86_400...86_400)
        return apply(MonitorEvent(moment: moment, kind: .tick))
    }
}

/// Limits for a part of the day, such as the night.
public struct LimitProfile: Codable, Hashable, Sendable {
    /// Its name: "night".
    public var name: String
    /// The minute of the local day at which it begins, 0 to 1439.
    public var start: Int
    /// The minute of the local day at which it ends, 0 to 1439; before `start` if it continues past midnight, equal to
    /// it if it lasts the whole day.
    public var end: Int
    public var limits: MonitorSettings.Limits

    /// Creates a profile; the name is sanitized.
    public init(name: String, start: Int, end: Int, limits: MonitorSettings.Limits) {
        self.name = sanitized(name, limit: 32)
        self.start = start
        self.end = end
        self.limits = limits
    }

    /// The number of minutes in a day.
    public static let minutesOfDay = 1440

    /// Whether it applies at a minute of the local day.
    public func contains(minute: Int) -> Bool {
        if start == end { return true }
        return start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    }
}

extension [LimitProfile] {
    /// The index of the first profile that applies at a minute of the local day; `nil` for the ordinary limits.
    public func selected(minute: Int) -> Int? {
        firstIndex { $0.contains(minute: minute) }
    }
}
