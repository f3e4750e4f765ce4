import VitalDecoders
import Vitals

extension AbsenceReason {
    /// The reason for a special FLOAT or SFLOAT; `nil` for a number.
    init?(special number: MedicalNumber) {
        switch number {
        case .number: return nil
        case .nan, .notAtThisResolution, .reserved: self = .notANumber
        case .positiveInfinity: self = .aboveRange
        case .negativeInfinity: self = .belowRange
        }
    }
}
