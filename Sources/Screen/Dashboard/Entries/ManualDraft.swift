import Appearance
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
            kind.promptTitle(units.temperature), text: corrected?.typedText(units) ?? "", limit: kind.lengthLimit)
    }
}

extension RecordEntry.Kind {
    /// The greatest number of characters.
    fileprivate var lengthLimit: Int {
        switch self {
        case .note: RecordEntry.noteLimit + 20
        case .lab, .mascc: 200
        case .medication, .symptom: 100
        case .bodyTemperature, .heartRate, .oxygenSaturation, .bloodPressure, .glucose, .weight, .neutrophils: 48
        }
    }

    /// The title in front of the line, with the default unit.
    func promptTitle(_ unit: TemperatureUnit) -> String {
        switch self {
        case .bodyTemperature: "Temperature \(unit.sign)"
        case .heartRate: "Heart rate /min"
        case .oxygenSaturation: "SpO2 %"
        case .bloodPressure: "Blood pressure mmHg"
        case .glucose: "Glucose mg/dL"
        case .weight: "Weight kg"
        case .neutrophils: "ANC"
        case .lab: "Blood count"
        case .medication: "Medication"
        case .symptom: "Symptom"
        case .mascc: "MASCC"
        case .note: "Note"
        }
    }

    /// The key that begins it, on the page or everywhere.
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
        case .mascc: .enterRiskIndex
        case .note: .enterNote
        }
    }
}
