import Glibc

/// A measured quantity: a curve with slow waves and noise.
struct Quantity: Hashable, Sendable {
    /// A sine that is added to a curve, such as breathing does to a heart rate.
    struct Wave: Hashable, Sendable {
        var amplitude: Double
        /// Seconds, more than 0.
        var period: Double
    }

    var curve: Curve
    var waves: [Wave] = []
    /// The greatest distance by which noise moves a value.
    var noise = 0.0

    /// A quantity that always has one value.
    init(constant value: Double) {
        curve = Curve(constant: value)
    }

    init(curve: Curve, waves: [Wave], noise: Double) {
        self.curve = curve
        self.waves = waves
        self.noise = noise
    }

    /// Whether the quantity never changes.
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
