import Base

/// A filter of second order with the Butterworth response, one value at a time.
///
/// Source: R. Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter coefficients", with Q = 1/√2.
struct SecondOrderFilter: Hashable, Sendable {
    /// What it lets pass.
    enum Band: Hashable, Sendable { case above, below }

    private let input: SIMD4<Double>
    private let feedback: SIMD2<Double>
    /// The transposed direct form II: two delayed sums.
    private var state = SIMD2<Double>.zero
    private let band: Band

    /// - Parameters:
    ///   - band: What passes.
    ///   - frequency: Where half of the power passes, below half of the rate.
    ///   - rate: Values a second.
    init(_ band: Band, _ frequency: Double, rate: Double) {
        self.band = band
        let (sine, cosine) = sineAndCosine(turns: min(frequency / rate, 0.49))
        let width = sine / 2.squareRoot()
        let edge = band == .below ? 1 - cosine : 1 + cosine
        let middle = band == .below ? edge : -edge
        input = SIMD4(edge / 2, middle, edge / 2, 0) / (1 + width)
        feedback = SIMD2(-2 * cosine, 1 - width) / (1 + width)
    }

    /// Begins as if the value had been the same for ever, so that a start is no step.
    mutating func settle(at value: Double) {
        let output = band == .below ? value : 0
        state[1] = input[2] * value - feedback[1] * output
        state[0] = input[1] * value - feedback[0] * output + state[1]
    }

    /// The output for the next value.
    mutating func pass(_ value: Double) -> Double {
        let output = input[0] * value + state[0]
        state[0] = input[1] * value - feedback[0] * output + state[1]
        state[1] = input[2] * value - feedback[1] * output
        return output
    }
}
