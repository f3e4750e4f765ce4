import Vitals

/// What the reducer reports to the readers of the stream, in addition to the event itself.
public enum Effect: Hashable, Sendable {
    /// An alarm entered the state (or priority) that is shown; for `bedside watch`, the log, notifications and hooks.
    case alarm(Alarm, Moment)
    /// An alarm that nobody has acknowledged alerts again; notifications and hooks are due once more.
    case alarmAgain(Alarm, Moment)
    /// An alarm that had ended, and was shown until somebody acknowledged it, is no longer shown.
    case latchReset(Alarm, Moment)
    /// An alarm of an earlier run is shown, because it is over, or its end is unknown, and nobody has acknowledged it.
    case unanswered(Alarm, Moment)
    /// A vital lost its measurement without the sensor saying so: silence, or a lost link.
    case reading(Reading)
    /// A burst of sound of this priority begins now.
    case soundBurst(AlarmPriority, Moment)
    /// A tone reminds of alarms whose sound is paused or off.
    case soundReminder(Moment)
    /// Something was typed by hand, or taken back (`retractedAt`); for the store and `bedside watch`.
    indirect case entry(RecordEntry)
    /// A user answered alarms or changed their rules, or such an answer expired; for the log.
    case action(ActionRecord)
}

extension [Effect] {
    /// Appends effects; most events have none, and appending nothing is cheap.
    @inline(__always)
    static func += (effects: inout [Effect], others: [Effect]) {
        if others.isEmpty { return }
        if effects.isEmpty { effects = others } else { effects.append(contentsOf: others) }
    }

    /// Effects in the order in which they occurred.
    @inline(__always)
    static func + (effects: [Effect], others: [Effect]) -> [Effect] {
        var all = effects
        all += others
        return all
    }
}
