import VitalDecoders
import Vitals

// The meaning of a sensor's status word for its value, by the decoders' table alone.
extension AbsenceReason {
    /// Why a status word makes a value unusable; `nil` if it does not.
    ///
    /// Reasons without a remedy come first: with faulty equipment no other bit is meaningful.
    init?(unusable status: some ClinicalStatusWord) {
        let causes = status.readings.filter { $0.reading.usability == .unusable }.map(\.reading.cause)
        guard let cause = Self.order.first(where: causes.contains) ?? causes.first else { return nil }
        switch cause {
        case .demo: self = .demo
        case .test: self = .test
        case .offBody: self = .offBody
        case .equipmentFault: self = .equipment
        case .calibrating: self = .calibrating
        case .lowPerfusion: self = .lowPerfusion
        case .searching: self = .searching
        case .outOfRange: self = .outOfRange
        case .signal, .stored, .information, .estimate: self = .unusable
        }
    }

    private static let order: [ClinicalReading.Cause] = [
        .demo, .test, .offBody, .equipmentFault, .calibrating, .lowPerfusion, .signal, .outOfRange,
    ]
}

extension Reading.Quality {
    /// The quality of a value that a status word calls usable or questionable; good without one.
    init(_ status: (some ClinicalStatusWord)?) {
        let doubts = status?.readings.filter { $0.reading.usability == .questionable } ?? []
        guard let doubt = doubts.first else {
            self = .good
            return
        }
        switch doubts.first(where: { $0.reading.cause == .equipmentFault })?.reading.cause ?? doubt.reading.cause {
        case .equipmentFault: self = .malfunction
        case .calibrating: self = .calibrationWanted
        default: self = .questionable
        }
    }
}

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
