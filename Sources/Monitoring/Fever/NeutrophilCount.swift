import SaturatingArithmetic
import Vitals

/// The absolute neutrophil count (ANC) of a blood sample, as entered by a user.
public struct NeutrophilCount: Codable, Hashable, Sendable {
    /// Neutrophils in one microlitre of blood, 0 to 100 000; 0.5 × 10⁹/L are 500.
    public var perMicrolitre: Int
    /// When the blood was taken, in milliseconds since 1970-01-01T00:00:00Z.
    public var sampledAt: Int64
    /// Who entered it, sanitized and bounded; empty when unknown.
    public var enteredBy: String

    /// No patient has more neutrophils per µL than this, not even with leukaemia.
    public static let greatest = 100_000
    /// How long a count is valid, in milliseconds: seven days.
    static let validity: Int64 = 7 * 86_400_000
    /// How far in the future a sample may seem to lie, in milliseconds: a day, because clocks and time zones differ.
    static let tolerance: Int64 = 86_400_000

    /// Creates a count; the name is sanitized.
    public init(perMicrolitre: Int, sampledAt: Int64, enteredBy: String = "") {
        self.perMicrolitre = perMicrolitre
        self.sampledAt = sampledAt
        self.enteredBy = sanitized(enteredBy, limit: 32)
    }

    /// Whether it still counts at a moment: not older than seven days, and not of the future.
    public func isValid(at moment: Moment) -> Bool {
        let age = moment.wallMilliseconds.subtractingSaturated(sampledAt)
        return (-Self.tolerance...Self.validity).contains(age)
    }

    /// The last moment, in milliseconds since 1970-01-01T00:00:00Z, at which it counts.
    public var validUntil: Int64 { sampledAt.addingSaturated(Self.validity) }
}

/// The grade of neutropenia; the raw value is the name in files and `bedside watch --json`.
public enum NeutropeniaGrade: String, CaseIterable, Hashable, Sendable {
    /// Fewer than 100 per µL.
    case profound
    /// Fewer than 500 per µL.
    case severe
    /// 500 per µL or more.
    case notNeutropenic = "not_neutropenic"
    /// No count was entered, or it is older than seven days.
    case unknown

    /// The grade of a count at a moment.
    public init(_ count: NeutrophilCount?, at moment: Moment) {
        guard let count, count.isValid(at: moment) else {
            self = .unknown
            return
        }
        switch count.perMicrolitre {
        case ..<100: self = .profound
        case ..<500: self = .severe
        default: self = .notNeutropenic
        }
    }

    /// The grade in plain text.
    public var text: String {
        switch self {
        case .profound: "profound neutropenia"
        case .severe: "severe neutropenia"
        case .notNeutropenic: "not neutropenic"
        case .unknown: "neutrophils unknown"
        }
    }
}

/// What a fever means with the neutrophil count.
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
        case .notNeutropenic: self = .fever
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
