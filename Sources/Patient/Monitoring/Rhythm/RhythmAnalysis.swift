import Base
import Vitals

/// The evaluation of the RR intervals of the last five minutes.
///
/// It describes intervals and says nothing about health. No alarm depends on it.
public struct RhythmAnalysis: Hashable, Sendable {
    /// The least share of the window that intervals must cover, in percent.
    public static let leastCoverage = 90
    /// The greatest share of artefacts among the intervals, in percent.
    public static let mostArtefacts = 5

    /// The beats of the window.
    public let beats: [RRBeat]
    /// The artefact of each interval; `nil` for a normal one.
    public let artefacts: [RRArtefact?]
    /// The part of the window that intervals cover, in nanoseconds.
    public let covered: Int64
    /// The figures, or why there are none.
    public let result: Result
    /// The sensor's own rate, if it disagrees with its intervals.
    public let disagreement: RateCheck?

    /// The figures, in milliseconds.
    public struct Figures: Hashable, Sendable {
        /// The root of the mean of the squared differences between successive normal intervals.
        public var rmssd: Double
        /// The sample standard deviation of the normal intervals.
        public var sdnn: Double
        /// The mean of the normal intervals.
        public var mean: Double
    }

    /// The figures, or why there are none.
    public enum Result: Hashable, Sendable {
        case figures(Figures)
        /// Too little of the window is covered.
        case tooLittle
        /// Too many intervals are artefacts.
        case tooManyArtefacts
    }

    /// Evaluates the window that ends at a moment.
    public init(_ series: RRSeries, at now: MonotonicTime) {
        beats = series.beats(until: now)
        covered = Self.coverage(of: beats, until: now)
        var artefacts: [RRArtefact?] = []
        var isNormal: [Bool] = []
        for run in Self.unbroken(beats) {
            let found = RRClassifier.classify(run.map(\.milliseconds))
            artefacts += found
            isNormal += found.indices.map { found[$0] == nil && ($0 == 0 || found[$0 - 1]?.spoilsNext != true) }
        }
        self.artefacts = artefacts
        disagreement = RateCheck(beats, until: now)
        let count = artefacts.count { $0 != nil }
        if covered * 100 < RRSeries.window.nanoseconds * Int64(Self.leastCoverage) {
            result = .tooLittle
        } else if count * 100 > beats.count * Self.mostArtefacts {
            result = .tooManyArtefacts
        } else {
            result = Self.figures(beats, isNormal).map { .figures($0) } ?? .tooLittle
        }
    }

    /// How many of the intervals are artefacts.
    public var artefactCount: Int { artefacts.count { $0 != nil } }

    /// The covered part of the window in percent, rounded down.
    public var coveragePercent: Int { Int(covered * 100 / RRSeries.window.nanoseconds) }

    /// The beats in series without a gap.
    static func unbroken(_ beats: [RRBeat]) -> [ArraySlice<RRBeat>] {
        var starts = beats.indices.filter { $0 == 0 || beats[$0].followsGap }
        starts.append(beats.count)
        return zip(starts, starts.dropFirst()).map { beats[$0..<$1] }
    }

    private static func coverage(of beats: [RRBeat], until now: MonotonicTime) -> Int64 {
        var end = now.advanced(by: .zero - RRSeries.window)
        var sum: Int64 = 0
        for beat in beats {
            // Overlapping intervals count once.
            sum += max(0, beat.time.nanoseconds(since: max(end, beat.time.advanced(byNanoseconds: -beat.nanoseconds))))
            end = max(end, beat.time)
        }
        return sum
    }

    /// Computes the figures.
    ///
    /// - Returns: `nil` without two successive normal intervals.
    private static func figures(_ beats: [RRBeat], _ isNormal: [Bool]) -> Figures? {
        let normal = beats.indices.filter { isNormal[$0] }.map { beats[$0].milliseconds }
        // Differences are taken between neighbours only: neither over a gap nor over an artefact.
        let squares = beats.indices.dropFirst().filter { isNormal[$0] && isNormal[$0 - 1] && !beats[$0].followsGap }
            .map { index in
                let difference = beats[index].milliseconds - beats[index - 1].milliseconds
                return difference * difference
            }
        guard normal.count > 1, !squares.isEmpty else { return nil }
        let mean = normal.reduce(0, +) / Double(normal.count)
        let variance = normal.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(normal.count - 1)
        return Figures(
            rmssd: (squares.reduce(0, +) / Double(squares.count)).squareRoot(), sdnn: variance.squareRoot(), mean: mean)
    }
}

/// The sensor's reported heart rate against its RR intervals, both averaged over the last minute.
public struct RateCheck: Hashable, Sendable {
    /// The mean of the reported rates, in beats a minute.
    public let reported: Double
    /// The rate of the intervals, in beats a minute.
    public let computed: Double

    /// The compared time, and the part of it that must be covered.
    private static let window = (length: Duration.seconds(60), covered: 54.0)

    /// The permitted difference: 5 beats a minute, or a tenth of the reported rate.
    ///
    /// Source: ANSI/AAMI EC13 and IEC 60601-2-27 allow a heart-rate meter this error, whichever is more.
    static func tolerance(_ reported: Double) -> Double { max(5, reported / 10) }

    /// Compares them; `nil` if they agree, or if too little is known.
    init?(_ beats: [RRBeat], until now: MonotonicTime) {
        let newest = beats.filter { now.since($0.time) < Self.window.length && $0.heartRate > 0 }
        let seconds = newest.reduce(0) { $0 + Double($1.interval) } / 1024
        guard seconds >= Self.window.covered, !newest.dropFirst().contains(where: \.followsGap) else { return nil }
        computed = Double(newest.count) * 60 / seconds
        reported = newest.reduce(0) { $0 + Double($1.heartRate) * Double($1.interval) } / 1024 / seconds
        guard abs(computed - reported) > Self.tolerance(reported) else { return nil }
    }
}
