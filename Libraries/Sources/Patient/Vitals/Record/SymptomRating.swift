import Base

/// How severe a symptom is, by the patient's own rating.
public struct SymptomRating: Codable, Hashable, Sendable {
    /// The symptom.
    public var symptom: Symptom
    /// From 0 (none) to 10 (the worst imaginable).
    public var severity: Int

    /// The ratings.
    public static let severities = 0...10

    public init(_ symptom: Symptom, severity: Int) {
        self.symptom = symptom
        self.severity = severity
    }

    /// The grade of the rating: information, not an alarm.
    public var grade: Grade {
        switch severity {
        case ..<1: .none
        case ..<4: .mild
        case ..<7: .moderate
        default: .severe
        }
    }

    /// A grade of a rating; the raw value is its name in files.
    ///
    /// The thresholds 4 and 7 are conventions of numeric rating scales, without diagnostic meaning.
    public enum Grade: String, CaseIterable, Hashable, Sendable {
        /// 0.
        case none
        case mild
        case moderate
        case severe
    }
}

/// A symptom that a patient rates.
public enum Symptom: Codable, Hashable, Sendable {
    case nausea, vomiting, diarrhoea, chills, cough, pain
    /// Any other symptom in the patient's own words, sanitized and bounded.
    case other(String)

    /// The predefined symptoms.
    public static let named: [Symptom] = [.nausea, .vomiting, .diarrhoea, .chills, .cough, .pain]

    /// The greatest number of characters (Unicode scalars) of another symptom.
    public static let textLimit = 60

    /// Finds the symptom with this name; other text is sanitized.
    public init(_ text: String) {
        let word = text.lowercased()
        self =
            switch word {
            case "diarrhea": .diarrhoea
            default: Self.named.first { $0.text == word } ?? .other(sanitized(text, limit: Self.textLimit))
            }
    }

    /// Its name in plain text and in files.
    public var text: String {
        switch self {
        case .nausea: "nausea"
        case .vomiting: "vomiting"
        case .diarrhoea: "diarrhoea"
        case .chills: "chills"
        case .cough: "cough"
        case .pain: "pain"
        case .other(let text): text
        }
    }

    /// Its name as a quantity in tables; own words are in the text of the row.
    public var quantityName: String {
        if case .other = self { "symptom_other" } else { "symptom_\(text)" }
    }
}
