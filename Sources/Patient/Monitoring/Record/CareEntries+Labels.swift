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
