import Vitals

/// Whatever changes the state, with its moment: the same inputs in the same order make the same state anywhere.
///
/// So a second program that was given the state once, and each input after that, knows all that the first one knows.
public enum MonitorInput: Codable, Hashable, Sendable {
    /// Something happened.
    case event(MonitorEvent)
    /// The user did something.
    case action(UserAction, at: Moment)
    /// It changed whether the store can be written.
    case storage(StorageState, at: Moment)
    /// The local time's distance from UTC, in seconds, is another one.
    case timeZoneOffset(Int, at: Moment)
    /// Other settings hold; `name` and `value` are those of the setting that was changed, where the log is to know.
    case settings(MonitorSettings, name: String?, value: String?, at: Moment)
    /// What an earlier run has kept holds again.
    case memory(MonitorMemory, at: Moment)
    /// What earlier runs have left in the store of alarms and fevers goes on; alarms are numbered from there.
    case earlierRun(EarlierRun, at: Moment)
    /// What was typed by hand in earlier runs is known again.
    case manualEntries([ManualEntry], at: Moment)

    /// When.
    public var moment: Moment {
        switch self {
        case .event(let event): event.moment
        case .action(_, let moment), .storage(_, let moment), .timeZoneOffset(_, let moment),
            .settings(_, _, _, let moment), .memory(_, let moment),
            .manualEntries(_, let moment), .earlierRun(_, let moment):
            moment
        }
    }
}

extension MonitorState {
    /// Folds an input in.
    ///
    /// - Returns: What it, and the time that passed until it, brought about.
    public mutating func apply(_ input: MonitorInput) -> [Effect] {
        switch input {
        case .event(let event): apply(event)
        case .action(let action, let moment): apply(action, at: moment)
        case .storage(let storage, let moment): apply(storage, at: moment)
        case .timeZoneOffset(let offset, let moment): apply(timeZoneOffset: offset, at: moment)
        case .settings(let settings, let name, let value, let moment):
            apply(settings: settings, change: name.map { ($0, value ?? "") }, at: moment)
        case .memory(let memory, let moment): resume(memory, at: moment)
        case .earlierRun(let earlier, let moment): resume(earlier, at: moment)
        case .manualEntries(let entries, let moment): restore(entries, at: moment)
        }
    }
}
