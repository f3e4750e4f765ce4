import Vitals

extension RecordEntry {
    /// The entry without reasons and without the names of people and files, so that it may leave the bed; `nil` for a
    /// note.
    var published: RecordEntry? {
        guard let kind, kind.traits.group != .notes else { return nil }
        var content: Content? = content
        if absence == nil {
            content = kind.content(
                self.content.values(taken: taken.wallMilliseconds) { $0.role != .person })
        }
        guard let content else { return nil }
        var entry = RecordEntry(
            content, from: source, facts, taken: taken, enteredAt: enteredAt, retractedAt: retractedAt)
        entry.correction = correction.map { Correction(of: $0.corrected) }
        entry.origin = origin.map { ImportOrigin(key: $0.key, source: "", enteredAt: $0.enteredAt) }
        return entry
    }
}
