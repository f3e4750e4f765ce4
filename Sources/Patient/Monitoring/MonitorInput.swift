import Vitals

/// An input that changes the state, with its moment: the same inputs in the same order give the same state.
///
/// So a second program that receives the state once, and each later input, has the same state as the first.
///
/// Large and rare cases are stored indirectly: an input is as large as its largest case, and is copied for each
/// reading.
public enum MonitorInput: Codable, Hashable, Sendable {
    /// An event.
    case event(MonitorEvent)
    /// A user's wish about alarms, limits or the record.
    case wish(PatientWish, at: Moment)
    /// A user's wish about a sensor that the log keeps, and whose consequences come as events.
    case recorded(ActionRecord.Kind, at: Moment)
    /// The state of the store changed.
    case storage(StorageState, at: Moment)
    /// The sound output of alarms changed.
    case soundOutput(SoundOutput, at: Moment)
    /// The visibility for a ward changed.
    indirect case ward(WardLink, at: Moment)
    /// Another screen reported whether it sounds the alarms of this monitor.
    indirect case listener(ListenerReport, at: Moment)
    /// Breathing was estimated from the waves of a strap.
    indirect case respiration(RespirationReport, at: Moment)
    /// The local time's offset from UTC, in seconds, changed.
    case timeZoneOffset(Int, at: Moment)
    /// The settings changed; `name` and `value` describe the changed setting for the log.
    indirect case settings(MonitorSettings, name: String?, value: String?, at: Moment)
    /// The stored changes of an earlier run apply again.
    indirect case memory(MonitorMemory, at: Moment)
    /// What earlier runs have left about the remembered sensors is known, by their addresses.
    case contacts([String: SensorContact], at: Moment)
    /// Alarms and fevers of earlier runs resume from the store; alarm numbers continue from there.
    indirect case earlierRun(EarlierRun, at: Moment)
    /// The manual entries of earlier runs are restored.
    case recordEntries([RecordEntry], at: Moment)
    /// What earlier runs have left about the persons of devices is restored, after the entries.
    indirect case deviceUsers(DeviceUsers, at: Moment)

    public var moment: Moment {
        switch self {
        case .event(let event): event.moment
        case .wish(_, let moment), .recorded(_, let moment), .storage(_, let moment), .soundOutput(_, let moment),
            .ward(_, let moment), .listener(_, let moment), .timeZoneOffset(_, let moment),
            .settings(_, _, _, let moment), .memory(_, let moment), .recordEntries(_, let moment),
            .contacts(_, let moment), .earlierRun(_, let moment), .deviceUsers(_, let moment),
            .respiration(_, let moment):
            moment
        }
    }
}

extension MonitorState {
    /// Applies an input.
    ///
    /// - Returns: The effects, including those of the time that passed until then.
    public mutating func apply(_ input: MonitorInput) -> [Effect] {
        switch input {
        case .event(let event): apply(event)
        case .wish(let wish, let moment): apply(wish, at: moment)
        case .recorded(let kind, let moment): record(kind, at: moment)
        case .storage(let storage, let moment): apply(storage, at: moment)
        case .soundOutput(let output, let moment): apply(output, at: moment)
        case .ward(let link, let moment): apply(link, at: moment)
        case .listener(let report, let moment): apply(report, at: moment)
        case .respiration(let report, let moment): apply(report, at: moment)
        case .timeZoneOffset(let offset, let moment): apply(timeZoneOffset: offset, at: moment)
        case .settings(let settings, let name, let value, let moment):
            apply(settings: settings, change: name.map { ($0, value ?? "") }, at: moment)
        case .memory(let memory, let moment): resume(memory, at: moment)
        case .contacts(let contacts, let moment): recall(contacts, at: moment)
        case .earlierRun(let earlier, let moment): resume(earlier, at: moment)
        case .recordEntries(let entries, let moment): restore(entries, at: moment)
        case .deviceUsers(let users, let moment): restore(users, at: moment)
        }
    }
}

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
    /// Something became known of the persons of devices; for the store.
    indirect case deviceUsers(DeviceUserChange, Moment)
    /// The calibrations of glucose sensors have changed; these are all that hold.
    indirect case calibrations([DatedCalibration])
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
