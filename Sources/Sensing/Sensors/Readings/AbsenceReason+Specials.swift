import VitalDecoders
import Vitals

extension AbsenceReason {
    /// Why there is no value when a FLOAT or SFLOAT is a special; `nil` for a number.
    init?(special number: MedicalNumber) {
        switch number {
        case .number: return nil
        case .nan, .notAtThisResolution, .reserved: self = .notANumber
        case .positiveInfinity: self = .aboveRange
        case .negativeInfinity: self = .belowRange
        }
    }
}
