import Vitals

/// The reason that is being typed why an entry of the record is a mistake.
struct ReasonDraft: Hashable, Sendable {
    /// What happens once it is typed.
    let purpose: Purpose
    /// The line.
    var prompt: TextPrompt

    /// What a reason is for.
    enum Purpose: Hashable, Sendable {
        /// An entry is taken back.
        case retraction(RecordEntry.ID)
        /// An entry corrects another one.
        case correction(RecordEntry, of: RecordEntry.ID)
    }

    init(_ purpose: Purpose) {
        self.purpose = purpose
        prompt = TextPrompt("Reason", limit: RecordEntry.reasonLimit)
    }

    /// What the reason leads to.
    var intent: Intent {
        switch purpose {
        case .retraction(let id): return .answer(.retract(id, reason: prompt.text))
        case .correction(var entry, let id):
            entry.correction = RecordEntry.Correction(of: id, reason: prompt.text)
            return .answer(.enter(entry))
        }
    }
}
