import Monitoring
import Vitals
import WardMessages

/// A blood pressure as a screen may show it: a spot value, which is as useful as its age permits.
public struct ShownPressure: Hashable, Sendable {
    /// The bed's message.
    let held: WardPressure
    /// When it was measured, by the ward's clocks.
    public let measured: Moment
    /// Its age; `nil` if the bed is not heard, so that a newer one may exist.
    public let age: Duration?

    /// The entry of the bed's record.
    public var entry: RecordEntry { held.entry }
    public var pressure: BloodPressure { held.pressure }

    /// Whether it is valid: the bed is heard, and it is not too old.
    public var isValid: Bool { age.map { $0 < PatientRecord.pressureValidity } ?? false }
}
