import VitalDecoders
import Vitals

extension Reading.Outcome {
    /// The temperature of a Temperature Measurement (2A1C) or Intermediate Temperature (2A1E).
    ///
    /// Source: Health Thermometer Service 1.0.
    ///
    /// - Parameters:
    ///   - measurement: The decoded value.
    ///   - isIntermediate: Whether the thermometer is still on its way to the final value, which is an estimate then.
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
    /// The site that a Temperature Type (2A1D) names, or `nil` for a reserved number.
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
