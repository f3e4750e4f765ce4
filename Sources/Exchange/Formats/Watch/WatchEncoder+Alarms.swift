import Monitoring
import Vitals

extension WatchEncoder {
    /// Writes the line of an alarm that entered a state.
    package mutating func write(_ alarm: AlarmReport, _ moment: Moment) {
        begin("alarm", moment, alarm.sensor)
        write(fieldsOf: alarm)
        end()
    }

    /// Writes the fields of an alarm, but for its sensor, into an object that has begun.
    package mutating func write(fieldsOf alarm: AlarmReport) {
        var alarm = alarm
        alarm.code(&self)
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
    /// The fields are those of ``write(_:)-(Effect)`` and the run of the program, within which the numbers of alarms are
    /// unique.
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
        var (report, state) = (change.report, change.state)
        report.code(&self, state: &state)
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
