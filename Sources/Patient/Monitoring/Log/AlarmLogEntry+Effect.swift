import Vitals

extension AlarmLogEntry {
    /// The log entry of an effect; `nil` for effects that are not logged.
    ///
    /// A pending alarm is not logged; when it becomes active, the entry contains its beginning.
    public init?(_ effect: Effect) {
        switch effect {
        case .alarm(let alarm, let moment):
            let state: State
            switch alarm.state {
            case .pending: return nil
            case .active: state = .active
            case .suspended: state = .suspended
            case .acknowledged: state = .acknowledged
            case .ended:
                // An episode that ends while pending was never an alarm.
                guard alarm.activeSince != nil else { return nil }
                state = .ended
            }
            self.init(moment: moment, content: .change(Change(AlarmReport(alarm), state)))
        case .alarmAgain(let alarm, let moment):
            self.init(moment: moment, content: .change(Change(AlarmReport(alarm), .alertedAgain)))
        case .latchReset(let alarm, let moment):
            self.init(moment: moment, content: .change(Change(AlarmReport(alarm), .putAway)))
        case .unanswered(let alarm, let moment):
            self.init(moment: moment, content: .change(Change(AlarmReport(alarm), .unanswered)))
        case .action(let record):
            self.init(moment: record.moment, content: .action(Action(record)))
        case .reading, .entry, .soundBurst, .soundReminder: return nil
        }
    }
}

extension AlarmLogEntry.Action {
    /// An action as it was recorded.
    init(_ record: ActionRecord) {
        self.init(
            actor: record.actor, word: record.kind.word, text: record.kind.text, episodes: record.kind.episodes,
            untilWallMilliseconds: record.kind.until?.wallMilliseconds)
    }
}

extension ActionRecord.Kind {
    /// The episodes concerned.
    var episodes: [Alarm.ID] {
        switch self {
        case .acknowledged(let alarms): alarms
        case .cleared(let alarm, _), .answeredFromWard(let alarm, _), .audioPauseEnded(by: let alarm?): [alarm]
        default: []
        }
    }

    /// When the action expires.
    var until: Moment? {
        switch self {
        case .audioPaused(let until), .snoozed(_, let until), .carePaused(_, let until): until
        default: nil
        }
    }
}
