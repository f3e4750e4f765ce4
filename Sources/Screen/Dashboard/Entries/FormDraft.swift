import Appearance
import Entries
import Monitoring
import Vitals
import Wording

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

/// A measurement while it is typed, and the question to answer before it is accepted.
struct ManualDraft: Hashable, Sendable {
    /// The kind of entry.
    let kind: RecordEntry.Kind
    /// The mistaken entry that it corrects; `nil` for a new one.
    let corrected: RecordEntry?
    /// The line.
    var prompt: TextPrompt
    /// The question about the typed text; `nil` while it is typed.
    var question: Question?

    /// A question, and the entry if the answer is yes.
    struct Question: Hashable, Sendable {
        var sentence: String
        var entry: RecordEntry

        /// The question with its keys; ``ScreenState`` handles the answers.
        var choice: Choice { Choice(sentence, [.init("y", "yes", nil), .init("n", "no, change it", nil)]) }
    }

    /// Begins an entry; one that corrects another one begins with its typed text.
    init(_ kind: RecordEntry.Kind, units: DisplayUnits, correcting corrected: RecordEntry? = nil) {
        self.kind = kind
        self.corrected = corrected
        prompt = TextPrompt(
            EntryPrompt(kind, units.temperature).title, text: corrected?.typedText(units) ?? "",
            limit: kind.traits.typedLimit)
    }
}

extension RecordEntry.Kind {
    /// The key that enters it, on the page or everywhere.
    var command: Command {
        switch self {
        case .bodyTemperature: .enterTemperature
        case .heartRate: .enterHeartRate
        case .oxygenSaturation: .enterSaturation
        case .bloodPressure: .enterPressure
        case .glucose: .enterGlucose
        case .weight: .enterWeight
        case .neutrophils: .enterNeutrophils
        case .lab: .enterLab
        case .medication: .enterMedication
        case .symptom: .enterSymptom
        case .note: .enterNote
        // The only form.
        default: .enterRiskIndex
        }
    }
}

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
