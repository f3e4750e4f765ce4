import Vitals

/// What a rule says about its condition at one moment; the alarm board makes episodes of it.
///
/// Every rule, whatever it looks at, answers in these words, so that a new rule needs no new machine.
enum AlarmVerdict: Hashable, Sendable {
    /// The condition does not hold; where the rule has a hysteresis, it is over.
    case unmet
    /// The condition is suspected and awaits more readings.
    case suspected(Alarm.Confirmations)
    /// The condition holds, or has not been gone for long enough.
    case met
    /// Nothing can be said, because there is no measurement; the reason when one is known.
    case unjudgeable(AbsenceReason?)
}

/// What identifies a state machine: one for each sensor and condition.
struct AlarmKey: Hashable, Sendable {
    var sensorOrdinal: Int
    var kind: AlarmKind
}

/// What an alarm is about, as the rule that judged saw it.
struct AlarmEvidence {
    var sensor: SensorIdentity
    var priority: AlarmPriority
    var vital: Vital?
    var site: BodySite?
    var value: VitalValue?
    var limit: VitalValue?
    var reason: AbsenceReason?
}
