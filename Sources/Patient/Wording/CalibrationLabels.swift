import Monitoring
import Vitals

/// What is said of the calibration of glucose sensors.
package struct CalibrationLabels {
    private let units: DisplayUnits
    private let time: TimeText

    package init(_ units: DisplayUnits, _ time: TimeText) {
        (self.units, self.time) = (units, time)
    }

    /// What a value was calibrated with: "6.1 mmol/L at 21:40".
    package func text(_ calibration: AppliedCalibration) -> String {
        "\(concentration(calibration.glucose)) at \(time.dated(calibration.wallMilliseconds))"
    }

    /// The warning about a value in a line: "CALIBRATED with 6.1 mmol/L at 21:40"; `nil` for a good value.
    package func warning(on sample: Sample) -> String? {
        let warning = sample.quality.warnings(hasWeakPulse: false).first?.first
        return warning.map { $0 + (sample.calibration.map { " with \(text($0))" } ?? "") }
    }

    /// The warnings beside a large value, which has the unit, the worst first; each from the longest text to the shortest:
    /// "CALIBRATED 6.1 at 21:40", "CAL 21:40".
    package func warnings(on sample: Sample, hasWeakPulse: Bool) -> [[String]] {
        let warnings = sample.quality.warnings(hasWeakPulse: hasWeakPulse)
        guard let calibration = sample.calibration, let words = warnings.first, words.count == 2 else {
            return warnings
        }
        let (number, when) = (
            ValueText(units).limit(calibration.glucose, of: .glucose), time.dated(calibration.wallMilliseconds)
        )
        // A calibration holds for a day, so its hour is enough.
        let clock = when.split(separator: " ").last.map(String.init) ?? when
        let calibrated = ["\(words[0]) \(number) \(when == clock ? "at " : "")\(when)", "\(words[1]) \(clock)"]
        return [calibrated] + warnings.dropFirst()
    }

    /// The calibration of a sensor that sends counts, or why there is none, as a phrase.
    package func text(_ result: Result<AppliedCalibration, CalibrationProblem>) -> String {
        switch result {
        case .success(let calibration): "calibrated with \(text(calibration))"
        case .failure(let problem): problem.text
        }
    }

    /// A concentration with its unit: "6.1 mmol/L".
    package func concentration(_ glucose: VitalValue) -> String {
        "\(ValueText(units).limit(glucose, of: .glucose)) \(units.glucose.text)"
    }
}

extension CalibrationProblem {
    /// The problem as a phrase: why a sensor has no calibration, or cannot be calibrated.
    package var text: String {
        switch self {
        case .missing: "not calibrated"
        case .tooOld: "calibrated more than 24 h ago: calibrate it again"
        case .noCount: "nothing came from it within 15 min of that value"
        case .impossibleCount: "its count is none that a working sensor sends"
        case .impossibleGlucose: "only 40 to 400 mg/dL (2.2 to 22.2 mmol/L) calibrate"
        case .changing: "its counts change too fast: prick again when the glucose is steady"
        case .slope: "the values contradict its counts: prick again, or take earlier calibrations back"
        case .offset: "the value is too far from its count: prick again"
        }
    }
}
