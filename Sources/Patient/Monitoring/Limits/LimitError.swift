import Vitals

/// Why limits are refused.
public enum LimitError: Error, Codable, Hashable, Sendable, CustomStringConvertible {
    /// Two limits contradict each other: `lower` must be below `upper`, or equal to it at most.
    case order(Vital, lower: LimitKind, VitalValue, upper: LimitKind, VitalValue)
    /// A limit is outside the measurable range, so that it would never, or always, raise its alarm.
    case outOfRange(Vital, LimitKind, VitalValue, ClosedRange<VitalValue>)
    /// A delay is negative or too long.
    case delay(Vital, LimitKind, Duration)
    /// A rate of change has an amount that is not positive, or an invalid time.
    case change(Vital, isFall: Bool)
    /// A time without any change is too short or too long.
    case flatLine(Vital, Duration)
    case noLimits(Vital)

    /// The error with its values: "the low limit 95 must lie below the high limit 90".
    public var description: String {
        switch self {
        case .order(let vital, let lower, let lowerValue, let upper, let upperValue):
            let relation = lower.isLow == upper.isLow ? "must not lie above" : "must lie below"
            return "the \(lower.text) limit \(lowerValue.text(of: vital)) \(relation) "
                + "the \(upper.text) limit \(upperValue.text(of: vital))"
        case .outOfRange(let vital, let kind, let value, let range):
            return "the \(kind.text) limit \(value.text(of: vital)) must lie within "
                + "\(range.lowerBound.text(of: vital)) and \(range.upperBound.text(of: vital))"
        case .delay(_, let kind, let delay):
            let longest = AlarmLimit.longestDelay.components.seconds
            return "the delay of the \(kind.text) limit, \(delay.components.seconds) s, "
                + "must lie within 0 and \(longest) s"
        case .change(_, let isFall):
            return "a \(isFall ? "fall" : "rise") needs an amount above 0 and a time within 5 s and 600 s"
        case .flatLine(_, let duration):
            let bounds = VitalLimits.flatLines
            return "the time of a flat line, \(duration.components.seconds) s, must lie within "
                + "\(bounds.lowerBound.components.seconds) and \(bounds.upperBound.components.seconds) s"
        case .noLimits(let vital):
            return "\(vital.text) has no limits"
        }
    }
}

extension VitalLimits {
    /// Refuses contradictory limits: severe low ≤ low < high ≤ severe high, for those that are on.
    public func validate(of vital: Vital) throws(LimitError) {
        guard let range = vital.traits.limits?.range else { throw .noLimits(vital) }
        let on = LimitKind.allCases.compactMap { kind in self[kind].value.map { (kind: kind, value: $0) } }
        for limit in on where !range.contains(limit.value) {
            throw .outOfRange(vital, limit.kind, limit.value, range)
        }
        for (lower, upper) in zip(on, on.dropFirst()) {
            let isRight = lower.kind.isLow == upper.kind.isLow ? lower.value <= upper.value : lower.value < upper.value
            guard isRight else { throw .order(vital, lower: lower.kind, lower.value, upper: upper.kind, upper.value) }
        }
        for kind in LimitKind.allCases where !(.zero...AlarmLimit.longestDelay).contains(self[kind].delay) {
            throw .delay(vital, kind, self[kind].delay)
        }
        for (change, isFall) in [(fall, true), (rise, false)] {
            guard let amount = change.amount else { continue }
            guard amount.hundredths > 0, ChangeLimit.windows.contains(change.within) else {
                throw .change(vital, isFall: isFall)
            }
        }
        if let flatLine, !Self.flatLines.contains(flatLine) { throw .flatLine(vital, flatLine) }
    }

    /// The possible times without any change.
    public static let flatLines = Duration.seconds(10)...Duration.seconds(86_400)
}

extension MonitorSettings.Limits {
    /// Refuses contradictory limits; reports the first conflict.
    public func validate() throws(LimitError) {
        for vital in Self.vitals { try self[vital]?.validate(of: vital) }
    }
}
