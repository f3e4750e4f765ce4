import Vitals

extension Medication {
    /// The medication with its dose: "paracetamol 500 mg, antipyretic".
    public var text: String {
        [name + (dose.map { " \($0.text)" } ?? ""), isAntipyretic ? "antipyretic" : nil]
            .compactMap { $0 }.joined(separator: ", ")
    }
}

extension Medication.Dose {
    /// The dose with its unit: "12.5 mg".
    public var text: String { "\(decimalText(thousandths, decimals: 3)) \(unit.text)" }
}

extension Medication.Unit {
    /// The printed unit.
    public var text: String {
        switch self {
        case .micrograms: "µg"
        case .internationalUnits: "IU"
        case .drops: "drops"
        case .tablets: "tablets"
        case .milligrams, .grams, .millilitres, .percent: rawValue
        }
    }
}

extension SymptomRating {
    /// The symptom with its rating and grade: "nausea 6/10, moderate".
    public var text: String { "\(symptom.text) \(severity)/10, \(grade.rawValue)" }
}

extension MASCCIndex {
    /// The score with its meaning: "MASCC 18 of 26, high risk, by Ada".
    public var text: String {
        let who = assessedBy.isEmpty ? "" : ", by \(assessedBy)"
        return "MASCC \(score) of \(Self.maximum), \(isHighRisk ? "high" : "low") risk\(who)"
    }
}

extension MASCCIndex.Item {
    /// The question about it.
    public var question: String {
        switch self {
        case .burden: "How ill does the patient look and feel (mild, moderate, severe)?"
        case .hypotension: "Hypotension (systolic pressure 90 mmHg or lower)?"
        case .copd: "Chronic obstructive pulmonary disease?"
        case .tumour: "Solid tumour, or no fungal infection before?"
        case .dehydration: "Dehydration that needs infusions?"
        case .outpatient: "At home when the fever began?"
        case .under60: "Younger than 60 years?"
        }
    }
}
