import Monitoring
import Recording
import WardMessages

extension WardHistoryBatch.Row {
    /// The numbers of each kind of row within a millisecond, so that no two rows share a key.
    private static let numbersOfKind: Int64 = 1 << 40

    private static func firstNumber(of content: RecordedContent) -> Int64 {
        switch content {
        case .reading: 0
        case .rrIntervals: numbersOfKind
        case .alarmLog: 2 * numbersOfKind
        case .entry: 3 * numbersOfKind
        }
    }

    /// A recorded row as it is sent, without texts that stay at the bed; `nil` for a note.
    init?(_ row: RecordedBatch.Row, of store: WardToken) {
        var content = row.content
        switch content {
        case .reading, .rrIntervals: break
        case .alarmLog(var entry):
            if case .action(let action) = entry.content { entry.content = .action(action.forOthers) }
            content = .alarmLog(entry)
        case .entry(let entry, let patient):
            guard let published = entry.published else { return nil }
            content = .entry(published, patient: patient)
        }
        let number = row.number + Self.firstNumber(of: content)
        let key = WardHistoryKey(store: store, wallMilliseconds: content.moment.wallMilliseconds, number: number)
        self.init(key: key, content, run: row.run)
    }

    /// The row as a collector stores it; `nil` if its key does not match its kind and time.
    var recorded: RecordedBatch.Row? {
        let number = key.number - Self.firstNumber(of: content)
        guard (0..<Self.numbersOfKind).contains(number), key.wallMilliseconds == content.moment.wallMilliseconds else {
            return nil
        }
        return RecordedBatch.Row(content, run: run, number: number)
    }
}

extension AlarmLogEntry {
    /// The entry without the words that somebody has typed: a note, a name, a setting, a count.
    ///
    /// Only what ``ownSentences`` names keeps its sentence, so that an action that is added later tells nothing before
    /// somebody has decided that it may.
    fileprivate var withoutEnteredText: AlarmLogEntry {
        guard case .action(var action) = content, !Self.ownSentences.contains(action.word) else { return self }
        action.text = Self.generalSentences[action.word] ?? "something done at the bed"
        var entry = self
        entry.content = .action(action)
        return entry
    }

    /// The actions whose sentence holds no words but the program's own and the name of a sensor, which each reading has.
    private static let ownSentences: Set = [
        "acknowledged", "cleared", "audio_paused", "audio_pause_ended", "snoozed", "snooze_ended", "care_paused",
        "care_pause_ended", "limit_changed", "limit_refused", "limits_reset", "disconnected", "forgotten",
        "pairing_started", "new_patient", "restarted", "other_user", "several_users",
    ]

    /// What is said instead of the sentence of other actions.
    private static let generalSentences = [
        "entered": "entered by hand", ActionRecord.Kind.retractionWord: "an entry taken back as a mistake",
        "neutrophils_entered": "a neutrophil count entered, or taken back", "setting_changed": "a setting changed",
        "answered_from_ward": "an alarm answered from the ward", "profile_changed": "other limits apply",
        "adapter_chosen": "another adapter chosen", "resumed": "still in force what was before the restart",
    ]
}
