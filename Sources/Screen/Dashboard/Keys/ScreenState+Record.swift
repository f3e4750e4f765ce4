import Appearance
import Base
import Entries
import Monitoring
import Vitals
import Wording

// How mistakes in the record are corrected, and how a form is filled in.
extension ScreenState {
    /// Begins to type the replacement of a mistaken entry; the original stays.
    mutating func beginCorrection(of entry: RecordEntry) {
        guard let kind = entry.kind, !entry.isRetracted else {
            dialogs.message = "It was taken back already. Enter the right value anew."
            return
        }
        if let form = FormDraft(kind, correcting: entry) { return ask(form) }
        dialogs.ask(
            .entry(ManualDraft(kind, units: units, correcting: entry)),
            glyphs.fit("Type what is right; without a time it was measured when the mistake was. The original stays."))
    }

    /// Asks why an entry is taken back.
    mutating func askWhyToRetract(_ entry: RecordEntry) {
        guard !entry.isRetracted else {
            dialogs.message = "It was taken back already. Enter the right value anew."
            return
        }
        let text = sanitized(ManualLabels(units).text(of: entry), limit: 60)
        dialogs.ask(
            .reason(ReasonDraft(.retraction(entry.id))),
            glyphs.fit("Why is this taken back: \(text)? It stays, marked as a mistake; alarms that it raised end."))
    }

    /// Asks why an entry corrects another one.
    mutating func askWhy(_ entry: RecordEntry, corrects corrected: RecordEntry) {
        dialogs.ask(
            .reason(ReasonDraft(.correction(entry, of: corrected.id))),
            glyphs.fit("Why is it corrected to \(ManualLabels(units).value(of: entry))? Enter alone gives no reason."))
    }

    /// Handles a key while a reason is typed.
    mutating func keyPressed(_ key: Key, in draft: ReasonDraft) -> ScreenWish? {
        var draft = draft
        switch draft.prompt.keyPressed(key) {
        case .accepted:
            dialogs.closeInputLine()
            return draft.wish
        case .cancelled: dialogs.closeInputLine()
        case .edited, .ignored: dialogs.update(.reason(draft))
        }
        return nil
    }

    // MARK: Forms

    /// Asks the next question of a form.
    mutating func ask(_ draft: FormDraft) { dialogs.ask(.form(draft), glyphs.fit(draft.progress)) }

    /// Handles a key while a form is filled in.
    mutating func keyPressed(_ key: Key, in draft: FormDraft, at now: Moment) -> ScreenWish? {
        var draft = draft
        if key == .escape {
            dialogs.closeInputLine()
            return nil
        }
        guard draft.isAnswered else {
            draft.keyPressed(key)
            ask(draft)
            return nil
        }
        guard draft.name.keyPressed(key) == .accepted, let content = draft.content else {
            dialogs.update(.form(draft))
            return nil
        }
        dialogs.closeInputLine()
        let entry = RecordEntry(content, taken: draft.corrected?.taken, enteredAt: now)
        guard let corrected = draft.corrected else { return .patient(.enter(entry)) }
        askWhy(entry, corrects: corrected)
        return nil
    }
}
