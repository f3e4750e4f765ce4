import Base
import Vitals

/// One episode of an alarm: its subject, its state and its history.
public struct Alarm: Codable, Hashable, Sendable, Identifiable {
    /// The number of the episode, from 1; a later episode of the same condition has another.
    public let id: Int
    /// Identifies its state machine.
    let key: AlarmKey
    /// How soon a response is needed.
    public internal(set) var priority: AlarmPriority
    /// Its sensor; `nil` for an alarm about this computer.
    public internal(set) var sensor: SensorIdentity?
    /// Its vital, if it is about one.
    public internal(set) var vital: Vital?
    /// The site of the newest value, if the sensor reports it.
    public internal(set) var site: BodySite?
    public internal(set) var phase: Phase
    /// When the condition was first met (or first suspected).
    public internal(set) var since: Moment
    /// When it became active; `nil` while pending.
    public internal(set) var activeSince: Moment?
    /// When the user acknowledged it.
    public internal(set) var acknowledgedAt: Moment?
    /// Until when it is silent and steady, because its sensor is paused for care.
    public internal(set) var heldUntil: Moment?
    /// When it ended; for an interrupted alarm, when it was last known to be active.
    public internal(set) var endedAt: Moment?
    /// Whether its end is unknown, because Bedside ended before.
    public internal(set) var isInterrupted = false
    /// Whether its condition has ended and it is shown until it is acknowledged.
    public internal(set) var isLatched = false
    /// The number of episodes it represents: more than one if earlier ones of the same condition were not acknowledged
    /// either.
    public internal(set) var episodeCount = 1
    /// The newest value, in the vital's unit, percent for a battery, or dBm for a signal.
    public internal(set) var value: VitalValue?
    /// When the newest value was measured.
    public internal(set) var valueAt: Moment?
    /// Whether the newest value is a late one, which was never current here.
    private(set) var isValueLate = false
    /// The worst value of the episode.
    public internal(set) var peak: VitalValue?
    /// When the peak was measured.
    public internal(set) var peakAt: Moment?
    /// The sensor of the peak; entries of one condition may come from several sensors.
    private(set) var peakSensor: SensorIdentity?
    /// The worst value when the user acknowledged it.
    var acknowledgedPeak: VitalValue?
    /// The limit that was crossed; for a change by speed, the amount.
    public internal(set) var limit: VitalValue?
    /// The values at which the evaluation of the vital changes; rounding must not cross them.
    public internal(set) var boundaries: [VitalValue] = []
    /// How long the limit must be crossed, or the time within which the change counts.
    public internal(set) var duration: Duration?
    /// For a technical alarm, why there is no measurement.
    public internal(set) var reason: AbsenceReason?
    /// Further details for the user; sanitized and bounded.
    public internal(set) var detail: String?
    /// For a fever, its meaning with the neutrophil count.
    public internal(set) var feverRisk: FeverRisk?
    /// For a fever, the rule that detected it.
    public internal(set) var feverRule: FeverRuleName?
    /// Whether its newest value is a measurement that nobody has confirmed yet.
    public internal(set) var isUnconfirmed = false
    /// The side of the sensor's range that its value was beyond at some time: worse than any number; `nil` if never.
    private(set) var worstReason: AbsenceReason?
    /// Whether that happened after the acknowledgement, and ends it.
    var isNewlyBeyondRange = false
    /// The readings that confirm it so far, if a rule requires several.
    public internal(set) var confirmations: Confirmations?
    /// The next change by time alone, and when.
    var due: Due?
    /// The end of a pending episode's delay.
    var delay: Delay?
    /// When it alerts again unless it is acknowledged.
    var alertAgainAt: MonotonicTime?
    /// When it alerts again; `nil` while it needs no response.
    var nextAlert: MonotonicTime? { wantsAttention ? alertAgainAt : nil }

    init(id: Int, key: AlarmKey, evidence: AlarmEvidence, since: Moment) {
        self.id = id
        self.key = key
        priority = evidence.priority
        sensor = evidence.sensor
        phase = .pending
        self.since = since
        record(evidence, since)
    }

