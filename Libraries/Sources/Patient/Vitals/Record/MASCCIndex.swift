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

extension MASCCIndex {
    /// The score with its meaning: "MASCC 18 of 26, high risk, by Ada".
    public var text: String {
        let who = assessedBy.isEmpty ? "" : ", by \(assessedBy)"
        return "MASCC \(score) of \(Self.maximum), \(isHighRisk ? "high" : "low") risk\(who)"
    }

    private var answersWithPoints: String {
        Item.allCases.map { "\($0.rawValue) \(answer(to: $0)) (\(points(for: $0)))" }.joined(separator: ", ")
    }

    /// The index as a kind of entry: a form with questions.
    static var traits: RecordEntry.Kind.Traits {
        func answer(_ item: Item) -> EntryField {
            let words = item == .burden ? Burden.allCases.map(\.rawValue) : ["yes", "no"]
            return EntryField(
                item.rawValue, .word(words), isRequired: true, question: item.question,
                complaint: "the index needs every item"
            ) { if case .mascc(let index) = $0 { .text(index.answer(to: item)) } else { nil } }
        }
        return RecordEntry.Kind.Traits(
            text: "MASCC risk index", shortText: "MASCC", event: RecordEntry.Kind.mascc.rawValue, group: .symptoms,
            category: .survey, resource: .response, typedLimit: 200,
            summary: { if case .mascc(let index) = $0 { index.text } else { nil } },
            details: { if case .mascc(let index) = $0 { index.answersWithPoints } else { nil } },
            fields: [
                EntryField(
                    "score", .whole(0...maximum), role: .value, isDerived: true,
                    question: "MASCC risk index, 0 to \(maximum)", quantity: RecordEntry.Kind.mascc.rawValue
                ) { if case .mascc(let index) = $0 { .number(index.score) } else { nil } },
                EntryField("high_risk", .flag, isDerived: true) {
                    if case .mascc(let index) = $0 { .flag(index.isHighRisk) } else { nil }
                },
            ] + Item.allCases.map(answer) + [
                EntryField(
                    "by", .text(limit: nameLimit), role: .person,
                    complaint: "a name has at most \(nameLimit) characters that can be shown"
                ) {
                    guard case .mascc(let index) = $0, !index.assessedBy.isEmpty else { return nil }
                    return .text(index.assessedBy)
                }
            ]
        ) { values in
            func isTrue(_ item: Item) -> Bool? { values.text(item.rawValue).map { $0 == "yes" } }
            guard let burden = values.text(Item.burden.rawValue).flatMap({ Burden(rawValue: $0) }),
                let hypotension = isTrue(.hypotension), let copd = isTrue(.copd), let tumour = isTrue(.tumour),
                let dehydration = isTrue(.dehydration), let outpatient = isTrue(.outpatient),
                let under60 = isTrue(.under60)
            else { return nil }
            return .mascc(
                MASCCIndex(
                    burden: burden, hasHypotension: hypotension, hasPulmonaryDisease: copd,
                    hasSolidTumourOrNoFungalInfection: tumour, isDehydrated: dehydration, isOutpatient: outpatient,
                    isUnder60: under60, assessedBy: values.text("by") ?? ""))
        }
    }
}

extension MASCCIndex.Item {
    /// What is asked about it.
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
