import Base
import Vitals

/// A rule's result for its condition at one moment; the alarm board turns it into episodes.
///
/// Every rule returns one of these, so that a new rule needs no new state machine.
enum AlarmVerdict: Hashable, Sendable {
    /// The condition does not hold, not even within its hysteresis.
    case unmet
    /// The condition is within its hysteresis: an active alarm stays active, none begins.
    case held
    /// The condition is suspected and awaits more readings.
    case suspected(Alarm.Confirmations)
    /// The condition holds, or has not been absent for long enough.
    case met
    /// The condition cannot be evaluated, because there is no measurement; with the reason if known.
    case indeterminate(AbsenceReason?)
}

/// Identifies a state machine: one for each source, vital and condition.
struct AlarmKey: Codable, Hashable, Sendable {
    var source: Source
    /// The vital, if the source can have the condition for each of its vitals.
    var vital: Vital?
    var kind: AlarmKind

    init(_ source: Source, vital: Vital? = nil, kind: AlarmKind) {
        self.source = source
        self.vital = vital
        self.kind = kind
    }

    /// The source of a condition.
    enum Source: Codable, Hashable, Sendable {
        /// The sensor with this ordinal.
        case sensor(Int)
        /// Manual entries.
        case manual
        case computer
    }
}

/// The evidence of an alarm from its rule.
struct AlarmEvidence {
    /// The sensor; `nil` when this computer is the source.
    var sensor: SensorIdentity?
    var priority: AlarmPriority
    var vital: Vital?
    var site: BodySite?
    var value: VitalValue?
    /// When the value was measured; `nil` for now.
    var measuredAt: Moment?
    /// Whether the value is a late one; see `Reading.late`.
    var isLate = false
    var limit: VitalValue?
    /// The values at which the evaluation of the vital changes.
    var boundaries: [VitalValue] = []
    /// How long the limit must be crossed, or the time within which a change counts.
    var duration: Duration?
    var reason: AbsenceReason?
    /// For a fever, its meaning with the neutrophil count.
    var feverRisk: FeverRisk?
    /// For a fever, the rule that detected it.
    var feverRule: FeverRuleName?
    /// Further details for the user: "no space left on the disk".
    var detail: String?
    /// Whether the value is a measurement that nobody has confirmed yet.
    var isUnconfirmed = false
}

/// The comparison of a value with the limit of an alarm; screens print exactly this comparison.
public enum LimitRelation: CaseIterable, Hashable, Sendable {
    /// Reached or exceeded: fever.
    case atLeast
    /// Exceeded: high limits.
    case above
    /// Below: low limits.
    case below
    /// Reached or below: batteries, signals.
    case atMost

    /// Whether the relation holds between a value and a limit.
    public func holds(_ value: VitalValue, _ limit: VitalValue) -> Bool {
        switch self {
        case .atLeast: value >= limit
        case .above: value > limit
        case .below: value < limit
        case .atMost: value <= limit
        }
    }

    /// The lowest value that is evaluated like higher ones: a limit that must be exceeded counts from the next
    /// hundredth.
    public func boundary(_ limit: VitalValue) -> VitalValue {
        switch self {
        case .atLeast, .below: limit
        case .above, .atMost: VitalValue(hundredths: min(limit.hundredths, Int.max - 1) + 1)
        }
    }

    public var sign: String {
        switch self {
        case .atLeast: "≥"
        case .above: ">"
        case .below: "<"
        case .atMost: "≤"
        }
    }
}

extension AlarmKind {
    /// The comparison of its rule; `nil` for conditions without a value and a limit.
    public var relation: LimitRelation? {
        switch self {
        case .feverSingle, .feverSustained: .atLeast
        case .high, .severeHigh: .above
        case .low, .severeLow, .weakPulse: .below
        case .batteryLow, .weakSignal: .atMost
        default: nil
        }
    }
}

extension Alarm {
    /// Whether a value is beyond the limit, by the comparison of the rule; `false` without a limit.
    public func isBeyondLimit(_ value: VitalValue?) -> Bool {
        guard let value, let limit, let relation = kind.relation else { return false }
        return relation.holds(value, limit)
    }
}

extension MonitorState {
    /// The values at which the evaluation of a vital changes, in no order; rounding must not cross them.
    public func boundaries(of vital: Vital) -> [VitalValue] {
        let limits = currentLimits[vital].map { limits in
            LimitKind.allCases.compactMap { kind in
                limits[kind].value.flatMap { kind.alarmKind.relation?.boundary($0) }
            }
        }
        return (limits ?? []) + (vital == .bodyTemperature ? settings.fever.limits : [])
    }
}