    /// The condition.
    public var kind: AlarmKind { key.kind }

    /// The ordinal of its sensor; `nil` without one.
    var sensorOrdinal: Int? {
        if case .sensor(let ordinal) = key.source { ordinal } else { nil }
    }

    /// Whether it comes from entries of the record; also for one of an earlier run, which no longer has a state
    /// machine.
    public var isOfEntry: Bool { alarmClass == .physiological && sensor?.kind.isSpot == true }

    /// About the patient, or about the equipment.
    public var alarmClass: AlarmClass { kind.alarmClass }

    /// The state as named in `bedside watch --json`.
    public var state: AlarmState {
        switch phase {
        case .pending: .pending
        case .active, .clearing: acknowledgedAt == nil ? .active : .acknowledged
        case .suspended: .suspended
        case .ended: .ended
        }
    }

    /// The phase of an episode; acknowledgement is separate, because an acknowledged alarm can be suspended and resume.
    public enum Phase: Codable, Hashable, Sendable {
        /// Suspected, or waiting for its delay.
        case pending
        /// The condition holds.
        case active
        /// The condition has not held since then, but not long enough for the alarm to end.
        case clearing(since: Moment)
        /// Cannot be evaluated since then, because there is no measurement; not ended.
        ///
        /// The reason is `nil` if unknown.
        case suspended(since: Moment, reason: AbsenceReason?)
        /// Over.
        case ended
    }

    /// Progress of a rule that requires several consecutive readings.
    public struct Confirmations: Codable, Hashable, Sendable {
        /// The number of readings so far.
        public var count: Int
        /// The required number.
        public var wanted: Int
    }

    /// The next change of an episode by time alone, and when.
    enum Due: Codable, Hashable, Sendable {
        case activation(MonotonicTime)
        case end(MonotonicTime)

        var time: MonotonicTime {
            switch self {
            case .activation(let time), .end(let time): time
            }
        }
    }

    /// The delay of a pending episode: it runs while the condition is met, and pauses while that cannot be evaluated.
    enum Delay: Codable, Hashable, Sendable {
        /// It ends at this time.
        case running(until: MonotonicTime)
        /// The remaining nanoseconds.
        case stopped(left: Int64)
    }

    /// Records the newest evidence; the peak keeps the worst value.
    mutating func record(_ evidence: AlarmEvidence, _ now: Moment) {
        sensor = evidence.sensor
        vital = evidence.vital
        site = evidence.site
        limit = evidence.limit
        boundaries = evidence.boundaries
        duration = evidence.duration
        reason = evidence.reason
        detail = evidence.detail
        feverRisk = evidence.feverRisk
        feverRule = evidence.feverRule
        isUnconfirmed = evidence.isUnconfirmed
        if evidence.reason?.beyondRange != nil, kind.isAboutValues {
            // The number is no longer known; the last one would look like a present value.
            (value, valueAt, isValueLate) = (nil, evidence.measuredAt ?? now, evidence.isLate)
            isNewlyBeyondRange = worstReason == nil && acknowledgedAt != nil
            if worstReason == nil { (peakAt, peakSensor) = (valueAt, sensor) }
            worstReason = worstReason ?? evidence.reason
            return
        }
        guard let newest = evidence.value else { return }
        (value, valueAt, isValueLate) = (newest, evidence.measuredAt ?? now, evidence.isLate)
        let worst = worse(of: newest, peak)
        if worst != peak, worstReason == nil { (peakAt, peakSensor) = (valueAt, sensor) }
        peak = worst
    }

    /// The worse of two values, by the direction of the alarm.
    func worse(of value: VitalValue, _ other: VitalValue?) -> VitalValue { kind.worse(of: value, other) }

    /// Makes the episode active, or active again.
    mutating func activate(_ now: Moment) {
        phase = .active
        due = nil
        delay = nil
        confirmations = nil
        if activeSince == nil { activeSince = now }
    }

