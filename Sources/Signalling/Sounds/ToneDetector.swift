/// Says whether a tone is heard in what a microphone recorded before it and while it sounded.
///
/// The energy at the tone's fundamental, by the algorithm of Goertzel, is compared with that of the silence before, and
/// with that of its neighbourhood: noise that begins at the same time is no tone.
package struct ToneDetector: Sendable {
    /// What was heard.
    package enum Verdict: Hashable, Sendable {
        /// The tone, this much louder than the silence before at its frequency, in decibels.
        case heard(decibels: Int)
        /// Not the tone.
        case notHeard
        /// Nothing at all, not even noise: a microphone that is muted.
        case muted
    }

    /// The length of the blocks that are compared, in samples: 100 ms.
    package static let block = Tone.rate / 10
    /// By how much the power must exceed that of the silence before, and that of its neighbourhood: 10 dB.
    private static let leastRatio = 10.0
    /// How many blocks must hold the tone: half of one second.
    private static let leastBlocks = 5
    /// How far the neighbourhood is from the fundamental, in hertz: between it and its harmonics.
    private static let distances = [-90.0, -50, 50, 90]

    private let frequency: Double

    /// Creates a detector for the fundamental of a tone, in hertz.
    package init(frequency: Double) {
        self.frequency = frequency
    }

    /// Compares.
    ///
    /// - Parameters:
    ///   - silence: What was recorded before the tone.
    ///   - sound: What was recorded while it sounded and shortly after.
    package func verdict(silence: [Int16], sound: [Int16]) -> Verdict {
        if (silence + sound).allSatisfy({ $0 == 0 }) { return .muted }
        let quiet = blocks(silence).map { power($0, frequency) }.max() ?? 0
        // Half a step of the converter: digital silence has no power to compare with.
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

    /// Whole decibels of a ratio of powers, rounded down.
    private static func decibels(_ ratio: Double) -> Int {
        // A decibel is the tenth root of ten.
        let decibel = 1.258_925_411_794_167
        var (left, count) = (ratio, 0)
        while left >= decibel, count < 120 { (left, count) = (left / decibel, count + 1) }
        return count
    }
}
