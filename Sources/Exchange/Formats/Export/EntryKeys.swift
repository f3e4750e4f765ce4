import Vitals

extension RecordedEntry {
    /// What identifies the entry in every file that has it: a UUID, or what the file that it was imported from called it.
    var key: String {
        if let origin = entry.origin { return origin.key }
        return FHIRIdentifier.text(
            FHIRIdentifier.mixed([entry.enteredAt.wallMilliseconds, entry.enteredAt.monotonicNanoseconds, run]))
    }

    /// When it was entered where it comes from, in milliseconds since 1970 (UTC).
    var enteredWallMilliseconds: Int64 { entry.origin?.enteredAt ?? entry.enteredAt.wallMilliseconds }
}

/// The keys of entries by their identities, for what names the entry that it corrects.
struct EntryKeys {
    private var keys: [RecordEntry.ID: String] = [:]

    init(_ entries: [RecordedEntry]) {
        for entry in entries { keys[entry.entry.id] = entry.key }
    }

    /// The key of the entry that an entry corrects; `nil` when it corrects none.
    func corrected(by recorded: RecordedEntry) -> String? {
        guard let correction = recorded.entry.correction else { return nil }
        // What is not among them was entered in the same run, or its key is unknown all the same.
        let id = correction.corrected
        return keys[id]
            ?? FHIRIdentifier.text(FHIRIdentifier.mixed([id.wallMilliseconds, id.monotonicNanoseconds, recorded.run]))
    }
}
