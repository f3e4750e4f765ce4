import Monitoring
import Vitals
import Wording

/// What people read while they type an entry of a kind.
public struct EntryPrompt {
    /// The label of the input line, with the expected unit.
    public var title: String
    /// An entry that would be accepted.
    public var example: String
    /// What can be typed, for the line above the input line.
    public var explanation: String

    private init(_ title: String, _ example: String, _ explanation: String) {
        (self.title, self.example, self.explanation) = (title, example, explanation)
    }

    public init(_ kind: RecordEntry.Kind, _ unit: TemperatureUnit = .celsius) {
        let time = "when it was measured, if not now: -15m, 03:10"
        let given = "if not now: -15m, 03:10."
        switch kind {
        case .bodyTemperature:
            self.init(
                "Temperature \(unit.sign)",
                unit == .celsius ? "38.4 mouth -15m" : "101.1 mouth -15m",
                "\(unit.text), where (mouth, armpit, ear, rectum), and \(time).")
        case .heartRate: self.init("Heart rate /min", "72 03:10", "Beats a minute, and \(time).")
        case .oxygenSaturation: self.init("SpO2 %", "97 -5m", "Percent, and \(time).")
        case .bloodPressure:
            self.init(
                "Blood pressure mmHg", "120/80 pulse 72",
                "Systolic/diastolic in mmHg, perhaps /mean and pulse (120/80/93 pulse 72), and \(time).")
        case .glucose:
            self.init(
                "Glucose mg/dL", "105 -10m",
                "Milligrams per decilitre, or with mmol/L, and \(time).")
        case .weight: self.init("Weight kg", "72.4", "Kilograms, and \(time).")
        case .neutrophils:
            let example = NeutrophilEntry.example
            self.init(
                "ANC", example,
                "Neutrophils with unit and date of the blood sample, such as \(example); or none.")
        case .lab:
            self.init(
                "Blood count", "wbc 1.2 neutrophils 35% hb 9.8 plt 45 08:10",
                "What the laboratory reports, each part optional: wbc, hb, plt, neutrophils, lymphocytes, monocytes, "
                    + "eosinophils, basophils, blasts, anc; and \(time), 2026-11-18 07:30.")
        case .medication:
            self.init(
                "Medication", "paracetamol 500 mg -15m",
                "Name, dose with unit, and when it was given, \(given)")
        case .symptom:
            self.init(
                "Symptom", "nausea 6 -1h", "Symptom, its rating from 0 to 10, and when, \(given)")
        case .mascc:
            self.init(
                kind.shortText,
                "burden mild hypotension no copd no tumour yes dehydration no outpatient yes under60 yes",
                "Each with yes or no: hypotension, copd, tumour (solid, or no fungal infection before), dehydration, "
                    + "outpatient, under60; burden with mild, moderate or severe; by and a name.")
        case .calibration:
            self.init("Calibration", "", "It is asked for after a typed value of glucose, where a sensor sends counts.")
        case .note:
            self.init(
                "Note", "asleep, refuses the strap",
                "Words, up to \(RecordEntry.noteLimit) characters; a time in front, if it was not now.")
        }
    }
}

extension RecordEntry {
    /// The text to type for the same content, without its time; the originally typed text if it still means the same.
    package func typedText(_ units: DisplayUnits) -> String {
        if let typed, isContent(of: typed, units) { return typed }
        return usualText(units)
    }

    /// Keeps what was typed, unless it is what is printed anyway, or words that are the content.
    mutating func keepTyped(_ words: String, _ units: DisplayUnits) {
        let isContent = kind == .note || kind?.traits.resource == .response
        keep(typed: isContent || words == usualText(units) ? nil : words)
    }

    /// Whether words are read as this content; a number without a unit depends on the units of the settings.
    private func isContent(of words: String, _ units: DisplayUnits) -> Bool {
        if case .neutrophils(let count) = content {
            return (try? NeutrophilEntry.count(words)) == count.perMicrolitre
        }
        guard let kind else { return false }
        return (try? ManualReader.content(words, as: kind, unit: units.temperature))?.content == content
    }

    private func usualText(_ units: DisplayUnits) -> String {
        switch content {
        case .vital(let vital, let value, let site):
            let number =
                vital.isTemperature || vital == .glucose
                ? ValueText(units).limit(value, of: vital) : value.text(of: vital)
            let unit = vital == .glucose ? " \(units.glucose.text)" : ""
            return number + unit + (site.map { " \($0.typedText)" } ?? "")
        case .bloodPressure(let pressure):
            return pressure.digits + (pressure.pulse.map { " pulse \($0)" } ?? "")
        case .neutrophils(let count): return "\(count.perMicrolitre)/µL"
        case .weight(let weight): return weight.decimalText
        case .lab(let result):
            return result.values.map {
                "\($0.analyte.rawValue) \($0.analyte.text(of: $0.value))\($0.analyte.typedUnit)"
            }
            .joined(separator: " ")
        case .medication(let medication):
            let dose = medication.dose.map { " \($0.text)" } ?? ""
            let isSaid = medication.isAntipyretic && !Medication.isKnownAntipyretic(medication.name)
            return medication.name + dose + (isSaid ? " antipyretic" : "")
        case .symptom(let rating): return "\(rating.symptom.text) \(rating.severity)"
        case .note(let text): return text
        // Nobody types "nothing measured".
        case .noMeasurement: return ""
        // A form: its answers.
        default:
            let answered = content.fields.filter { $0.question != nil && !$0.isDerived }
            return answered.compactMap { field in
                if case .text(let answer)? = field.value(content) { "\(field.name) \(answer)" } else { nil }
            }.joined(separator: " ")
        }
    }
}

extension BodySite {
    /// The word to type for it; empty for a site that cannot be typed.
    fileprivate var typedText: String {
        switch self {
        case .mouth, .armpit, .ear, .tympanum, .rectum, .skin, .other: rawValue
        default: ""
        }
    }
}

extension LabAnalyte {
    fileprivate var typedUnit: String {
        switch self {
        case .neutrophilCount: "/µL"
        case .whiteCells, .platelets: "x10^9/L"
        case .haemoglobin: " g/dL"
        case .neutrophils, .lymphocytes, .monocytes, .eosinophils, .basophils, .blasts: "%"
        }
    }
}
