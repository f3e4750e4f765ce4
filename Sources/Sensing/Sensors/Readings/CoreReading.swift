import VitalDecoders
import Vitals

extension CoreBodyTemperature {
    /// The core body temperature of the value.
    ///
    /// Quirk core-not-available: the code does not distinguish "off the body" from "still settling".
    var bodyOutcome: Reading.Outcome {
        guard coreTemperature != .notAvailable else { return .noMeasurement(.notANumber) }
        switch qualityAndState?.quality {
        case .invalid: return .noMeasurement(.searching)
        case .poor: return Reading.Outcome(hundredths: coreCelsiusHundredths, of: .bodyTemperature, .questionable)
        default: return Reading.Outcome(hundredths: coreCelsiusHundredths, of: .bodyTemperature, .good)
        }
    }

    /// The skin temperature of the value; `nil` without one.
    var skinOutcome: Reading.Outcome? {
        guard let skinTemperature else { return nil }
        guard skinTemperature != .notAvailable else { return .noMeasurement(.notANumber) }
        // The quality applies to the core temperature, which is an estimate; the skin's is measured directly.
        return Reading.Outcome(hundredths: skinCelsiusHundredths, of: .skinTemperature, .good)
    }
}
