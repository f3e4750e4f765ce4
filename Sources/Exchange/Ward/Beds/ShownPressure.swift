import Monitoring
import Vitals
import WardMessages

/// A blood pressure as a screen may show it: a spot value, of which only its age says how much it is worth.
public struct ShownPressure: Hashable, Sendable {
    /// What the bed says of it.
    let held: WardPressure
    /// When it was measured, by the ward's clocks.
    public let measured: Moment
    /// How old it is; `nil` where the bed is not heard, so that another one may have been measured since.
    public let age: Duration?

    /// The entry of the bed's record.
    public var entry: RecordEntry { held.entry }
    /// The pressure.
    public var pressure: BloodPressure { held.pressure }

    /// Whether it still counts: the bed is heard, and it is not too old.
    public var isValid: Bool { age.map { $0 < PatientRecord.pressureValidity } ?? false }
}
