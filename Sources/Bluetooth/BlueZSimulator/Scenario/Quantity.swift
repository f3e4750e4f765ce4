import Glibc

/// A measured quantity: a curve with slow waves and noise.
struct Quantity: Hashable, Sendable {
    /// A sine added to a curve, such as the effect of breathing on a heart rate.
    struct Wave: Hashable, Sendable {
        var amplitude: Double
        /// The period in seconds, more than 0.
        var period: Double
    }

    var curve: Curve
    var waves: [Wave] = []
    /// The greatest deviation by noise.
    var noise = 0.0

    /// A quantity with a constant value.
    init(constant value: Double) {
        curve = Curve(constant: value)
    }

    init(curve: Curve, waves: [Wave], noise: Double) {
        self.curve = curve
        self.waves = waves
        self.noise = noise
    }

    var isConstant: Bool { curve.isConstant && waves.isEmpty && noise == 0 }

    /// The value of a sample.
    ///
    /// - Parameters:
    ///   - seconds: Seconds since the scenario began.
    ///   - sample: The number of the sample, for the noise.
    ///   - noise: The sequence of numbers of this quantity.
    func value(at seconds: Double, sample: Int, _ noise: Noise) -> Double {
        var value = curve.value(at: seconds)
        for wave in waves { value += wave.amplitude * sin(2 * .pi * seconds / wave.period) }
        if self.noise != 0 { value += self.noise * noise.value(at: sample) }
        return value
    }
}
