import VitalDecoders
import Vitals

extension Reading.Outcome {
    /// The temperature of a Temperature Measurement (2A1C) or Intermediate Temperature (2A1E).
    ///
    /// Source: Health Thermometer Service 1.0.
    ///
    /// - Parameters:
    ///   - measurement: The decoded value.
    ///   - isIntermediate: Whether the thermometer has not reached its final value, so that this is an estimate.
    init(_ measurement: TemperatureMeasurement, isIntermediate: Bool = false) {
        if let reason = AbsenceReason(special: measurement.temperature.value) {
            self = .noMeasurement(reason)
            return
        }
        self = Reading.Outcome(
            hundredths: measurement.celsiusHundredths, of: .bodyTemperature, isIntermediate ? .questionable : .good)
    }
}

extension BodySite {
    /// The site of a Temperature Type (2A1D), or `nil` for a reserved number.
    init?(_ type: TemperatureType) {
        switch type {
        case .armpit: self = .armpit
        case .body: self = .body
        case .ear: self = .ear
        case .finger: self = .finger
        case .gastrointestinalTract: self = .gastrointestinalTract
        case .mouth: self = .mouth
        case .rectum: self = .rectum
        case .toe: self = .toe
        case .tympanum: self = .tympanum
        default: return nil
        }
    }
}
