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
