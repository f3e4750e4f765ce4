/// What an electrocardiogram and the chest's acceleration say together about breathing, in one window of 32 s.
///
/// An estimate, never a measurement: it moves no air. It has no limits, is no part of a score, and a missing one is not a
/// missing breath.
public struct RespirationEstimate: Codable, Hashable, Sendable {
    /// The end of its window.
    public var end: MonotonicTime
    /// The rate, or why there is none.
    public var result: Result

    /// How long after its window an estimate may be shown: those after it are due every 2 s.
    public static let shownFor = Duration.seconds(10)

    /// - Parameters:
    ///   - end: The end of its window.
    ///   - result: The rate, or why there is none.
    public init(end: MonotonicTime, result: Result) {
        (self.end, self.result) = (end, result)
    }

    /// A rate, or the reason for none.
    public enum Result: Codable, Hashable, Sendable {
        case rate(Rate)
        case none(Reason)
    }

    /// A rate on which the signals agree.
    public struct Rate: Codable, Hashable, Sendable {
        /// Breaths a minute, rounded.
        public var perMinute: Int
        /// How far the signals that agree are from it at most, in breaths a minute, rounded up; 1 or more.
        public var spread: Int
        /// How many of the four signals agree: 3 or 4.
        public var signals: Int

        public init(perMinute: Int, spread: Int, signals: Int) {
            (self.perMinute, self.spread, self.signals) = (perMinute, spread, signals)
        }
    }

    /// Why there is no rate.
    public enum Reason: String, CaseIterable, Codable, Hashable, Sendable {
        /// Less than a window has come since the beginning or a gap.
        case gathering
        /// Samples are missing in more than a tenth of the window.
        case incomplete
        /// The person moves.
        case movement
        /// More than 5 % of the intervals between beats are artefacts.
        case artefacts
        /// The beats come irregularly, as in atrial fibrillation, so that they do not show breathing.
        case irregular
        /// The signals do not agree.
        case disagreement
        /// There are fewer than two beats to a breath, so that beats cannot show it.
        case slowHeart
        /// The windows before do not agree.
        case unsteady
    }

    /// The rate, if there is one.
    public var rate: Rate? {
        if case .rate(let rate) = result { rate } else { nil }
    }
}
