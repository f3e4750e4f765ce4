/// One thing that the doctor has looked at.
public struct Check: Hashable, Sendable {
    /// Its word, which stays the same in later versions, such as `adapter`.
    public var name: String
    /// How it stands.
    public var verdict: Verdict
    /// What was found, in a sentence.
    public var finding: String
    /// What helps, in a command or a sentence; `nil` when nothing has to be done.
    public var remedy: String?
    /// Characters to look at, which only the reader's eyes can judge.
    public var sample: String?

    /// How something stands, from the best to the worst.
    public enum Verdict: String, CaseIterable, Hashable, Sendable, Comparable {
        /// It could not be looked at, or there was no need to.
        case skipped
        /// It is as it should be.
        case ok
        /// Bedside works, but it could do better.
        case advice
        /// Bedside cannot do its work.
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
