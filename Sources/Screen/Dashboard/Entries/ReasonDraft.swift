import Vitals

/// The reason why an entry of the record is a mistake, while it is typed.
struct ReasonDraft: Hashable, Sendable {
    /// The purpose of the reason.
    let purpose: Purpose
    /// The line.
    var prompt: TextPrompt

    /// The purpose of a reason.
    enum Purpose: Hashable, Sendable {
        /// To retract an entry.
        case retraction(RecordEntry.ID)
        /// To correct another entry.
        case correction(RecordEntry, of: RecordEntry.ID)
    }

    init(_ purpose: Purpose) {
        self.purpose = purpose
        prompt = TextPrompt("Reason", limit: RecordEntry.reasonLimit)
    }

    /// The wish with this reason.
    var wish: ScreenWish {
        switch purpose {
        case .retraction(let id): return .patient(.retract(id, reason: prompt.text))
        case .correction(var entry, let id):
            entry.correction = RecordEntry.Correction(of: id, reason: prompt.text)
            return .patient(.enter(entry))
        }
    }
}
