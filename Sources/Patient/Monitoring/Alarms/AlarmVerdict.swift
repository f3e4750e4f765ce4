import Vitals

/// A rule's result for its condition at one moment; the alarm board turns it into episodes.
///
/// Every rule returns one of these, so that a new rule needs no new state machine.
enum AlarmVerdict: Hashable, Sendable {
    /// The condition does not hold; where the rule has a hysteresis, it is over.
    case unmet
    /// The condition is within its hysteresis: an active alarm stays active, none begins.
    case held
    /// The condition is suspected and awaits more readings.
    case suspected(Alarm.Confirmations)
    /// The condition holds, or has not been absent for long enough.
    case met
    /// The condition cannot be evaluated, because there is no measurement; the reason when one is known.
    case indeterminate(AbsenceReason?)
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
        /// In manual entries.
        case manual
        /// At this computer.
        case computer
    }
}

/// The evidence of an alarm, as its rule saw it.
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
    /// The values at which the evaluation of the vital changes.
    var boundaries: [VitalValue] = []
    /// For how long the limit must be crossed, or within what time a change counts.
    var duration: Duration?
    var reason: AbsenceReason?
    /// For a fever, what it means with the neutrophil count.
    var feverRisk: FeverRisk?
    /// For a fever, the rule that found it.
    var feverRule: FeverRuleName?
    /// Further detail for people: "no space left on the disk".
    var detail: String?
}
