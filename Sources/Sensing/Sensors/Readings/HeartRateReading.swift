import VitalDecoders
import Vitals

extension Reading.Outcome {
    /// The heart rate of a Heart Rate Measurement (2A37).
    ///
    /// "Contact not supported" is no evidence of being on the body, but neither is it one of being off. Source: Heart
    /// Rate Service 1.0.
    ///
    /// - Parameters:
    ///   - measurement: The decoded value.
    ///   - isEightBit: Whether the rate came as one octet, in which 255 is no rate but the greatest number there is.
    init(_ measurement: HeartRateMeasurement, isEightBit: Bool) {
        if measurement.contact == .notDetected {
            // Quirk straps-repeat: without contact the last rate, or they invent one.
            self = .noMeasurement(.noContact)
        } else if measurement.heartRate == 0 {
            // Quirk zero-means-nothing: many sensors cannot report a missing rate otherwise.
            self = .noMeasurement(.searching)
        } else if isEightBit && measurement.heartRate == 255 {
            self = .noMeasurement(.outOfRange)
        } else {
            self = Reading.Outcome(hundredths: Int(measurement.heartRate) * 100, of: .heartRate, .good)
        }
    }
}

extension BodySite {
    /// The site that a Body Sensor Location (2A38) names, or `nil` for a reserved number.
    init?(_ location: BodySensorLocation) {
        switch location {
        case .other: self = .other
        case .chest: self = .chest
        case .wrist: self = .wrist
        case .finger: self = .finger
        case .hand: self = .hand
        case .earLobe: self = .earLobe
        case .foot: self = .foot
        default: return nil
        }
    }
}
