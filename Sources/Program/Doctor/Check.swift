/// A check with its result.
public struct Check: Hashable, Sendable {
    /// A stable name, such as `adapter`.
    public var name: String
    public var verdict: Verdict
    /// The finding, as a sentence.
    public var finding: String
    /// The remedy, a command or a sentence; `nil` when none is needed.
    public var remedy: String?
    /// Sample characters, which only the user can check visually.
    public var sample: String?

    /// The verdicts, from the best to the worst.
    public enum Verdict: String, CaseIterable, Hashable, Sendable, Comparable {
        /// Not checked, because it was impossible or unnecessary.
        case skipped
        /// No problem.
        case ok
        /// Bedside works, but could work better.
        case advice
        /// Bedside cannot work.
        case trouble

        /// Orders verdicts from the best to the worst.
        public static func < (lhs: Verdict, rhs: Verdict) -> Bool { lhs.rank < rhs.rank }

        private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    init(_ name: String, _ verdict: Verdict, _ finding: String, remedy: String? = nil, sample: String? = nil) {
        self.name = name
        self.verdict = verdict
        self.finding = finding
        self.remedy = remedy
        self.sample = sample
    }
}
