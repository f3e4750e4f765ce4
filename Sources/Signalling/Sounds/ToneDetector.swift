import Base

/// Detects a tone in a microphone's recording of the silence before it and of its sound.
///
/// The energy at the tone's fundamental, by the Goertzel algorithm, is compared with that of the silence before, and
/// with that at neighbouring frequencies: noise that begins at the same time is no tone.
package struct ToneDetector: Sendable {
    /// The result of the comparison.
    package enum Verdict: Hashable, Sendable {
        /// The tone, louder than the silence before at its frequency by this many decibels.
        case heard(decibels: Int)
        /// No tone.
        case notHeard
        /// Not even noise: the microphone is muted.
        case muted
    }

    /// The length of a compared block in samples: 100 ms.
    package static let block = Tone.rate / 10
    /// The least ratio of the power to that of the silence before, and to that of the neighbouring frequencies: 10 dB.
    private static let leastRatio = 10.0
    /// The least number of blocks with the tone: half a second.
    private static let leastBlocks = 5
    /// The distances of the neighbouring frequencies from the fundamental in hertz, between it and its harmonics.
    private static let distances = [-90.0, -50, 50, 90]

    private let frequency: Double

    /// Creates a detector for the fundamental of a tone, in hertz.
    package init(frequency: Double) {
        self.frequency = frequency
    }

    /// Compares the recordings.
    ///
    /// - Parameters:
    ///   - silence: The recording before the tone.
    ///   - sound: The recording during the tone and shortly after.
    package func verdict(silence: [Int16], sound: [Int16]) -> Verdict {
        if (silence + sound).allSatisfy({ $0 == 0 }) { return .muted }
        let quiet = blocks(silence).map { power($0, frequency) }.max() ?? 0
        // Half a step of the converter, because digital silence has no power to compare with.
        let floor = max(quiet, Double(Self.block * Self.block) / 16)
        let ratios = blocks(sound).compactMap { block -> Double? in
            let level = power(block, frequency)
            let around = Self.distances.map { power(block, frequency + $0) }.reduce(0, +) / Double(Self.distances.count)
            return level > Self.leastRatio * around && level > Self.leastRatio * floor ? level / floor : nil
        }.sorted()
        guard ratios.count >= Self.leastBlocks else { return .notHeard }
        return .heard(decibels: Self.decibels(ratios[ratios.count / 2]))
    }

    private func blocks(_ samples: [Int16]) -> [ArraySlice<Int16>] {
        (0..<samples.count / Self.block).map { samples[$0 * Self.block..<($0 + 1) * Self.block] }
    }

    /// The power at a frequency, in squared steps of the samples.
    private func power(_ block: ArraySlice<Int16>, _ frequency: Double) -> Double {
        let coefficient = 2 * sineAndCosine(turns: frequency / Double(Tone.rate)).cosine
        var (previous, last) = (0.0, 0.0)
        for sample in block { (previous, last) = (last, Double(sample) + coefficient * last - previous) }
        return previous * previous + last * last - coefficient * previous * last
    }

    /// A ratio of powers in whole decibels, rounded down.
    private static func decibels(_ ratio: Double) -> Int {
        // A decibel is the tenth root of ten.
        let decibel = 1.258_925_411_794_167
        var (left, count) = (ratio, 0)
        while left >= decibel, count < 120 { (left, count) = (left / decibel, count + 1) }
        return count
    }
}
