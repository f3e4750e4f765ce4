import Monitoring
import Vitals

extension WatchEncoder {
    /// Writes the line of an alarm that entered a state.
    mutating func write(_ alarm: Alarm, _ moment: Moment) {
        begin("alarm", moment, alarm.sensor)
        number("id", alarm.id)
        text("kind", alarm.kind.rawValue)
        text("class", alarm.alarmClass.rawValue)
        text("priority", alarm.priority.rawValue)
        text("state", alarm.state.rawValue)
        text("vital", alarm.vital?.rawValue)
        value("value", alarm.value)
        value("limit", alarm.limit)
        text("text", alarm.text)
        flag("latched", alarm.isLatched)
        // The other states imply it.
        flag("acknowledged", alarm.state == .suspended && alarm.acknowledgedAt != nil)
        end()
    }

    /// Writes the line of an answer to alarms.
    mutating func write(_ record: ActionRecord) {
        begin("action", record.moment, nil)
        text("action", record.kind.word)
        text("by", record.actor.rawValue)
        text("text", record.kind.text)
        end()
    }

    /// Writes the line of an entry of the alarm log, as in `bedside alarms --json`.
    ///
    /// It has the fields of ``write(_:)-(Effect)`` and some more: the run of the program, within which the numbers of
    /// alarms are unique, the site, the worst value, and when the condition was first met.
    public mutating func write(_ entry: AlarmLogEntry) {
        begin(entry)
        end()
    }

    /// Writes the object of an entry of the alarm log, without its end.
    package mutating func begin(_ entry: AlarmLogEntry) {
        switch entry.content {
        case .change(let change): begin(change, entry)
        case .action(let action): begin(action, entry)
        }
    }

    private mutating func begin(_ change: AlarmLogEntry.Change, _ entry: AlarmLogEntry) {
        begin("alarm", entry.moment, change.sensor)
        number("run", Int(clamping: entry.run))
        number("id", change.episode)
        text("kind", change.kind.rawValue)
        text("class", change.kind.alarmClass.rawValue)
        text("priority", change.priority.rawValue)
        text("state", change.state.rawValue)
        text("vital", change.vital?.rawValue)
        text("site", change.site?.rawValue)
        value("value", change.value)
        value("peak", change.peak)
        value("limit", change.limit)
        wallTime("since", milliseconds: change.sinceWallMilliseconds)
        text("text", change.text)
    }

    private mutating func begin(_ action: AlarmLogEntry.Action, _ entry: AlarmLogEntry) {
        begin("action", entry.moment, nil)
        number("run", Int(clamping: entry.run))
        text("action", action.word)
        text("by", action.actor.rawValue)
        text("text", action.text)
        if !action.episodes.isEmpty {
            json.key("alarms")
            json.beginArray()
            for episode in action.episodes { json.integer(episode) }
            json.endArray()
        }
        if let until = action.untilWallMilliseconds { wallTime("until", milliseconds: until) }
    }

    package mutating func value(_ key: String, _ value: VitalValue?) {
        guard let value else { return }
        json.key(key)
        json.hundredths(value.hundredths)
    }
}
