import Vitals

/// The grade of neutropenia; the raw value is the name in files and `bedside watch --json`.
///
/// The grades follow the thresholds 1500, 1000 and 500 per µL of the Common Terminology Criteria for Adverse Events;
/// below 100 it is profound by the guideline for febrile neutropenia (IDSA 2010).
public enum NeutropeniaGrade: String, CaseIterable, Hashable, Sendable {
    /// Fewer than 100 per µL.
    case profound
    /// Fewer than 500 per µL.
    case severe
    /// Fewer than 1000 per µL.
    case moderate
    /// Fewer than 1500 per µL.
    case mild
    /// 1500 per µL or more.
    case normal
    /// No count was entered, or it is older than seven days.
    case unknown

    /// The grade of a count at a moment.
    public init(_ count: NeutrophilCount?, at moment: Moment) {
        guard let count, count.isValid(at: moment) else {
            self = .unknown
            return
        }
        self.init(perMicrolitre: count.perMicrolitre)
    }

    /// The grade of a count, however old it is.
    public init(perMicrolitre count: Int) {
        switch count {
        case ..<100: self = .profound
        case ..<500: self = .severe
        case ..<1000: self = .moderate
        case ..<1500: self = .mild
        default: self = .normal
        }
    }

    /// The grade in plain text.
    public var text: String {
        switch self {
        case .profound: "profound neutropenia"
        case .severe: "severe neutropenia"
        case .moderate: "moderate neutropenia"
        case .mild: "mild neutropenia"
        case .normal: "not neutropenic"
        case .unknown: "neutrophils unknown"
        }
    }
}

/// The meaning of a fever with the neutrophil count.
public enum FeverRisk: String, CaseIterable, Codable, Hashable, Sendable {
    /// Fever with fewer than 500 neutrophils per µL.
    case febrileNeutropenia = "febrile_neutropenia_risk"
    /// Fever with an unknown neutrophil count.
    case countUnknown = "fever_anc_unknown"
    /// Fever with 500 neutrophils per µL or more.
    case fever

    /// The risk of a fever at a moment.
    public init(_ count: NeutrophilCount?, at moment: Moment) {
        switch NeutropeniaGrade(count, at: moment) {
        case .profound, .severe: self = .febrileNeutropenia
        case .unknown: self = .countUnknown
        case .moderate, .mild, .normal: self = .fever
        }
    }

    /// How soon a response is needed.
    public var priority: AlarmPriority { self == .fever ? .medium : .high }

    /// Its title: "Fever, neutrophils unknown".
    public var title: String {
        switch self {
        case .febrileNeutropenia: "Febrile neutropenia risk"
        case .countUnknown: "Fever, neutrophils unknown"
        case .fever: "Fever"
        }
    }
}
