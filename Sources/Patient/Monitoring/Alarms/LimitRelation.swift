import Base
import Vitals

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
        case .low, .severeLow: .below
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
