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
        case .note:
            self.init(
                "Note", "asleep, refuses the strap",
                "Words, up to \(RecordEntry.noteLimit) characters; a time in front, if it was not now.")
        }
    }
}
