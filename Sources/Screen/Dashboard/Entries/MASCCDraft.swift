import Appearance
import Monitoring
import Vitals

/// The MASCC risk index as a short form: one question after the other, each answered by a key.
struct MASCCDraft: Hashable, Sendable {
    /// The answers so far, in the order of the items.
    private var answers: [Unicode.Scalar] = []
    /// The assessor; asked when every item has its answer.
    var name = TextPrompt("Assessed by", limit: MASCCIndex.nameLimit)
    /// The corrected entry; `nil` for a new one.
    let corrected: RecordEntry?

    init(correcting corrected: RecordEntry? = nil) {
        self.corrected = corrected
    }

    /// The present item; `nil` when every one has its answer.
    var item: MASCCIndex.Item? {
        MASCCIndex.Item.allCases.indices.contains(answers.count) ? MASCCIndex.Item.allCases[answers.count] : nil
    }

    /// The question, with its keys.
    var choice: Choice? {
        switch item {
        case nil: nil
        case .burden:
            Choice(
                MASCCIndex.Item.burden.question,
                [.init("1", "mild", nil), .init("2", "moderate", nil), .init("3", "severe", nil)])
        case let item?: Choice(item.question, [.init("y", "yes", nil), .init("n", "no", nil)])
        }
    }

    /// The progress, as a sentence.
    var progress: String {
        guard item != nil else { return "Who has assessed it; Enter leaves it out." }
        let count = MASCCIndex.Item.allCases.count
        return "Question \(answers.count + 1) of \(count)\(answers.isEmpty ? "" : "; Backspace goes back")."
    }

    /// Handles a key while an item is asked.
    mutating func keyPressed(_ key: Key) {
        if key == .backspace {
            _ = answers.popLast()
        } else if let answer = choice?.answer(to: key) {
            answers.append(answer.key)
        }
    }

    /// The index; `nil` until every item has its answer.
    var index: MASCCIndex? {
        guard item == nil else { return nil }
        let yes = answers.map { $0 == "y" }
        return MASCCIndex(
            burden: answers[0] == "1" ? .mild : answers[0] == "2" ? .moderate : .severe, hasHypotension: yes[1],
            hasPulmonaryDisease: yes[2], hasSolidTumourOrNoFungalInfection: yes[3], isDehydrated: yes[4],
            isOutpatient: yes[5], isUnder60: yes[6], assessedBy: name.text)
    }
}
