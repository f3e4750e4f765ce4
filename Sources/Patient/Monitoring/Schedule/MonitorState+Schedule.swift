import Base
import Vitals

extension MonitorState {
    /// The entry of the schedule in force; `nil` while none is.
    ///
    /// Everything that an entry can change follows from here: ``currentLimits``, ``soundPattern``, ``scheduledVolume``.
    public var scheduleEntry: ScheduleEntry? { scheduleSpan?.entry.map { settings.schedule[$0] } }

    /// When another entry comes into force, or none; `nil` for never.
    public var scheduleChange: (at: Moment, to: ScheduleEntry?)? {
        guard let end = scheduleSpan?.local.upperBound, let deadline = scheduleDeadline else { return nil }
        let wall = end.subtractingSaturated(Int64(timeZoneOffset) * 1000)
        let moment = Moment(monotonicNanoseconds: deadline.nanoseconds, wallMilliseconds: wall)
        return (moment, settings.schedule.inForce(atLocal: end).map { settings.schedule[$0] })
    }

    /// How often alarms sound now, and with which melody.
    public var soundPattern: SoundPattern {
        scheduleSpan?.entry.flatMap { settings.schedule[$0].pattern } ?? settings.alarmSignals.pattern
    }

    /// The volume in percent that the schedule sets now; `nil` for the usual one.
    public var scheduledVolume: Int? { scheduleSpan?.entry.flatMap { settings.schedule[$0].volume } }

    /// The local wall-clock time in milliseconds.
    private var localMilliseconds: Int64 { now.wallMilliseconds.addingSaturated(Int64(timeZoneOffset) * 1000) }

    /// Puts the entry of the present time into force, and reports a change.
    mutating func followSchedule() -> [Effect] {
        if settings.schedule.isEmpty { return [] }
        // Usually nothing has changed, and this is asked for each event. A clock that was set back leaves the span, too.
        if let scheduleSpan, scheduleSpan.local.contains(localMilliseconds) { return [] }
        let (former, formerPattern) = (scheduleSpan?.entry, soundPattern)
        let span = settings.schedule.span(atLocal: localMilliseconds)
        scheduleSpan = span
        guard span.entry != former else { return [] }
        return holdEntry(insteadOf: former.map { settings.schedule[$0].name }, formerPattern)
    }

    /// Applies changed settings of limits or of the schedule.
    mutating func followScheduleSettings(insteadOf former: String?, _ formerPattern: SoundPattern) -> [Effect] {
        scheduleSpan = settings.schedule.isEmpty ? nil : settings.schedule.span(atLocal: localMilliseconds)
        return holdEntry(insteadOf: former, formerPattern, isKept: true)
    }

    /// Applies limits and sounds of the entry in force, and judges every newest value by them.
    private mutating func holdEntry(
        insteadOf former: String?, _ formerPattern: SoundPattern, isKept: Bool = false
    ) -> [Effect] {
        let entry = scheduleEntry
        let refused = limitBook.hold(entry?.limits ?? settings.limits)
        if isKept { limitBook.forgetKept() }
        // A burst is neither repeated nor left out by the change: only the next ones follow the new interval.
        if soundPattern != formerPattern { sound.reschedule() }
        var effects: [Effect] = []
        if entry?.name != former { effects += report(.scheduleChanged(entry?.name), by: .program) }
        effects += reportTakenBack(refused)
        return effects + evaluateAllValues()
    }

    /// Reports the user's changes that contradict the new limits.
    private mutating func reportTakenBack(_ refused: [LimitBook.Refusal]) -> [Effect] {
        var effects: [Effect] = []
        for change in refused.map(\.change) {
            let now = limitBook.current[change.vital]?[change.setting.name] ?? change.setting
            effects += report(.limitChanged(change.vital, from: change.setting, to: now), by: .program)
        }
        return effects
    }

    /// When another entry comes into force; `nil` for never.
    var scheduleDeadline: MonotonicTime? {
        if settings.schedule.isEmpty { return nil }
        guard let end = scheduleSpan?.local.upperBound else { return now.monotonic }
        if end == .max { return nil }
        let ahead = max(0, end.subtractingSaturated(localMilliseconds))
        return now.monotonic.advanced(byNanoseconds: ahead.multipliedSaturated(by: 1_000_000))
    }

    /// Applies a new offset of the local time from UTC in seconds: summer time begins or ends.
    ///
    /// - Returns: The effects, including those of the time that passed until then.
    public mutating func apply(timeZoneOffset: Int, at moment: Moment) -> [Effect] {
        self.timeZoneOffset = timeZoneOffset.clamped(to: -86_400...86_400)
        return apply(MonitorEvent(moment: moment, kind: .tick))
    }
}
