import Vitals

/// A condition without its value: how much a source has to offer, and why it has nothing.
///
/// A change between two conditions of the same standing needs no decisions, only a new display of the value.
struct Standing: Codable, Hashable, Sendable {
    /// The higher, the more the source has to offer when several sensors give the same vital.
    var rank: Rank
    /// Why there is no measurement, when a reason is known.
    var reason: AbsenceReason?
    /// Whether the sensor reports a malfunction beside its newest value.
    var reportsMalfunction = false

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
            reportsMalfunction = sample.quality == .malfunction
        case .measured(let sample):
            rank = .measured
            reportsMalfunction = sample.quality == .malfunction
        }
    }

    /// Whether there is a value to go by: current, or at least not lost.
    var hasValue: Bool { rank >= .stale }

    /// The ranks, from nothing at all to a current value.
    enum Rank: Int, Codable, Hashable, Sendable, Comparable {
        case neverSeen, notConnected, away, absent, stale, measured

        static func < (lhs: Rank, rhs: Rank) -> Bool { lhs.rawValue < rhs.rawValue }
    }
}
