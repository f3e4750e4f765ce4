import Appearance
import Monitoring
import Vitals

/// A kind of entry that is a form: one question after the other, each answered by a key.
struct FormDraft: Hashable, Sendable {
    private let kind: RecordEntry.Kind
    /// The answers so far, in the order of the questions.
    private var answers: [String] = []
    /// Who assesses it; asked when every question has its answer.
    var name: TextPrompt
    /// The entry that is corrected; `nil` for a new one.
    let corrected: RecordEntry?

    /// Begins a form; `nil` for a kind that is none.
    init?(_ kind: RecordEntry.Kind, correcting corrected: RecordEntry? = nil) {
        let person = kind.fields.first { $0.role == .person }
        guard kind.traits.resource == .response, case .text(let limit)? = person?.form else { return nil }
        (self.kind, self.corrected) = (kind, corrected)
        name = TextPrompt("Assessed by", limit: limit)
    }

    private var questions: [EntryField] { kind.fields.filter { $0.question != nil && !$0.isDerived } }

    /// Whether every question has its answer.
    var isAnswered: Bool { answers.count >= questions.count }

    /// The question, with its keys; `nil` when each has its answer.
    var choice: Choice? {
        guard !isAnswered, let question = questions[answers.count].question else { return nil }
        return Choice(question, keys.map { .init($0.key, $0.word, nil) })
    }

    /// The keys for the answers to the present question: the first letters of yes and no, or else numbers.
    private var keys: [(key: Unicode.Scalar, word: String)] {
        guard !isAnswered, case .word(let words) = questions[answers.count].form else { return [] }
        if words == ["yes", "no"] { return [("y", "yes"), ("n", "no")] }
        return zip("123456789".unicodeScalars, words).map { ($0, $1) }
    }

    /// How far it has come, in a sentence.
    var progress: String {
        guard !isAnswered else { return "Who has assessed it; Enter leaves it out." }
        return "Question \(answers.count + 1) of \(questions.count)\(answers.isEmpty ? "" : "; Backspace goes back")."
    }

    /// Handles a key while a question is asked.
    mutating func keyPressed(_ key: Key) {
        if key == .backspace {
            _ = answers.popLast()
        } else if let answer = choice?.answer(to: key), let found = keys.first(where: { $0.key == answer.key }) {
            answers.append(found.word)
        }
    }

    /// What is entered; `nil` until every question has its answer.
    var content: RecordEntry.Content? {
        guard isAnswered else { return nil }
        var values = EntryField.Values(taken: 0)
        for (field, answer) in zip(questions, answers) { values[field.name] = .text(answer) }
        if let person = kind.fields.first(where: { $0.role == .person }) { values[person.name] = .text(name.text) }
        return kind.content(values)
    }
}
