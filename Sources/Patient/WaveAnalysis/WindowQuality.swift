import Monitoring
import Vitals

/// The intervals between the beats of a window, and whether they can show breathing.
struct WindowRhythm {
    /// The length of each interval in milliseconds, at its second beat; none across a gap.
    private(set) var intervals: [(time: MonotonicTime, value: Double)] = []
    /// The share of the intervals that are artefacts.
    private(set) var artefactShare = 1.0
    /// Whether the intervals follow each other without order.
    private(set) var isIrregular = false
    /// Beats a minute.
    private(set) var perMinute = 0.0

    /// The least root of the mean squared successive difference, as a share of the mean interval, without order.
    ///
    /// Source: S. Dash and others, "Automatic real time detection of atrial fibrillation", Annals of Biomedical
    /// Engineering 37 (2009), 1701–1709, as is the test of turning points.
    private static let irregularity = 0.1
    /// How many standard deviations the turning points may be fewer than those of a random series.
    private static let tolerance = 2.5

    init(_ beats: [WaveBeat]) {
        for (beat, next) in zip(beats, beats.dropFirst()) where !next.followsGap {
            intervals.append((next.time, Double(next.time.nanoseconds(since: beat.time)) / 1e6))
        }
        let lengths = intervals.map(\.value)
        guard lengths.count > 3 else { return }
        artefactShare = Double(RRClassifier.classify(lengths).count { $0 != nil }) / Double(lengths.count)
        let mean = lengths.reduce(0, +) / Double(lengths.count)
        perMinute = mean > 0 ? 60_000 / mean : 0
        let squares = zip(lengths, lengths.dropFirst()).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
        let differences = (squares / Double(lengths.count - 1)).squareRoot()
        let turns = (1..<lengths.count - 1).count { index in
            (lengths[index] > lengths[index - 1]) == (lengths[index] > lengths[index + 1])
        }
        let count = Double(lengths.count)
        let expected = (2 * count - 4) / 3
        let deviation = max(0, (16 * count - 29) / 90).squareRoot()
        isIrregular =
            differences > Self.irregularity * mean && Double(turns) > expected - Self.tolerance * deviation
    }
}

/// Whether the acceleration of a window shows more than breathing.
struct Movement {
    let isMoving: Bool

    /// How much the chest of a person at rest varies within a second at most, in mg, and in a whole window.
    private static let restless = (second: 25.0, window: 60.0)
    /// The share of the seconds that may be restless.
    private static let tolerance = 0.05

    /// - Parameter quarters: For each quarter of a second the sum of the accelerations, of their squares, and the number.
    init(_ quarters: [(sum: SIMD3<Double>, squares: Double, count: Int)]) {
        let seconds = stride(from: 0, to: quarters.count - 3, by: 4).map { start in
            Self.deviation(quarters[start..<start + 4])
        }
        let restless = seconds.count { $0 > Self.restless.second }
        isMoving =
            Double(restless) > Self.tolerance * Double(seconds.count)
            || Self.deviation(quarters[...]) > Self.restless.window
    }

    /// The standard deviation of the acceleration, in all three directions together.
    private static func deviation(
        _ quarters: ArraySlice<(sum: SIMD3<Double>, squares: Double, count: Int)>
    ) -> Double {
        let count = Double(quarters.reduce(0) { $0 + $1.count })
        guard count > 0 else { return 0 }
        let mean = quarters.reduce(SIMD3<Double>.zero) { $0 + $1.sum } / count
        return max(0, quarters.reduce(0) { $0 + $1.squares } / count - (mean * mean).sum()).squareRoot()
    }
}
