import Vitals

/// One episode of an alarm: what it is about, how it stands, and what it has been through.
public struct Alarm: Codable, Hashable, Sendable, Identifiable {
    /// The number of the episode, from 1; a later episode of the same condition has another.
    public let id: Int
    /// What identifies its state machine.
    let key: AlarmKey
    /// How soon a response is needed.
    public internal(set) var priority: AlarmPriority
    /// The sensor that it comes from; `nil` when it is about this computer.
    public internal(set) var sensor: SensorIdentity?
    /// The vital that it is about, if it is about one.
    public internal(set) var vital: Vital?
    /// Where on the body the newest value was taken, when the sensor says so.
    public internal(set) var site: BodySite?
    /// How it stands.
    public internal(set) var phase: Phase
    /// When the condition was first met (or first suspected).
    public internal(set) var since: Moment
    /// When it became active; `nil` while pending.
    public internal(set) var activeSince: Moment?
    /// When the user acknowledged it.
    public internal(set) var acknowledgedAt: Moment?
    /// Until when it is neither heard nor flashing, because its sensor is paused for care.
    public internal(set) var heldUntil: Moment?
    /// When it ended; when it is interrupted, until when it is known to have gone on.
    public internal(set) var endedAt: Moment?
    /// Whether nobody knows when it ended, because Bedside ended before it.
    public internal(set) var isInterrupted = false
    /// Whether its condition has ended and it is still shown, because nobody has acknowledged it.
    public internal(set) var isLatched = false
    /// How many episodes it stands for: more than one when others of the same condition ended before it and were not
    /// acknowledged either.
    public internal(set) var episodeCount = 1
    /// The newest value, in the vital's unit, percent for a battery, or dBm for a signal.
    public internal(set) var value: VitalValue?
    /// When that was measured.
    public internal(set) var valueAt: Moment?
    /// The worst value of the episode.
    public internal(set) var peak: VitalValue?
    /// When that was measured.
    public internal(set) var peakAt: Moment?
    /// The worst value when the user acknowledged it.
    var acknowledgedPeak: VitalValue?
    /// The limit that was crossed; for a change by speed, the amount.
    public internal(set) var limit: VitalValue?
    /// For how long the limit must be crossed, or within what time the change counts.
    public internal(set) var duration: Duration?
    /// For a technical alarm: why there is no measurement.
    public internal(set) var reason: AbsenceReason?
    /// What else there is to say, for people; harmless and bounded.
    public internal(set) var detail: String?
    /// For a fever: what it means beside the neutrophil count.
    public internal(set) var feverRisk: FeverRisk?
    /// For a fever: which rule says so.
    public internal(set) var feverRule: FeverRuleName?
    /// The readings that confirm it so far, while a rule wants several.
    public internal(set) var confirmations: Confirmations?
    /// What time alone will make of it, and when.
    var due: Due?
    /// When the delay of a pending episode is over.
    var delay: Delay?
    /// When it alerts again unless it is acknowledged, in nanoseconds of the monotonic clock.
    var alertAgainAt: Int64?

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

    /// The ordinal of its sensor; `nil` when it comes from none.
    var sensorOrdinal: Int? {
        if case .sensor(let ordinal) = key.source { ordinal } else { nil }
    }

    /// About the patient, or about the equipment.
    public var alarmClass: AlarmClass { kind.alarmClass }

    /// The state in the words of `bedside watch --json`.
    public var state: AlarmState {
        switch phase {
        case .pending: .pending
        case .active, .clearing: acknowledgedAt == nil ? .active : .acknowledged
        case .suspended: .suspended
        case .ended: .ended
        }
    }

    /// How an episode stands; acknowledging is beside it, because an acknowledged alarm can be suspended and resume.
    public enum Phase: Codable, Hashable, Sendable {
        /// Suspected, or waiting for its delay.
        case pending
        /// The condition holds.
        case active
        /// The condition has not held since then, which is not long enough to call it over.
        case clearing(since: Moment)
        /// Cannot be judged since then, because there is no measurement; not ended. The reason is `nil` when none is
        /// known.
        case suspended(since: Moment, reason: AbsenceReason?)
        /// Over.
        case ended
    }

    /// Progress of a rule that wants several readings in a row.
    public struct Confirmations: Codable, Hashable, Sendable {
        /// How many have come.
        public var count: Int
        /// How many are wanted.
        public var wanted: Int
    }

