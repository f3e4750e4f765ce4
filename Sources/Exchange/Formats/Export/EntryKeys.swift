import Vitals

extension RecordedEntry {
    /// The entry's identifier in every file that contains it: a UUID, or the identifier in the imported file.
    var key: String {
        if let origin = entry.origin { return origin.key }
        return FHIRIdentifier.text(
            FHIRIdentifier.mixed([entry.enteredAt.wallMilliseconds, entry.enteredAt.monotonicNanoseconds, run]))
    }

    /// When it was entered in its original system, in milliseconds since 1970 (UTC).
    var enteredWallMilliseconds: Int64 { entry.origin?.enteredAt ?? entry.enteredAt.wallMilliseconds }
}

/// The keys of entries by their identities, to name the entry that another one corrects.
struct EntryKeys {
    private var keys: [RecordEntry.ID: String] = [:]

    init(_ entries: [RecordedEntry]) {
        for entry in entries { keys[entry.entry.id] = entry.key }
    }

    /// The key of the entry that an entry corrects; `nil` for none.
    func corrected(by recorded: RecordedEntry) -> String? {
        guard let correction = recorded.entry.correction else { return nil }
        // If it is not among them, it was entered in the same run, or its key is unknown anyway.
        let id = correction.corrected
        return keys[id]
            ?? FHIRIdentifier.text(FHIRIdentifier.mixed([id.wallMilliseconds, id.monotonicNanoseconds, recorded.run]))
    }
}
