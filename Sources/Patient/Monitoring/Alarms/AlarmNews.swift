/// The changes on the alarm board since the signals were last determined.
struct AlarmNews: Codable, Hashable, Sendable {
    /// Whether anything has.
    private(set) var isChanged = false
    /// The alarms that have become active, or worse: new causes.
    private(set) var fresh: [Alarm.ID] = []
    /// The alarms that need attention again without being new.
    private(set) var awakened: [Alarm.ID] = []

    /// Records a change.
    mutating func change() { isChanged = true }

    /// Records a new cause.
    mutating func begin(_ alarm: Alarm.ID) { fresh.append(alarm) }

    /// Records alarms that need attention again.
    mutating func awaken(_ alarms: [Alarm.ID]) { awakened += alarms }

    /// Returns and clears the changes.
    mutating func take() -> AlarmNews {
        defer { self = AlarmNews() }
        return self
    }
}
