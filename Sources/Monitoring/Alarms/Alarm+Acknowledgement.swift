import SaturatingArithmetic
import Vitals

extension Alarm {
    /// Whether its value has become worse, by a step of the vital, than the worst one that was acknowledged.
    ///
    /// Acknowledging a fever of 38.4 does not acknowledge one of 41.6.
    var isWorseThanAcknowledged: Bool {
        guard acknowledgedAt != nil, let value, let acknowledgedPeak, let vital, kind.relation != nil
        else { return false }
        let (higher, lower) = kind.isWorseWhenLower ? (acknowledgedPeak, value) : (value, acknowledgedPeak)
        return higher.hundredths.subtractingSaturated(lower.hundredths) >= vital.worseningStep.hundredths
    }
}

extension Vital {
    /// By how much a value must be worse than an acknowledged one to count as a new finding: 1 °C, 20 beats a minute, 5
    /// %, 20 mg/dL.
    public var worseningStep: VitalValue {
        switch self {
        case .heartRate, .pulseRate, .glucose: VitalValue(whole: 20)
        case .oxygenSaturation: VitalValue(whole: 5)
        case .bodyTemperature, .skinTemperature: VitalValue(whole: 1)
        }
    }
}
