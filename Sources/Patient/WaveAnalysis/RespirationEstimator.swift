import Base
import Monitoring
import Vitals
import Waves

/// Estimates the breathing rate from the electrocardiogram and the acceleration of one chest strap.
///
/// Breathing changes four signals: the height of the QRS complex, its baseline, the time between two beats, and the
/// inclination of the chest, taken along the axis in which it varies most. Every 2 s the breaths of the last 32 s are counted
/// in each (``BreathCount``). There is a rate only where the acceleration and at least two of the others agree within
/// 3 a minute, and the windows of the last 8 s do, too. It is withheld where the beats are irregular or doubtful, where the
/// person moves, where samples are missing, and where the heart beats less than twice in a breath.
///
/// Source: the fusion of several modulations, without a value where they disagree, is that of P. H. Charlton and others,
/// "An assessment of algorithms to estimate respiratory rate from the electrocardiogram and photoplethysmogram",
/// Physiological Measurement 37 (2016), 610–626. Verified on synthetic records; not validated on people. No alarm depends on
/// it. Its memory is bounded, and taking a sample allocates nothing.
public struct RespirationEstimator: Sendable {
    /// The length of a window, in quarters of a second.
    static let window = 128
    /// From one estimate to the next, in quarters of a second.
    private static let step: Int64 = 8
    /// The quarters of a second that are kept: a window, and what one signal may be ahead of the other.
    private static let kept = 256
    /// The beats that are kept: a kept time at 240 a minute.
    private static let keptBeats = 256
    /// A quarter of a second in nanoseconds.
    private static let quarter: Int64 = 250_000_000
    /// How long after its R peak a beat is certain, in quarters of a second.
    private static let certainAfter: Int64 = 4
    /// The greatest difference of the signals that agree, and of windows that do, in breaths a minute.
    private static let agreement = 3.0
    /// The number of successive windows that must agree: they end within 8 s.
    private static let agreeingWindows = 5
    private static let leastCoverage = 0.9
    /// The fastest breathing that is shown: the signals lose faster one, and then tend to too low a count.
    private static let fastest = 30.5
    private static let mostArtefacts = 0.05

    /// What came in a quarter of a second.
    private struct Quarter: Hashable, Sendable {
        /// Which one, by the monitor's clock.
        var number = Int64.min
        /// The sum of the accelerations in mg, and of their squares.
        var sum = SIMD3<Double>.zero
        var squares = 0.0
        var count = 0
        /// The time that samples of the electrocardiogram cover, in nanoseconds.
        var covered = 0.0
    }

    private var quarters = [Quarter](repeating: Quarter(), count: Self.kept)
    private var beats: [WaveBeat] = []
    private var finder = BeatFinder()
    /// The ends of what has come of both signals.
    private var ends: (beats: Int64, acceleration: Int64) = (.min, .min)
    private var began: Int64?
    private var next: Int64?
    /// The rates of the last windows; `nil` for one without.
    private var earlier: [Double?] = []

    public init() { beats.reserveCapacity(Self.keptBeats) }

    /// Takes a block of the electrocardiogram or the acceleration; others are left out.
    ///
    /// - Returns: The newest estimate, where a window has ended.
    public mutating func take(_ block: WaveBlock) -> RespirationEstimate? {
        switch block.kind {
        case .electrocardiogram: takeElectrocardiogram(block)
        case .acceleration: takeAcceleration(block)
        case .plethysmogram: return nil
        }
        return evaluate()
    }

    // MARK: Receiving

    private static func number(_ time: MonotonicTime) -> Int64 {
        let (quotient, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: quarter)
        return rest < 0 ? quotient - 1 : quotient
    }

    /// The place of a quarter of a second, emptied when it is a new one; `nil` for one that is too old.
    private mutating func place(of number: Int64) -> Int? {
        let place = Int(number & Int64(Self.kept - 1))
        guard number >= quarters[place].number else { return nil }
        if number > quarters[place].number { quarters[place] = Quarter(number: number) }
        return place
    }

