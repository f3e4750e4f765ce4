import Vitals

/// One of the rules for the values of a vital, with its parameters.
public enum LimitSetting: Codable, Hashable, Sendable {
    /// A limit that values must not cross.
    case limit(LimitKind, AlarmLimit)
    /// How fast the vital may fall.
    case fall(ChangeLimit)
    /// How fast the vital may rise.
    case rise(ChangeLimit)
    /// How long the vital may be unchanged; `nil` if off.
    case flatLine(Duration?)

    /// The rules of a vital; the raw value is the name in files and in the log.
    public enum Name: String, CaseIterable, Codable, Hashable, Sendable {
        case severeLow = "severe_low"
        case low
        case high
        case severeHigh = "severe_high"
        case fall
        case rise
        case flatLine = "flat_line"

        /// The rule for this limit.
        public init(_ kind: LimitKind) {
            switch kind {
            case .severeLow: self = .severeLow
            case .low: self = .low
            case .high: self = .high
            case .severeHigh: self = .severeHigh
            }
        }

        /// The limit, if the rule is one.
        public var limit: LimitKind? { LimitKind(rawValue: rawValue) }

        /// The rule in plain text: "severe low".
        public var text: String {
            switch self {
            case .fall: "fall"
            case .rise: "rise"
            case .flatLine: "flat line"
            case .severeLow, .low, .high, .severeHigh: limit?.text ?? rawValue
            }
        }

        /// The kind of its alarm.
        public var alarmKind: AlarmKind {
            switch self {
            case .severeLow: .severeLow
            case .low: .low
            case .high: .high
            case .severeHigh: .severeHigh
            case .fall: .fall
            case .rise: .rise
            case .flatLine: .flatLine
            }
        }
    }

    public var name: Name {
        switch self {
        case .limit(let kind, _): Name(kind)
        case .fall: .fall
        case .rise: .rise
        case .flatLine: .flatLine
        }
    }

    /// Whether it raises alarms at all.
    public var isOn: Bool {
        switch self {
        case .limit(_, let limit): limit.value != nil
        case .fall(let change), .rise(let change): change.amount != nil
        case .flatLine(let duration): duration != nil
        }
    }

    /// The setting as text: "90 (medium, after 15 s)", "20 within 60 s (medium)", "5 min", "off".
    public func text(of vital: Vital) -> String {
        switch self {
        case .limit(_, let limit): limit.text(of: vital)
        case .fall(let change), .rise(let change):
            change.amount.map { "\($0.text(of: vital)) within \(change.within.text) (\(change.priority.rawValue))" }
                ?? "off"
        case .flatLine(let duration): duration?.text ?? "off"
        }
    }
}

extension VitalLimits {
    /// One of the rules.
    public subscript(name: LimitSetting.Name) -> LimitSetting {
        switch name {
        case .severeLow: .limit(.severeLow, severeLow)
        case .low: .limit(.low, low)
        case .high: .limit(.high, high)
        case .severeHigh: .limit(.severeHigh, severeHigh)
        case .fall: .fall(fall)
        case .rise: .rise(rise)
        case .flatLine: .flatLine(flatLine)
        }
    }

    /// Replaces the rule of the same name.
    public mutating func set(_ setting: LimitSetting) {
        switch setting {
        case .limit(let kind, let limit): self[kind] = limit
        case .fall(let change): fall = change
        case .rise(let change): rise = change
        case .flatLine(let duration): flatLine = duration
        }
    }
}

extension LimitSetting.Name {
    /// The rule's name in a sentence: "severe low limit", "flat line".
    var title: String { limit.map { "\($0.text) limit" } ?? text }
}
