import Monitoring
import Vitals
import Wording

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
