import Monitoring
import Recording
import WardMessages

extension WardHistoryBatch.Row {
    /// How many numbers each kind of row has within a millisecond, so that no two rows have one key.
    private static let numbersOfKind: Int64 = 1 << 40

    private static func firstNumber(of content: RecordedContent) -> Int64 {
        switch content {
        case .reading: 0
        case .rrIntervals: numbersOfKind
        case .alarmLog: 2 * numbersOfKind
        case .entry: 3 * numbersOfKind
        }
    }

    /// A recorded row as it is sent, without words that stay at the bed; `nil` for a note.
    init?(_ row: RecordedBatch.Row, of store: WardToken) {
        var content = row.content
        switch content {
        case .reading, .rrIntervals: break
        case .alarmLog(let entry): content = .alarmLog(entry.withoutEnteredText)
        case .entry(let entry, let patient):
            guard let published = entry.published else { return nil }
            content = .entry(published, patient: patient)
        }
        let number = row.number + Self.firstNumber(of: content)
        let key = WardHistoryKey(store: store, wallMilliseconds: content.moment.wallMilliseconds, number: number)
        self.init(key: key, content, run: row.run)
    }

    /// The row as a collector stores it; `nil` where its key is none of its kind and time.
    var recorded: RecordedBatch.Row? {
        let number = key.number - Self.firstNumber(of: content)
        guard (0..<Self.numbersOfKind).contains(number), key.wallMilliseconds == content.moment.wallMilliseconds else {
            return nil
        }
        return RecordedBatch.Row(content, run: run, number: number)
    }
}

extension AlarmLogEntry {
    /// The entry without the words that somebody has typed: a note, a name in a setting.
    fileprivate var withoutEnteredText: AlarmLogEntry {
        guard case .action(var action) = content else { return self }
        switch action.word {
        case "entered": action.text = "entered by hand"
        case ActionRecord.Kind.retractionWord: action.text = "an entry taken back as a mistake"
        case "neutrophils_entered": action.text = "a neutrophil count entered, or taken back"
        case "setting_changed": action.text = "a setting changed"
        default: return self
        }
        var entry = self
        entry.content = .action(action)
        return entry
    }
}
