import Vitals

/// What a rule says about its condition at one moment; the alarm board makes episodes of it.
///
/// Every rule, whatever it looks at, answers in these words, so that a new rule needs no new machine.
enum AlarmVerdict: Hashable, Sendable {
    /// The condition does not hold; where the rule has a hysteresis, it is over.
    case unmet
    /// The condition does not hold, but not by as much as its hysteresis wants: what is active stays so, nothing begins.
    case held
    /// The condition is suspected and awaits more readings.
    case suspected(Alarm.Confirmations)
    /// The condition holds, or has not been gone for long enough.
    case met
    /// Nothing can be said, because there is no measurement; the reason when one is known.
    case unjudgeable(AbsenceReason?)
}

/// What identifies a state machine: one for each source, vital and condition.
struct AlarmKey: Codable, Hashable, Sendable {
    var source: Source
    /// The vital, when the source can have the condition for each of its vitals.
    var vital: Vital?
    var kind: AlarmKind

    init(_ source: Source, vital: Vital? = nil, kind: AlarmKind) {
        self.source = source
        self.vital = vital
        self.kind = kind
    }

    /// Where a condition is found.
    enum Source: Codable, Hashable, Sendable {
        /// At the sensor with this ordinal.
        case sensor(Int)
        /// In what people have measured and typed.
        case manual
        /// At this computer.
        case computer
    }
}

/// What an alarm is about, as the rule that judged saw it.
struct AlarmEvidence {
    /// The sensor; `nil` when this computer is the source.
    var sensor: SensorIdentity?
    var priority: AlarmPriority
    var vital: Vital?
    var site: BodySite?
    var value: VitalValue?
    /// When the value was measured; `nil` for now.
    var measuredAt: Moment?
    var limit: VitalValue?
    /// For how long the limit must be crossed, or within what time a change counts.
    var duration: Duration?
    var reason: AbsenceReason?
    /// For a fever: what it means beside the neutrophil count.
    var feverRisk: FeverRisk?
    /// For a fever: which rule says so.
    var feverRule: FeverRuleName?
    /// What else there is to say, for people: "no space left on the disk".
    var detail: String?
}
