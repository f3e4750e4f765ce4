import VitalDecoders
import Vitals

/// Saturation, pulse rate and perfusion index of an oximeter.
///
/// Source: Pulse Oximeter Service 1.0.1. Quirk pm100-repeats: when the finger is removed, a Medisana PM 100 Connect
/// repeats a stale saturation with a pulse rate of 0 and "sensor unconnected to user".
struct OximeterOutcomes: Hashable, Sendable {
    /// The oxygen saturation.
    var saturation: Reading.Outcome
    var pulseRate: Reading.Outcome
    /// The perfusion index; `nil` where the oximeter does not send it.
    var perfusionIndex: Reading.Outcome?
}

extension OximeterOutcomes {
    /// Evaluates a pair of values by its status fields; `nil` if they come from the oximeter's memory.
    ///
    /// - Parameter amplitude: The pulse amplitude index, as the service calls the perfusion index.
    init?(
        _ values: OxygenSaturationAndPulseRate, measurement: PulseOximeterMeasurementStatus?,
        device: PulseOximeterDeviceAndSensorStatus?, amplitude: MedicalShortFloat? = nil
    ) {
        let measurement = measurement ?? []
        let device = device ?? []
        if measurement.contains(.fromStorage) { return nil }
        if let reason = Self.reasonAgainstBoth(measurement, device) {
            saturation = .noMeasurement(reason)
            pulseRate = .noMeasurement(reason)
            perfusionIndex = amplitude.map { _ in .noMeasurement(reason) }
            return
        }
        let saturation = Self.outcome(of: .oxygenSaturation, values.oxygenSaturation, device)
        let pulseRate = Self.outcome(of: .pulseRate, values.pulseRate, device)
        // A single value is probably left over from before the pulse was lost.
        let isAlone = !saturation.isMeasured || !pulseRate.isMeasured
        var quality = Self.quality(measurement, device)
        if isAlone, quality == .good { quality = .questionable }
        self.saturation = saturation.with(quality)
        self.pulseRate = pulseRate.with(quality)
        guard let amplitude else { return }
        // Without a saturation it is left over, too.
        perfusionIndex =
            saturation.isMeasured
            ? Self.outcome(of: .perfusionIndex, amplitude, device).with(quality)
            : .noMeasurement(Self.reasonForNothing(device))
    }

    /// Why neither value is usable; reasons that the user can remedy come first.
    ///
    /// The decoders' table alone decides which bits make a value unusable; this function only orders the reasons.
    private static func reasonAgainstBoth(
        _ measurement: PulseOximeterMeasurementStatus, _ device: PulseOximeterDeviceAndSensorStatus
    ) -> AbsenceReason? {
        if measurement.isDisjoint(with: unusableMeasurement), device.isDisjoint(with: unusableDevice) { return nil }
        if measurement.contains(.demonstration) { return .demo }
        if measurement.contains(.testing) { return .test }
        if !device.isDisjoint(with: offBody) { return .offBody }
        if !device.isDisjoint(with: equipmentFault) { return .equipment }
        if measurement.contains(.calibrationOngoing) { return .calibrating }
        if !device.isDisjoint(with: lowPerfusion) { return .lowPerfusion }
        return reasonForNothing(device)
    }

    /// The value of a field, or the reason for its absence.
    private static func outcome(
        of vital: Vital, _ field: MedicalShortFloat, _ device: PulseOximeterDeviceAndSensorStatus
    ) -> Reading.Outcome {
        if let reason = AbsenceReason(special: field.value) { return .noMeasurement(reason) }
        if field.decimal?.mantissa == 0 { return .noMeasurement(reasonForNothing(device)) }
        return Reading.Outcome(hundredths: field.hundredths, of: vital, .good)
    }

    /// The reason when the oximeter has no value and no bit explains it.
    private static func reasonForNothing(_ device: PulseOximeterDeviceAndSensorStatus) -> AbsenceReason {
        device.contains(.lowPerfusion) ? .lowPerfusion : .searching
    }

    private static func quality(
        _ measurement: PulseOximeterMeasurementStatus, _ device: PulseOximeterDeviceAndSensorStatus
    ) -> Reading.Quality {
        if !device.isDisjoint(with: malfunction) { return .malfunction }
        let isDoubtful =
            !measurement.isDisjoint(with: questionableMeasurement) || !device.isDisjoint(with: questionableDevice)
        return isDoubtful ? .questionable : .good
    }

    // Looked up in the table once.
    private static let unusableMeasurement = PulseOximeterMeasurementStatus.bits(.unusable)
    private static let questionableMeasurement = PulseOximeterMeasurementStatus.bits(.questionable)
    private static let unusableDevice = PulseOximeterDeviceAndSensorStatus.bits(.unusable)
    private static let questionableDevice = PulseOximeterDeviceAndSensorStatus.bits(.questionable)
    private static let malfunction = PulseOximeterDeviceAndSensorStatus.bits(.questionable, .equipmentFault)
    private static let offBody = PulseOximeterDeviceAndSensorStatus.bits(.unusable, .offBody)
    private static let equipmentFault = PulseOximeterDeviceAndSensorStatus.bits(.unusable, .equipmentFault)
    private static let lowPerfusion = PulseOximeterDeviceAndSensorStatus.bits(.unusable, .lowPerfusion)
}

extension Reading.Outcome {
    fileprivate var isMeasured: Bool {
        if case .measured = self { true } else { false }
    }

    /// The same outcome with another quality, if it has a value.
    fileprivate func with(_ quality: Reading.Quality) -> Reading.Outcome {
        if case .measured(let value, _) = self { .measured(value, quality) } else { self }
    }
}