    /// What time alone will make of an episode, at a moment in nanoseconds of the monotonic clock.
    enum Due: Codable, Hashable, Sendable {
        case activation(Int64)
        case end(Int64)

        var nanoseconds: Int64 {
            switch self {
            case .activation(let nanoseconds), .end(let nanoseconds): nanoseconds
            }
        }
    }

    /// The delay of a pending episode: it runs while the condition is seen to be met, and stands still while it cannot
    /// be judged.
    enum Delay: Codable, Hashable, Sendable {
        /// It is over at this moment, in nanoseconds of the monotonic clock.
        case running(until: Int64)
        /// So many nanoseconds are left.
        case stopped(left: Int64)
    }

    /// Takes the newest evidence in; the peak keeps the worst value.
    mutating func record(_ evidence: AlarmEvidence, _ now: Moment) {
        sensor = evidence.sensor
        vital = evidence.vital
        site = evidence.site
        limit = evidence.limit
        duration = evidence.duration
        reason = evidence.reason
        detail = evidence.detail
        feverRisk = evidence.feverRisk
        feverRule = evidence.feverRule
        guard let newest = evidence.value else { return }
        value = newest
        valueAt = evidence.measuredAt ?? now
        let worst = worse(of: newest, peak)
        if worst != peak { peakAt = valueAt }
        peak = worst
    }

    /// The worse of two values, by the direction that the alarm looks in.
    func worse(of value: VitalValue, _ other: VitalValue?) -> VitalValue { kind.worse(of: value, other) }

    /// Makes the episode active, or active again.
    mutating func activate(_ now: Moment) {
        phase = .active
        due = nil
        delay = nil
        confirmations = nil
        if activeSince == nil { activeSince = now }
    }

    /// Whether it stands for a condition that somebody ought to look after now: it may be heard, unless it is snoozed.
    ///
    /// Losing the measurement answers nothing: an episode that is suspended calls on until somebody acknowledges it.
    var wantsAttention: Bool {
        guard acknowledgedAt == nil, heldUntil == nil else { return false }
        switch phase {
        case .active, .suspended: return true
        case .pending, .clearing, .ended: return false
        }
    }

    /// Whether nobody needs to hear of it any more once its sensor is forgotten.
    var isSettledWhenForgotten: Bool {
        switch phase {
        case .suspended: acknowledgedAt != nil || !kind.isAboutValues
        case .pending: true
        case .active, .clearing, .ended: false
        }
    }

    /// Whether it says all that the other one says, and worse: the severe limit beside the ordinary one of the same side,
    /// or a fever beside the high limit.
    func covers(_ other: Alarm) -> Bool {
        guard key.source == other.key.source, vital == other.vital else { return false }
        switch (kind, other.kind) {
        case (.severeLow, .low), (.severeHigh, .high): return true
        case (_, .high): return kind.isFever
        default: return false
        }
    }

    /// Orders by what must be seen first.
    ///
    /// A lost monitor; then alarms before suspicions; what still calls before what is answered, held for care or over;
    /// by priority; what goes on before what is suspended or held for care, and that before what is over;
    /// unacknowledged before acknowledged; the patient before the equipment; older before newer.
    func isWorse(than other: Alarm) -> Bool {
        if (kind == .monitorLost) != (other.kind == .monitorLost) { return kind == .monitorLost }
        if (phase == .pending) != (other.phase == .pending) { return other.phase == .pending }
        if isUnanswered != other.isUnanswered { return isUnanswered }
        if priority != other.priority { return priority > other.priority }
        if (phase == .ended) != (other.phase == .ended) { return other.phase == .ended }
        if isWaiting != other.isWaiting { return other.isWaiting }
        if (acknowledgedAt == nil) != (other.acknowledgedAt == nil) { return acknowledgedAt == nil }
        if alarmClass != other.alarmClass { return alarmClass == .physiological }
        return id < other.id
    }

    /// Whether it is not over, and nobody has answered it; losing the measurement answers nothing.
    private var isUnanswered: Bool { acknowledgedAt == nil && heldUntil == nil && phase != .ended }

    /// Whether it does not go on at present, though it is not over.
    private var isWaiting: Bool {
        if case .suspended = phase { return true }
        return heldUntil != nil && phase != .ended
    }
}
