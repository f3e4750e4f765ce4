import Base

/// The absolute neutrophil count (ANC) of a blood sample, as entered by a user.
public struct NeutrophilCount: Codable, Hashable, Sendable {
    /// Neutrophils in one microlitre of blood, 0 to 100 000; 0.5 × 10⁹/L are 500.
    public var perMicrolitre: Int
    /// When the blood was taken, in milliseconds since 1970-01-01T00:00:00Z.
    public var sampledAt: Int64
    /// The person who entered it, sanitized and bounded; empty if unknown.
    public var enteredBy: String

    /// The greatest possible count, reached only in leukaemia.
    public static let greatest = 100_000
    /// The greatest number of characters (Unicode scalars) of a name.
    public static let nameLimit = 32
    /// How long a count is valid, in milliseconds: seven days.
    public static let validity: Int64 = 7 * 86_400_000
    /// How far in the future a sample may seem to be, in milliseconds: a day, because clocks and time zones differ.
    public static let tolerance: Int64 = 86_400_000

    /// Creates a count; the name is sanitized.
    public init(perMicrolitre: Int, sampledAt: Int64, enteredBy: String = "") {
        self.perMicrolitre = perMicrolitre
        self.sampledAt = sampledAt
        self.enteredBy = sanitized(enteredBy, limit: Self.nameLimit)
    }

    /// Whether it counts at a moment: not older than seven days, and not in the future.
    public func isValid(at moment: Moment) -> Bool {
        let age = moment.wallMilliseconds.subtractingSaturated(sampledAt)
        return (-Self.tolerance...Self.validity).contains(age)
    }

    /// The last moment, in milliseconds since 1970-01-01T00:00:00Z, at which it counts.
    public var validUntil: Int64 { sampledAt.addingSaturated(Self.validity) }
}
