import Vitals

/// The state of the rules for a sensor's vital: which alarms may be open, its rate of change, whether it changes.
struct ValueWatch: Codable, Hashable, Sendable {
    /// The alarms that may be open since the last evaluation; within the limits only they need evaluation.
    private var open: UInt8 = 0
    private var highest: ExtremeWindow?
    private var lowest: ExtremeWindow?
    private var flatValue: VitalValue?
    private var calibration: AppliedCalibration?
    private var flatSince = MonotonicTime(nanoseconds: 0)

    /// Whether no alarm about the value can be open.
    var isQuiet: Bool { open == 0 }

    func mayBeOpen(_ kind: AlarmKind) -> Bool { open & Self.bit(kind) != 0 }

    mutating func setOpen(_ kind: AlarmKind, _ isOpen: Bool) {
        if isOpen { open |= Self.bit(kind) } else { open &= ~Self.bit(kind) }
    }

    /// Forgets the previous values: values after a gap are not compared with those before it.
    mutating func interrupted() {
        highest = nil
        lowest = nil
        flatValue = nil
    }

    /// Records a value; one by another calibration is not compared with those before it.
    mutating func record(
        _ value: VitalValue, at time: MonotonicTime, bounds: LimitBounds, calibration: AppliedCalibration? = nil
    ) {
        if calibration != self.calibration { interrupted() }
        self.calibration = calibration
        if value != flatValue {
            flatValue = value
            flatSince = time
        }
        guard bounds.watchesChange else { return }
        Self.record(value, in: &highest, bounds.limits.fall, prefersHigher: true, time)
        Self.record(value, in: &lowest, bounds.limits.rise, prefersHigher: false, time)
    }

    /// How long the value has been unchanged, in nanoseconds; 0 while no value is known.
    func flatDuration(at time: MonotonicTime) -> Int64 {
        flatValue == nil ? 0 : time.nanoseconds(since: flatSince)
    }

    /// How far a value is below the highest, or above the lowest, of the rule's window.
    func change(to value: VitalValue, isFall: Bool) -> VitalValue {
        guard let extreme = (isFall ? highest : lowest)?.extreme else { return VitalValue(hundredths: 0) }
        let (higher, lower) = isFall ? (extreme, value) : (value, extreme)
        let (change, overflow) = higher.hundredths.subtractingReportingOverflow(lower.hundredths)
        return VitalValue(hundredths: overflow ? .max : change)
    }

    private static func record(
        _ value: VitalValue, in window: inout ExtremeWindow?, _ limit: ChangeLimit, prefersHigher: Bool,
        _ time: MonotonicTime
    ) {
        guard limit.amount != nil else { return window = nil }
        var extremes = window ?? ExtremeWindow(prefersHigher: prefersHigher)
        extremes.insert(value, at: time, span: limit.within)
        window = extremes
    }

    /// The alarms about the value itself.
    static let kinds: [AlarmKind] = [.severeLow, .low, .high, .severeHigh, .fall, .rise, .flatLine]

    private static func bit(_ kind: AlarmKind) -> UInt8 {
        switch kind {
        case .severeLow: 1
        case .low: 2
        case .high: 4
        case .severeHigh: 8
        case .fall: 16
        case .rise: 32
        case .flatLine: 64
        default: 0
        }
    }
}

extension AlarmKind {
    /// Whether it is about a limit that a value beyond its sensor's range crosses on this side.
    func isLimit(of side: AbsenceReason.RangeSide) -> Bool {
        LimitKind.severestFirst(of: side).contains { $0.alarmKind == self }
    }
}

/// The highest or lowest value of a sliding window, at a constant cost per value.
struct ExtremeWindow: Codable, Hashable, Sendable {
    /// The number of kept candidates; the window's length is exact to a sixty-fourth.
    private static let parts = 64

    private let prefersHigher: Bool
    /// Values more extreme than all later ones, the oldest and most extreme first.
    private var candidates: [Candidate] = []

    init(prefersHigher: Bool) {
        self.prefersHigher = prefersHigher
    }

    /// The most extreme value of the window.
    var extreme: VitalValue? { candidates.first?.value }

    /// Adds a value, and drops those older than `span`.
    mutating func insert(_ value: VitalValue, at time: MonotonicTime, span: Duration) {
        let stale = candidates.prefix { time.since($0.time) > span }.count
        candidates.removeFirst(stale)
        while let last = candidates.last, prefersHigher ? last.value <= value : last.value >= value {
            candidates.removeLast()
        }
        if let last = candidates.last, time.since(last.time) < span / Self.parts { return }
        candidates.append(Candidate(value: value, time: time))
    }

    private struct Candidate: Codable, Hashable, Sendable {
        var value: VitalValue
        var time: MonotonicTime
    }
}
