import Base

/// A tone with harmonics, which fades in and out, so that it neither startles nor clicks.
package struct Tone: Hashable, Sendable {
    /// The samples per second.
    package static let rate = 48_000

    /// The fundamental in hertz.
    package var frequency: Double
    /// Its length in samples.
    package var length: Int
    /// The number of samples of its rise, and of its fall.
    package var ramp: Int
    /// Its harmonics.
    package var timbre: Timbre
    /// The frequency of the tremolo in hertz; 0 for a steady tone.
    package var tremolo = 0.0

    /// The harmonics of a tone.
    package enum Timbre: Hashable, Sendable {
        /// Six harmonics within 12 dB, which even a small loudspeaker reproduces, and which a human voice does not
        /// mask.
        case full
        /// The fundamental and a little of its octave.
        case soft
        /// Harmonics up to the fifth, as strong as the fundamental: harsh.
        case bright

        /// The amplitudes of the harmonics, the fundamental first.
        var amplitudes: [Double] {
            switch self {
            case .full: [1, 0.75, 0.55, 0.4, 0.3, 0.25]
            case .soft: [1, 0.2]
            case .bright: [1, 0.9, 0.8, 0.7, 0.6]
            }
        }
    }

    /// The share of the amplitude that a tremolo removes.
    private static let tremoloDepth = 0.8

    /// The number of samples in some milliseconds.
    package static func samples(milliseconds: Int) -> Int { milliseconds * (rate / 1000) }

    /// A sample, between -1 and 1.
    ///
    /// - Parameters:
    ///   - index: Its index in the tone.
    ///   - harmonics: The harmonics of the timbre.
    func sample(at index: Int, _ harmonics: Harmonics) -> Double {
        let seconds = Double(index) / Double(Self.rate)
        var level = harmonics.level(at: frequency * seconds)
        let edge = min(index, length - 1 - index)
        if edge < ramp { level *= (1 - sineAndCosine(turns: Double(edge) / Double(2 * ramp)).cosine) / 2 }
        if tremolo > 0 {
            level *= 1 - Self.tremoloDepth * (1 - sineAndCosine(turns: tremolo * seconds).cosine) / 2
        }
        return level
    }
}

/// The sum of the harmonics of a timbre, with a peak of 1.
struct Harmonics: Sendable {
    private let amplitudes: [Double]

    init(_ timbre: Tone.Timbre) {
        let amplitudes = timbre.amplitudes
        let plain = Harmonics(amplitudes: amplitudes)
        let peak = (0..<1024).map { plain.level(at: Double($0) / 1024).magnitude }.max() ?? 1
        self.amplitudes = amplitudes.map { $0 / peak }
    }

    private init(amplitudes: [Double]) {
        self.amplitudes = amplitudes
    }

    /// The sum after this number of the fundamental's periods.
    func level(at periods: Double) -> Double {
        let (sine, cosine) = sineAndCosine(turns: periods)
        var (sum, previous, current) = (0.0, 0.0, sine)
        for amplitude in amplitudes.span.indices {
            sum += amplitudes.span[amplitude] * current
            (previous, current) = (current, 2 * cosine * current - previous)
        }
        return sum
    }
}