    private mutating func takeElectrocardiogram(_ block: WaveBlock) {
        for index in 0..<block.count where block.samples[index] != WavePiece.missing {
            guard let place = place(of: Self.number(block.time(of: index))) else { continue }
            quarters[place].covered += block.interval
        }
        for beat in finder.take(block) {
            if beats.count == Self.keptBeats { beats.removeFirst(Self.keptBeats / 4) }
            beats.append(beat)
        }
        ends.beats = max(ends.beats, Self.number(block.end) - Self.certainAfter)
    }

    private mutating func takeAcceleration(_ block: WaveBlock) {
        for index in 0..<block.count {
            let (x, y, z) = (block.samples[3 * index], block.samples[3 * index + 1], block.samples[3 * index + 2])
            guard x != WavePiece.missing, y != WavePiece.missing, z != WavePiece.missing,
                let place = place(of: Self.number(block.time(of: index)))
            else { continue }
            let sample = SIMD3(Double(x), Double(y), Double(z))
            quarters[place].sum += sample
            quarters[place].squares += (sample * sample).sum()
            quarters[place].count += 1
        }
        ends.acceleration = max(ends.acceleration, Self.number(block.end))
    }

    // MARK: Evaluating

    private mutating func evaluate() -> RespirationEstimate? {
        let end = min(ends.beats, ends.acceleration)
        guard end > .min else { return nil }
        let first = began ?? end
        began = first
        guard end >= next ?? end else { return nil }
        next = end + Self.step
        let found = end - first < Int64(Self.window) ? .failure(Withheld(.gathering)) : rate(until: end)
        earlier.append(try? found.get().perMinute)
        if earlier.count > Self.agreeingWindows { earlier.removeFirst(earlier.count - Self.agreeingWindows) }
        let time = MonotonicTime(nanoseconds: end.multipliedSaturated(by: Self.quarter))
        return RespirationEstimate(end: time, result: result(found))
    }

    private func result(_ found: Swift.Result<Fusion, Withheld>) -> RespirationEstimate.Result {
        switch found {
        case .failure(let withheld): return .none(withheld.reason)
        case .success(let fusion):
            let rates = earlier.compactMap { $0 }
            guard rates.count == Self.agreeingWindows, let low = rates.min(), let high = rates.max(),
                high - low <= Self.agreement
            else { return .none(.unsteady) }
            return .rate(
                RespirationEstimate.Rate(
                    perMinute: Int(saturating: fusion.perMinute.rounded()),
                    spread: max(1, Int(saturating: fusion.spread.rounded(.up))), signals: fusion.signals))
        }
    }

    /// The reason for no rate, as an error.
    private struct Withheld: Error {
        var reason: RespirationEstimate.Reason

        init(_ reason: RespirationEstimate.Reason) { self.reason = reason }
    }

    /// The rate on which signals agree.
    private struct Fusion {
        var perMinute: Double
        var spread: Double
        var signals: Int
    }

    private func rate(until end: Int64) -> Swift.Result<Fusion, Withheld> {
        let numbers = (end - Int64(Self.window))..<end
        let window = numbers.map { number in
            let quarter = quarters[Int(number & Int64(Self.kept - 1))]
            return quarter.number == number ? quarter : Quarter()
        }
        let covered = window.reduce(0) { $0 + min(Double(Self.quarter), $1.covered) }
        let whole = Double(Self.window)
        let accelerated = Double(window.count { $0.count > 0 })
        guard covered >= Self.leastCoverage * whole * Double(Self.quarter), accelerated >= Self.leastCoverage * whole
        else { return .failure(Withheld(.incomplete)) }
        if Movement(window.map { ($0.sum, $0.squares, $0.count) }).isMoving { return .failure(Withheld(.movement)) }
        let start = MonotonicTime(nanoseconds: numbers.lowerBound.multipliedSaturated(by: Self.quarter))
        let stop = MonotonicTime(nanoseconds: end.multipliedSaturated(by: Self.quarter))
        let beats = beats.filter { $0.time >= start && $0.time < stop }
        let rhythm = WindowRhythm(beats)
        guard rhythm.intervals.count > 8 else { return .failure(Withheld(.artefacts)) }
        if rhythm.isIrregular { return .failure(Withheld(.irregular)) }
        if rhythm.artefactShare > Self.mostArtefacts { return .failure(Withheld(.artefacts)) }
        let times = numbers.map { $0.multipliedSaturated(by: Self.quarter) + Self.quarter / 2 }
        let signals = [
            Self.resampled(beats.map { ($0.time, $0.amplitude) }, at: times),
            Self.resampled(beats.map { ($0.time, $0.baseline) }, at: times),
            Self.resampled(rhythm.intervals, at: times),
        ]
        let chest = Self.principal(window).flatMap { BreathCount.perMinute($0) }
        let counts = signals.map { BreathCount.perMinute(BreathCount.banded($0)) }
        guard let chest, let fusion = Self.fuse(chest, counts.compactMap { $0 }) else {
            return .failure(Withheld(.disagreement))
        }
        if fusion.perMinute > Self.fastest { return .failure(Withheld(.disagreement)) }
        if rhythm.perMinute < 2 * fusion.perMinute { return .failure(Withheld(.slowHeart)) }
        return .success(fusion)
    }

