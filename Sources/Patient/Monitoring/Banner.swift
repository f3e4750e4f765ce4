import Vitals

/// A missing measurement of a vital or a sensor: the reason, its beginning and the remedy.
public struct Banner: Hashable, Sendable {
    /// The absence: reason, beginning, sensor, last value.
    public var absence: Absence
    /// The vitals concerned.
    public var vitals: [Vital]

    init(absence: Absence, vitals: [Vital]) {
        self.absence = absence
        self.vitals = vitals
    }

    /// The text for the reason and the remedy.
    public var explanation: AbsenceExplanation {
        AbsenceExplanation(reason: absence.reason, sensor: absence.sensor.kind, vital: vitals.first)
    }
}