    /// Whether it needs a response now: it may sound, unless it is snoozed.
    ///
    /// Losing the measurement is no answer: a suspended episode continues to sound until it is acknowledged.
    var wantsAttention: Bool {
        guard acknowledgedAt == nil, heldUntil == nil else { return false }
        switch phase {
        case .active, .suspended: return true
        case .pending, .clearing, .ended: return false
        }
    }

    /// Whether it ends when its sensor is forgotten.
    var isSettledWhenForgotten: Bool {
        switch phase {
        case .suspended: acknowledgedAt != nil || !kind.isAboutValues
        case .pending: true
        case .active, .clearing, .ended: false
        }
    }

    /// Whether it includes the other one and is worse: the severe limit includes the ordinary one of the same side, a
    /// fever the high limit.
    func covers(_ other: Alarm) -> Bool {
        guard key.source == other.key.source, vital == other.vital else { return false }
        switch (kind, other.kind) {
        case (.severeLow, .low), (.severeHigh, .high): return true
        case (_, .high): return kind.isFever
        default: return false
        }
    }

    /// Orders by urgency for the display.
    ///
    /// A lost monitor; then alarms before suspicions; unanswered before answered, held for care or ended; by priority;
    /// ongoing ones; by harm (``AlarmKind/urgency(of:)``); active before suspended or held for care; unacknowledged
    /// before acknowledged; the patient before the equipment; of high priority the newest; older before newer.
    func isWorse(than other: Alarm) -> Bool {
        if (kind == .monitorLost) != (other.kind == .monitorLost) { return kind == .monitorLost }
        if (phase == .pending) != (other.phase == .pending) { return other.phase == .pending }
        if isUnanswered != other.isUnanswered { return isUnanswered }
        if priority != other.priority { return priority > other.priority }
        if (phase == .ended) != (other.phase == .ended) { return other.phase == .ended }
        if urgency != other.urgency { return urgency < other.urgency }
        if isWaiting != other.isWaiting { return other.isWaiting }
        if (acknowledgedAt == nil) != (other.acknowledgedAt == nil) { return acknowledgedAt == nil }
        if alarmClass != other.alarmClass { return alarmClass == .physiological }
        // The newest of high priority has been seen least.
        let (second, otherSecond) = (since.wallMilliseconds / 1000, other.since.wallMilliseconds / 1000)
        if priority == .high, second != otherSecond { return second > otherSecond }
        return id < other.id
    }

    private var urgency: Int { kind.urgency(of: vital) }

    /// Whether it is neither ended nor answered; losing the measurement is no answer.
    private var isUnanswered: Bool { acknowledgedAt == nil && heldUntil == nil && phase != .ended }

    /// Whether it is inactive at present, though it has not ended.
    private var isWaiting: Bool {
        if case .suspended = phase { return true }
        return heldUntil != nil && phase != .ended
    }
}

extension Alarm {
    /// Whether its value is worse, by a step of the vital, than the worst acknowledged one.
    ///
    /// Acknowledging a fever of 38.4 does not acknowledge one of 41.6.
    ///
    /// A value beyond the sensor's range is worse than any number.
    var isWorseThanAcknowledged: Bool {
        acknowledgedAt != nil
            && (isNewlyBeyondRange || worstReason == nil && isWorse(value, than: acknowledgedPeak))
    }

    /// The text in place of its value, or of its worst one when it is over, if no number is known: "HI".
    public var rangeText: String? {
        AbsenceExplanation.rangeText(phase == .ended ? worstReason : kind.isAboutValues ? reason : nil)
    }

    /// Whether a value is worse, by a step of the vital, than an earlier one; never if one of them is unknown.
    public func isWorse(_ value: VitalValue?, than earlier: VitalValue?) -> Bool {
        guard let value, let earlier, let step = vital?.traits.limits?.worseningStep, kind.relation != nil
        else { return false }
        let (higher, lower) = kind.isWorseWhenLower ? (earlier, value) : (value, earlier)
        return higher.hundredths.subtractingSaturated(lower.hundredths) >= step.hundredths
    }
}
