import Vitals

/// A report of the reducer to the readers of the stream, in addition to the event itself.
public enum Effect: Hashable, Sendable {
    /// An alarm entered a shown state (or priority); for `bedside watch`, the log, notifications and hooks.
    case alarm(Alarm, Moment)
    /// An unacknowledged alarm alerts again; notifications and hooks are due once more.
    case alarmAgain(Alarm, Moment)
    /// An ended alarm that was shown until it was acknowledged is no longer shown.
    case latchReset(Alarm, Moment)
    /// An unacknowledged alarm of an earlier run is shown, because it has ended or its end is unknown.
    case unanswered(Alarm, Moment)
    /// A vital lost its measurement without a report of the sensor: silence, or a lost link.
    case reading(Reading)
    /// A burst of sound of this priority begins now.
    case soundBurst(AlarmPriority, Moment)
    /// A tone reminds of alarms whose sound is paused or off.
    case soundReminder(Moment)
    /// An entry was typed, or retracted (`retractedAt`); for the store and `bedside watch`.
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
