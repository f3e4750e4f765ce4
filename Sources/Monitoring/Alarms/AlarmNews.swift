/// What has changed on the alarm board since the signals were last worked out from it.
struct AlarmNews: Codable, Hashable, Sendable {
    /// Whether anything has.
    private(set) var isChanged = false
    /// The alarms that have become active, or worse: new causes.
    private(set) var fresh: [Alarm.ID] = []
    /// The alarms that call for attention again, without being new.
    private(set) var awakened: [Alarm.ID] = []

    /// Takes note of a change.
    mutating func change() { isChanged = true }

    /// Takes note of a new cause.
    mutating func begin(_ alarm: Alarm.ID) { fresh.append(alarm) }

    /// Takes note of alarms that call again.
    mutating func awaken(_ alarms: [Alarm.ID]) { awakened += alarms }

    /// What there was; there is nothing new afterwards.
    mutating func take() -> AlarmNews {
        defer { self = AlarmNews() }
        return self
    }
}