    /// The mean of the acceleration's count and those of the others that agree with it; `nil` without two of them.
    private static func fuse(_ chest: Double, _ others: [Double]) -> Fusion? {
        var best: Fusion?
        let near = others.sorted { abs($0 - chest) < abs($1 - chest) }
        for count in 2...3 where near.count >= count {
            let agreeing = [chest] + near.prefix(count)
            guard let low = agreeing.min(), let high = agreeing.max(), high - low <= agreement else { break }
            let mean = agreeing.reduce(0, +) / Double(agreeing.count)
            best = Fusion(perMinute: mean, spread: max(high - mean, mean - low), signals: agreeing.count)
        }
        return best
    }

    /// A signal that is known at beats, at other times: on the line between two beats, and at the ends as at the nearest one.
    private static func resampled(_ values: [(time: MonotonicTime, value: Double)], at times: [Int64]) -> [Double] {
        guard let first = values.first, let last = values.last else { return [] }
        var index = 0
        return times.map { time in
            while index + 1 < values.count, values[index + 1].time.nanoseconds <= time { index += 1 }
            if time <= first.time.nanoseconds { return first.value }
            guard index + 1 < values.count else { return last.value }
            let (from, to) = (values[index], values[index + 1])
            let share = Double(time - from.time.nanoseconds) / Double(max(1, to.time.nanoseconds(since: from.time)))
            return from.value + (to.value - from.value) * share
        }
    }

    /// The acceleration in the band of breathing, along the axis in which it varies most.
    private static func principal(_ window: [Quarter]) -> [Double]? {
        var last = SIMD3<Double>.zero
        guard let first = window.first(where: { $0.count > 0 }) else { return nil }
        last = first.sum / Double(first.count)
        let means = window.map { quarter in
            if quarter.count > 0 { last = quarter.sum / Double(quarter.count) }
            return last
        }
        let axes = (0..<3).map { axis in BreathCount.banded(means.map { $0[axis] }) }
        var covariance = [SIMD3<Double>](repeating: .zero, count: 3)
        for row in 0..<3 {
            for column in 0..<3 {
                covariance[row][column] = zip(axes[row], axes[column]).reduce(0) { $0 + $1.0 * $1.1 }
            }
        }
        // The power iteration from the row with the greatest variance, which is not orthogonal to the axis.
        let greatest = (0..<3).max { covariance[$0][$0] < covariance[$1][$1] } ?? 0
        var axis = covariance[greatest]
        for _ in 0..<24 {
            let length = (axis * axis).sum().squareRoot()
            guard length > 0 else { return nil }
            axis /= length
            axis = SIMD3((covariance[0] * axis).sum(), (covariance[1] * axis).sum(), (covariance[2] * axis).sum())
        }
        let length = (axis * axis).sum().squareRoot()
        guard length > 0 else { return nil }
        axis /= length
        return axes[0].indices.map { axes[0][$0] * axis[0] + axes[1][$0] * axis[1] + axes[2][$0] * axis[2] }
    }
}
