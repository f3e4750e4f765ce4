import Base
import Vitals

/// How a value is compared with the limit of an alarm; screens print exactly this comparison.
public enum LimitRelation: CaseIterable, Hashable, Sendable {
    /// Reached or passed upwards: fever.
    case atLeast
    /// Passed upwards: high limits.
    case above
    /// Passed downwards: low limits.
    case below
    /// Reached or passed downwards: batteries, signals.
    case atMost

    /// Whether a value stands in this relation to a limit.
    public func holds(_ value: VitalValue, _ limit: VitalValue) -> Bool {
        switch self {
        case .atLeast: value >= limit
        case .above: value > limit
        case .below: value < limit
        case .atMost: value <= limit
        }
    }

    /// The lowest value that is evaluated like higher ones: a limit that must be exceeded counts from the next
    /// hundredth on.
    public func boundary(_ limit: VitalValue) -> VitalValue {
        switch self {
        case .atLeast, .below: limit
        case .above, .atMost: VitalValue(hundredths: min(limit.hundredths, Int.max - 1) + 1)
        }
    }

    /// The sign: "≥".
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
    /// How its rule compares a value with the limit; `nil` for conditions without a value and a limit.
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
    /// Whether a value lies beyond the limit, as the rule compares them; `false` without a limit.
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
