import Vitals

/// One episode of an alarm: what it is about, how it stands, and what it has been through.
public struct Alarm: Hashable, Sendable, Identifiable {
    /// The number of the episode, from 1; a later episode of the same condition has another.
    public let id: Int
    /// The condition.
    public let kind: AlarmKind
    /// How soon a response is needed.
    public internal(set) var priority: AlarmPriority
    /// The sensor that it comes from.
    public internal(set) var sensor: SensorIdentity
    /// The sensor's ordinal, with `kind` the key of the state machine.
    let sensorOrdinal: Int
    /// The vital that it is about, if it is about one.
    public internal(set) var vital: Vital?
    /// Where on the body the newest value was taken, when the sensor says so.
    public internal(set) var site: BodySite?
    /// How it stands.
    public internal(set) var phase: Phase
    /// When the condition was first met (or first suspected).
    public let since: Moment
    /// When it became active; `nil` while pending.
    public internal(set) var activeSince: Moment?
    /// When the user acknowledged it.
    public internal(set) var acknowledgedAt: Moment?
    /// When it ended.
    public internal(set) var endedAt: Moment?
    /// The newest value, in the vital's unit, or percent for a battery.
    public internal(set) var value: VitalValue?
    /// The worst value of the episode.
    public internal(set) var peak: VitalValue?
    /// The limit that was crossed.
    public internal(set) var limit: VitalValue?
    /// For a technical alarm: why there is no measurement.
    public internal(set) var reason: AbsenceReason?
    /// The readings that confirm it so far, while a rule wants several.
    public internal(set) var confirmations: Confirmations?
    /// For a pending episode: what time alone will make of it, and when.
    var pendingUntil: PendingUntil?

    init(id: Int, key: AlarmKey, evidence: AlarmEvidence, since: Moment) {
        self.id = id
        kind = key.kind
        sensorOrdinal = key.sensorOrdinal
        priority = evidence.priority
        sensor = evidence.sensor
        phase = .pending
        self.since = since
        note(evidence)
    }

    /// About the patient, or about the equipment.
    public var alarmClass: AlarmClass { kind.alarmClass }

    /// The state in the words of `bedside watch --json`.
    public var state: AlarmState {
        switch phase {
        case .pending: .pending
        case .active: acknowledgedAt == nil ? .active : .acknowledged
        case .suspended: .suspended
        case .ended: .ended
        }
    }

    /// How an episode stands; acknowledging is beside it, because an acknowledged alarm can be suspended and resume.
    public enum Phase: Hashable, Sendable {
        /// Suspected, or waiting for its delay.
        case pending
        /// The condition holds, or has not been gone for long enough.
        case active
        /// Cannot be judged since then, because there is no measurement; not ended. The reason is `nil` when none is
        /// known.
        case suspended(since: Moment, reason: AbsenceReason?)
        /// Over.
        case ended
    }

    /// Progress of a rule that wants several readings in a row.
    public struct Confirmations: Hashable, Sendable {
        /// How many have come.
        public var count: Int
        /// How many are wanted.
        public var wanted: Int
    }

    /// What time alone will make of a pending episode, at a moment in nanoseconds of the monotonic clock.
    enum PendingUntil: Hashable, Sendable {
        case activation(Int64)
        case end(Int64)

        var nanoseconds: Int64 {
            switch self {
            case .activation(let nanoseconds), .end(let nanoseconds): nanoseconds
            }
        }
    }

    /// Takes the newest evidence in; the peak keeps the worst value.
    mutating func note(_ evidence: AlarmEvidence) {
        sensor = evidence.sensor
        vital = evidence.vital
        site = evidence.site
        limit = evidence.limit
        reason = evidence.reason
        guard let newest = evidence.value else { return }
        value = newest
        let isWorse = kind.isWorseWhenLower ? newest < peak ?? newest : newest > peak ?? newest
        peak = isWorse ? newest : peak ?? newest
    }

    /// Makes the episode active, or active again.
    mutating func activate(_ now: Moment) {
        phase = .active
        pendingUntil = nil
        confirmations = nil
        if activeSince == nil { activeSince = now }
    }

    /// Orders by what must be seen first: alarms before suspicions, by priority, unacknowledged before acknowledged,
    /// the patient before the equipment, older before newer.
    func isWorse(than other: Alarm) -> Bool {
        if (phase == .pending) != (other.phase == .pending) { return other.phase == .pending }
        if priority != other.priority { return priority > other.priority }
        if (acknowledgedAt == nil) != (other.acknowledgedAt == nil) { return acknowledgedAt == nil }
        if alarmClass != other.alarmClass { return alarmClass == .physiological }
        return id < other.id
    }
}
