import Vitals

/// What the reducer wants told to the readers of the stream, beyond the event itself.
public enum Effect: Hashable, Sendable {
    /// An alarm entered the state (or priority) that it is shown in; for `bedside watch`, the log, notifications, hooks.
    case alarm(Alarm, Moment)
    /// An alarm that nobody has acknowledged alerts again; notifications and hooks are due once more.
    case alarmAgain(Alarm, Moment)
    /// An alarm that had ended, and was shown until somebody acknowledged it, is shown no more.
    case latchReset(Alarm, Moment)
    /// An alarm of an earlier run is shown, because it is over, or its end is unknown, and nobody has acknowledged it.
    case unanswered(Alarm, Moment)
    /// A vital lost its measurement without the sensor saying so: silence, or a lost link.
    case reading(Reading)
    /// A burst of sound of this priority begins now.
    case soundBurst(AlarmPriority, Moment)
    /// A tone reminds of alarms whose sound is paused or off.
    case soundReminder(Moment)
    /// Something was typed by hand, or taken back (``ManualEntry/retractedAt``); for the store and `bedside watch`.
    case entry(ManualEntry)
    /// Somebody answered alarms or changed how they are judged, or such an answer ran out; for the log.
    case action(ActionRecord)
}

extension [Effect] {
    /// Appends effects; most of what happens has none, and costs next to nothing then.
    @inline(__always)
    static func += (effects: inout [Effect], others: [Effect]) {
        if others.isEmpty { return }
        if effects.isEmpty { effects = others } else { effects.append(contentsOf: others) }
    }

    /// Effects in the order in which they came about.
    @inline(__always)
    static func + (effects: [Effect], others: [Effect]) -> [Effect] {
        var all = effects
        all += others
        return all
    }
}
