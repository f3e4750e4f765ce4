import VitalDecoders
import Vitals

extension CoreBodyTemperature {
    /// What the value says about the core body temperature.
    ///
    /// Quirk core-not-available: sent while it is off the body or still settling, and it does not tell which.
    var bodyOutcome: Reading.Outcome {
        guard coreTemperature != .notAvailable else { return .noMeasurement(.notANumber) }
        switch qualityAndState?.quality {
        case .invalid: return .noMeasurement(.searching)
        case .poor: return Reading.Outcome(hundredths: coreCelsiusHundredths, of: .bodyTemperature, .questionable)
        default: return Reading.Outcome(hundredths: coreCelsiusHundredths, of: .bodyTemperature, .good)
        }
    }

    /// What the value says about the skin temperature, or `nil` when it says nothing about it.
    var skinOutcome: Reading.Outcome? {
        guard let skinTemperature else { return nil }
        guard skinTemperature != .notAvailable else { return .noMeasurement(.notANumber) }
        // The quality is that of the core temperature, an estimate; the skin's is measured directly.
        return Reading.Outcome(hundredths: skinCelsiusHundredths, of: .skinTemperature, .good)
    }
}
