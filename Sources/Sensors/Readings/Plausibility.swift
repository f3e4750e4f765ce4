import Vitals

/// Bounds beyond which a number is a fault of sensor or unit, not something that a human body has.
enum Plausibility {
    /// Temperatures of core and skin, in hundredths of a degree Celsius.
    static let temperature = 2500...4500
    /// Beats a minute, in hundredths.
    static let rate = 100...30000
    /// Oxygen saturation in hundredths of a percent.
    static let saturation = 100...10000

    /// The hundredths as a measured value, or out of range; `nil` is beyond any range.
    static func outcome(
        hundredths: Int?, within bounds: ClosedRange<Int>, quality: Reading.Quality
    ) -> Reading.Outcome {
        guard let hundredths, bounds.contains(hundredths) else { return .noMeasurement(.outOfRange) }
        return .measured(VitalValue(hundredths: hundredths), quality)
    }
}
