import VitalDecoders
import Vitals

extension Reading.Outcome {
    /// The heart rate of a Heart Rate Measurement (2A37).
    ///
    /// "Contact not supported" indicates neither contact nor its absence. Source: Heart Rate Service 1.0.
    ///
    /// - Parameters:
    ///   - measurement: The decoded value.
    ///   - isEightBit: Whether the rate was sent as one octet, in which 255 is no rate but the largest number.
    init(_ measurement: HeartRateMeasurement, isEightBit: Bool) {
        if measurement.contact == .notDetected {
            // Quirk straps-repeat: without contact straps repeat the last rate, or invent one.
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
    /// The site of a Body Sensor Location (2A38), or `nil` for a reserved number.
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
