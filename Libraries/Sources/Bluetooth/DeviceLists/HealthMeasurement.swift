import VitalDecoders

/// A single measurement of a device that a person uses and puts away: a cuff, a scale, a meter, a thermometer.
///
/// What is measured all the time, such as a heart rate, is none.
public enum HealthMeasurement: Hashable, Sendable {
    /// Of a blood pressure monitor (2A35), in mmHg or kPa.
    case bloodPressure(BloodPressureMeasurement)
    /// Of a weight scale (2A9D), in kilograms or pounds.
    case weight(WeightMeasurement)
    /// Of a glucose meter (2A18), in mol/L or kg/L.
    case glucose(GlucoseMeasurement)
    /// Of a thermometer, when it has finished (2A1C), in degrees Celsius or Fahrenheit.
    case temperature(TemperatureMeasurement)
    /// A spot-check of a pulse oximeter (2A5E), in percent and beats a minute.
    case oxygenSaturation(PulseOximeterSpotCheckMeasurement)

    /// The characteristic that sends it.
    public var characteristic: CharacteristicType {
        switch self {
        case .bloodPressure: .bloodPressureMeasurement
        case .weight: .weightMeasurement
        case .glucose: .glucoseMeasurement
        case .temperature: .temperatureMeasurement
        case .oxygenSaturation: .pulseOximeterSpotCheck
        }
    }

    /// The measurement as it is sent.
    public var octets: [UInt8] {
        switch self {
        case .bloodPressure(let measurement): measurement.octets
        case .weight(let measurement): measurement.octets
        case .glucose(let measurement): measurement.octets
        case .temperature(let measurement): measurement.octets
        case .oxygenSaturation(let measurement): measurement.octets
        }
    }

    /// Decodes a measurement.
    ///
    /// - Parameters:
    ///   - octets: What a device has sent.
    ///   - uuid: The characteristic that it was sent by.
    /// - Throws: `GATTDecodingError` for malformed octets, and for a characteristic that sends no such measurement.
    public init(_ octets: [UInt8], from uuid: BluetoothUUID) throws(GATTDecodingError) {
        switch uuid {
        case CharacteristicType.bloodPressureMeasurement.uuid: self = .bloodPressure(try .init(gatt: octets))
        case CharacteristicType.weightMeasurement.uuid: self = .weight(try .init(gatt: octets))
        case CharacteristicType.glucoseMeasurement.uuid: self = .glucose(try .init(gatt: octets))
        case CharacteristicType.temperatureMeasurement.uuid: self = .temperature(try .init(gatt: octets))
        case CharacteristicType.pulseOximeterSpotCheck.uuid: self = .oxygenSaturation(try .init(gatt: octets))
        default: throw GATTDecodingError("The characteristic \(uuid) sends no measurement to confirm.")
        }
    }

    /// Whether anything was measured; a device reports a failed measurement, too.
    ///
    /// A meter's "HI" and "LO" are a result, though no number.
    public var hasResult: Bool {
        switch self {
        case .bloodPressure(let pressure):
            [pressure.systolic, pressure.diastolic, pressure.meanArterialPressure].contains { $0.decimal != nil }
        case .weight(let weight): weight.weight != nil
        case .glucose(let glucose):
            glucose.sample?.concentration.decimal != nil
                || glucose.sensorStatus.map { !$0.isDisjoint(with: [.resultTooHigh, .resultTooLow]) } ?? false
        case .temperature(let temperature): temperature.temperature.decimal != nil
        case .oxygenSaturation(let check):
            check.normal.oxygenSaturation.decimal != nil || check.normal.pulseRate.decimal != nil
        }
    }

    /// Whether the device would send other octets for another measurement, so that equal ones are the same measurement.
    ///
    /// That is so where it sends a number of the record or its own time, and that time has a date. Two equal measurements
    /// of a device without a clock may be two; they are never taken for one.
    public var isDistinguishable: Bool {
        switch self {
        case .bloodPressure(let pressure): pressure.circumstances.timestamp?.isCalendarDate ?? false
        case .weight(let weight): weight.timestamp?.isCalendarDate ?? false
        case .glucose: true
        case .temperature(let temperature): temperature.timestamp?.isCalendarDate ?? false
        case .oxygenSaturation(let check): !check.isDeviceClockNotSet && check.timestamp?.isCalendarDate ?? false
        }
    }
}
