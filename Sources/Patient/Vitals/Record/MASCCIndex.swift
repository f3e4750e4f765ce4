import Base

/// The risk index of the Multinational Association for Supportive Care in Cancer (MASCC) for a fever with neutropenia.
///
/// It estimates the risk of complications: 21 points or more mean a low risk. It neither silences nor replaces the
/// fever rules. Source: Klastersky et al., J Clin Oncol 2000;18:3038.
public struct MASCCIndex: Codable, Hashable, Sendable {
    /// The burden of the febrile illness.
    public var burden: Burden
    /// Whether the systolic blood pressure is 90 mmHg or lower.
    public var hasHypotension: Bool
    /// Whether the patient has a chronic obstructive pulmonary disease.
    public var hasPulmonaryDisease: Bool
    /// Whether the patient has a solid tumour, or had no fungal infection.
    public var hasSolidTumourOrNoFungalInfection: Bool
    /// Whether the patient is dehydrated and needs infusions.
    public var isDehydrated: Bool
    /// Whether the patient was at home when the fever began.
    public var isOutpatient: Bool
    /// Whether the patient is younger than 60 years.
    public var isUnder60: Bool
    /// The assessor, sanitized and bounded; empty if unknown.
    public private(set) var assessedBy: String

    /// The burden of the febrile illness; the raw value is its name in files.
    public enum Burden: String, CaseIterable, Codable, Hashable, Sendable {
        /// No symptoms, or mild ones.
        case mild
        /// Moderate symptoms.
        case moderate
        /// Severe symptoms, or moribund.
        case severe
    }

    /// An item of the form; the raw value is its name in files and on the command line.
    public enum Item: String, CaseIterable, Hashable, Sendable {
        case burden, hypotension, copd, tumour, dehydration, outpatient, under60
    }

    public init(
        burden: Burden, hasHypotension: Bool, hasPulmonaryDisease: Bool, hasSolidTumourOrNoFungalInfection: Bool,
        isDehydrated: Bool, isOutpatient: Bool, isUnder60: Bool, assessedBy: String = ""
    ) {
        self.burden = burden
        self.hasHypotension = hasHypotension
        self.hasPulmonaryDisease = hasPulmonaryDisease
        self.hasSolidTumourOrNoFungalInfection = hasSolidTumourOrNoFungalInfection
        self.isDehydrated = isDehydrated
        self.isOutpatient = isOutpatient
        self.isUnder60 = isUnder60
        self.assessedBy = sanitized(assessedBy, limit: Self.nameLimit)
    }

    /// The greatest number of characters (Unicode scalars) of a name.
    public static let nameLimit = 32
    /// The greatest score.
    public static let maximum = 26
    /// The least score of a low risk.
    public static let lowRisk = 21

    public func points(for item: Item) -> Int {
        switch item {
        case .burden:
            switch burden {
            case .mild: 5
            case .moderate: 3
            case .severe: 0
            }
        case .hypotension: hasHypotension ? 0 : 5
        case .copd: hasPulmonaryDisease ? 0 : 4
        case .tumour: hasSolidTumourOrNoFungalInfection ? 4 : 0
        case .dehydration: isDehydrated ? 0 : 3
        case .outpatient: isOutpatient ? 3 : 0
        case .under60: isUnder60 ? 2 : 0
        }
    }

    /// The sum of the points, 0 to 26.
    public var score: Int { Item.allCases.reduce(0) { $0 + points(for: $1) } }

    /// Whether fewer than 21 points mean a high risk of complications.
    public var isHighRisk: Bool { score < Self.lowRisk }

    /// The answer to an item as a word: "mild", "yes", "no".
    public func answer(to item: Item) -> String {
        let isTrue =
            switch item {
            case .burden: false
            case .hypotension: hasHypotension
            case .copd: hasPulmonaryDisease
            case .tumour: hasSolidTumourOrNoFungalInfection
            case .dehydration: isDehydrated
            case .outpatient: isOutpatient
            case .under60: isUnder60
            }
        return item == .burden ? burden.rawValue : isTrue ? "yes" : "no"
    }
}
