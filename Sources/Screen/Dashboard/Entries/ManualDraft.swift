import Appearance
import Entries
import Monitoring
import Vitals
import Wording

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
