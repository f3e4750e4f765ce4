import Monitoring
import Vitals
import WardMessages

/// A blood pressure as a screen may show it: a spot value, of which only its age says how much it is worth.
public struct ShownPressure: Hashable, Sendable {
    /// What the bed says of it.
    public let entry: RecordEntry
    /// The pressure.
    public let pressure: BloodPressure
    /// When it was measured, by the ward's clocks.
    public let measured: Moment
    /// How old it is; `nil` where the bed is not heard, so that another one may have been measured since.
    public let age: Duration?

    init(_ pressure: WardPressure, measured: Moment, age: Duration?) {
        (entry, self.pressure, self.measured, self.age) = (pressure.entry, pressure.pressure, measured, age)
    }

    /// Whether it still counts: the bed is heard, and it is not too old.
    public var isValid: Bool { age.map { $0 < PatientRecord.pressureValidity } ?? false }
}
