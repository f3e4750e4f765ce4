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
    /// The local time's offset from UTC, in seconds, changed.
    case timeZoneOffset(Int, at: Moment)
    /// The settings changed; `name` and `value` describe the changed setting for the log.
    indirect case settings(MonitorSettings, name: String?, value: String?, at: Moment)
    /// The stored changes of an earlier run apply again.
    indirect case memory(MonitorMemory, at: Moment)
    /// Alarms and fevers of earlier runs resume from the store; alarm numbers continue from there.
    indirect case earlierRun(EarlierRun, at: Moment)
    /// The manual entries of earlier runs are restored.
    case recordEntries([RecordEntry], at: Moment)

    public var moment: Moment {
        switch self {
        case .event(let event): event.moment
        case .wish(_, let moment), .recorded(_, let moment), .storage(_, let moment), .soundOutput(_, let moment),
            .ward(_, let moment), .timeZoneOffset(_, let moment),
            .settings(_, _, _, let moment), .memory(_, let moment), .recordEntries(_, let moment),
            .earlierRun(_, let moment):
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
        case .timeZoneOffset(let offset, let moment): apply(timeZoneOffset: offset, at: moment)
        case .settings(let settings, let name, let value, let moment):
            apply(settings: settings, change: name.map { ($0, value ?? "") }, at: moment)
        case .memory(let memory, let moment): resume(memory, at: moment)
        case .earlierRun(let earlier, let moment): resume(earlier, at: moment)
        case .recordEntries(let entries, let moment): restore(entries, at: moment)
        }
    }
}
