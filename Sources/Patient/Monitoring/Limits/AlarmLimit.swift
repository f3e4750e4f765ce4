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
