import Base
import Vitals

/// One limit of a vital: its value, how soon a response is needed when it is crossed, and how long it may be crossed
/// before it raises an alarm.
public struct AlarmLimit: Codable, Hashable, Sendable {
    /// The limit in the vital's unit; `nil` if it is off.
    ///
    /// A value *at* the limit is still within it.
    public var value: VitalValue?
    public var priority: AlarmPriority
    /// How long the limit must be crossed without a break before the alarm is active; 0 to 10 minutes.
    public var delay: Duration

    /// Creates a limit; one without a value is off.
    public init(_ value: VitalValue?, _ priority: AlarmPriority, delay: Duration = .zero) {
        self.value = value
        self.priority = priority
        self.delay = delay
    }

    /// The longest delay that a limit may have.
    public static let longestDelay = Duration.seconds(600)
}

/// The limits of a vital; the raw value is the name in `bedside watch --json` and in files.
public enum LimitKind: String, CaseIterable, Codable, Hashable, Sendable {
    /// The lower of the two low limits: dangerous.
    case severeLow = "severe_low"
    /// The low limit.
    case low
    /// The high limit.
    case high
    /// The higher of the two high limits: dangerous.
    case severeHigh = "severe_high"

    /// The limit in plain text: "severe low".
    public var text: String {
        switch self {
        case .severeLow: "severe low"
        case .low: "low"
        case .high: "high"
        case .severeHigh: "severe high"
        }
    }

    /// Whether values below it cross it.
    public var isLow: Bool { self == .severeLow || self == .low }

    /// The limits that a value beyond its sensor's range crosses, the severest first.
    static func severestFirst(of side: AbsenceReason.RangeSide) -> [LimitKind] {
        side == .above ? [.severeHigh, .high] : [.severeLow, .low]
    }

    /// The kind of the alarm when it is crossed.
    public var alarmKind: AlarmKind {
        switch self {
        case .severeLow: .severeLow
        case .low: .low
        case .high: .high
        case .severeHigh: .severeHigh
        }
    }
}

/// The permitted rate of change of a vital: less than an amount within a time.
public struct ChangeLimit: Codable, Hashable, Sendable {
    /// The change that raises the alarm, in the vital's unit; `nil` if it is off.
    public var amount: VitalValue?
    /// The time within which the change counts; 5 seconds to 10 minutes.
    public var within: Duration
    public var priority: AlarmPriority

    /// Creates a limit; one without an amount is off.
    public init(_ amount: VitalValue?, within: Duration, _ priority: AlarmPriority) {
        self.amount = amount
        self.within = within
        self.priority = priority
    }

    /// The possible times for a rate of change.
    public static let windows = Duration.seconds(5)...Duration.seconds(600)
}

/// The limits of a vital in hundredths, calculated once instead of at each event.
struct LimitBounds: Codable, Hashable, Sendable {
    let limits: VitalLimits
    /// Within these no limit is crossed; in hundredths.
    let quiet: ClosedRange<Int>
    let hysteresis: Int
    let hold: Duration
    let watchesChange: Bool
    let flatLine: Int64?

    init(_ limits: VitalLimits) {
        self.limits = limits
        func value(_ kind: LimitKind) -> Int? { limits[kind].value?.hundredths }
        let lower = max(value(.severeLow) ?? .min, value(.low) ?? .min)
        let upper = min(value(.high) ?? .max, value(.severeHigh) ?? .max)
        // Contradictory limits are refused earlier; if some reach this point, no value counts as quiet.
        quiet = lower <= upper ? lower...upper : 0...0
        hysteresis = limits.hysteresis.hundredths.clamped(to: 0...100_000)
        hold = max(.zero, limits.minimumHold)
        watchesChange = limits.fall.amount != nil || limits.rise.amount != nil
        flatLine = limits.flatLine?.nanoseconds
    }

    /// Returns a limit's verdict on a value.
    func verdict(_ kind: LimitKind, _ value: Int) -> AlarmVerdict {
        guard let limit = limits[kind].value?.hundredths else { return .unmet }
        let (beyond, overflow) =
            kind.isLow ? limit.subtractingReportingOverflow(value) : value.subtractingReportingOverflow(limit)
        if overflow { return (value < limit) == kind.isLow ? .met : .unmet }
        if beyond > 0 { return .met }
        return beyond > -hysteresis ? .held : .unmet
    }
}

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
