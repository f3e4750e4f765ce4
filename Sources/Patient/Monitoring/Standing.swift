import Vitals

/// A condition without its value: how useful a source is, and why it has no value.
///
/// A change between two conditions of the same standing needs no decisions, only a new display of the value.
struct Standing: Codable, Hashable, Sendable {
    /// The higher, the more useful the source is when several sensors measure the same vital.
    var rank: Rank
    /// Why there is no measurement, if known.
    var reason: AbsenceReason?
    /// The alarm that the sensor asks for beside its newest value: a malfunction, or a needed calibration.
    var complaint: AlarmKind?

    init(_ condition: VitalCondition) {
        switch condition {
        case .neverSeen: rank = .neverSeen
        case .notConnected: rank = .notConnected
        case .lost: rank = .away
        case .noMeasurement(let absence):
            rank = absence.reason == .linkLost ? .away : .absent
            reason = absence.reason
        case .stale(let sample):
            rank = .stale
            complaint = sample.quality.complaint
        case .measured(let sample):
            rank = .measured
            complaint = sample.quality.complaint
        }
    }

    /// Whether there is a usable value: current, or at least not lost.
    var hasValue: Bool { rank >= .stale }

    /// The ranks, from nothing at all to a current value.
    enum Rank: Int, Codable, Hashable, Sendable, Comparable {
        case neverSeen, notConnected, away, absent, stale, measured

        static func < (lhs: Rank, rhs: Rank) -> Bool { lhs.rawValue < rhs.rawValue }
    }
}

extension Reading.Quality {
    /// The alarm that a sensor asks for beside a value of this quality; `nil` for none.
    var complaint: AlarmKind? {
        switch self {
        case .good, .questionable, .rawEstimate: nil
        case .malfunction: .equipment
        case .calibrationWanted: .calibrationWanted
        }
    }

    /// Whether a value of this quality counts in figures of many values: lowest, highest, median, trend, time outside the
    /// limits.
    ///
    /// What a sensor measures while it reports a malfunction of its own is shown with that word beside it, and limits judge
    /// it. A figure has no space for the word, so it leaves the value out, as if there were none.
    public var countsInFigures: Bool { complaint != .equipment }
}

extension Reading.Outcome {
    /// The value as far as it counts in figures (``Vitals/Reading/Quality/countsInFigures``).
    public var figure: VitalValue? {
        guard case .measured(let value, let quality) = self, quality.countsInFigures else { return nil }
        return value
    }
}
