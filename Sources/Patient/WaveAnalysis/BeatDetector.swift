import Base
import Vitals

/// A heart beat in an electrocardiogram.
public struct WaveBeat: Hashable, Sendable {
    /// The time of the R peak, between two samples where it was.
    public var time: MonotonicTime
    /// From the lowest to the highest point of the QRS complex, in µV.
    public var amplitude: Double
    /// The middle between both, in µV.
    public var baseline: Double
    /// Whether samples are missing between this beat and the one before, so that there is no interval.
    public var followsGap: Bool
    /// The sample of the R peak, counted from the one at which the beat became certain: 0 or less.
    public var place: Int
    /// Whether beats stand out from everything else, so that this one may be shown; in noise peaks are found, too.
    public var isClear: Bool
}

/// Finds the heart beats of an electrocardiogram, sample by sample, with a memory of about two seconds.
///
/// The rule is that of J. Pan and W. J. Tompkins, "A real-time QRS detection algorithm", IEEE Transactions on Biomedical
/// Engineering 32 (1985), 230–236: band 5–15 Hz, derivative, square, mean of 150 ms, and thresholds that follow the heights of
/// beats and of noise, with a search back where a beat is overdue and a comparison of slopes against the T wave. The filters
/// are Butterworth ones for any rate from 60 to 1000 samples a second instead of the paper's for 200; the R peak is then
/// looked for in the samples themselves. It says where the heart has beaten, not whether it was a normal beat. No alarm
/// depends on it.
///
/// The paper's thresholds follow whatever there is, so that they find peaks in noise, too. Beats are *clear* only while, on the
/// average of eight, their complexes resemble each other and there is rest between them. In an electrocardiogram the
/// correlation of a complex with the mean of those before is 0.9 and more, ectopic beats included, and the power between two
/// beats falls to less than 0.05 of theirs; in noise these are 0.2 and 0.2, and a steady hum has no rest.
public struct BeatDetector: Hashable, Sendable {
    /// A local maximum of the mean power that is no beat so far.
    private struct Peak: Hashable {
        var place: Int
        var height: Double
        var slope: Double
    }

    private let rate: Double
    private var highPass: SecondOrderFilter
    private var lowPass: SecondOrderFilter
    /// The last outputs of the band, for the derivative.
    private var band = SIMD4<Double>.zero
    /// The newest outputs of the band, as a ring.
    private var bands: [Double]
    /// The mean complex of the last beats, of which only the shape counts; zeros before the first.
    private var shape: [Double]
    /// Of the last complexes the mean correlation with ``shape``, the mean share of power that was left before each, and how
    /// many there were.
    private var (likeness, unrest, compared) = (0.0, 0.0, 0)
    /// The least mean power since the last beat.
    private var lowest = Double.infinity
    /// The squared slopes of the last 150 ms, as a ring.
    private var power: [Double]
    private var powerSum = 0.0
    /// The newest samples with their times, as a ring.
    private var samples: [Double]
    private var times: [Int64]
    /// How many samples have come since the last gap, and before it.
    private var count = 0
    private var firstCount = 0

    /// The heights of beats and of noise, as the paper's SPKI and NPKI.
    private var beatHeight = 0.0
    private var noiseHeight = 0.0
    private var learned = 0
    /// The maximum that the mean power is leaving.
    private var rising: Peak?
    private var lastBeat: Peak?
    /// The highest maximum since the last beat that was no beat.
    private var missed: Peak?
    /// The usual samples between two beats; 0 while unknown.
    private var usualInterval = 0.0
    /// More than 0 where R peaks point upwards.
    private var polarity = 0.0
    private var lastTime: Int64?
    private var isAfterGap = true

    private static let ring = 512
    private static let learningSeconds = 2.0
    private static let window = 0.15
    private static let refractory = 0.2
    private static let closest = 0.36
    private static let overdue = 1.66
    /// The part of a complex that is compared: its seconds before the R peak, and all of them.
    private static let complex = (before: 0.11, length: 0.3)
    /// Over how many beats likeness and shape are averaged, and how many are needed.
    private static let (remembered, least) = (8, 6)
    /// Above which likeness and below which unrest beats are clear, and below which likeness a new shape is learned.
    private static let (alike, restless, unlike) = (0.85, 0.08, 0.5)

    /// - Parameter rate: Samples a second.
    public init(rate: Double) {
        let rate = min(max(60, rate), 1000)
        self.rate = rate
        highPass = SecondOrderFilter(.above, 5, rate: rate)
        lowPass = SecondOrderFilter(.below, 15, rate: rate)
        power = Array(repeating: 0, count: max(1, Int((rate * Self.window).rounded())))
        samples = Array(repeating: 0, count: Self.ring)
        times = Array(repeating: 0, count: Self.ring)
        bands = Array(repeating: 0, count: Self.ring)
        shape = Array(repeating: 0, count: Int((rate * Self.complex.length).rounded()))
    }

    /// Forgets the samples before: the next one does not continue them.
    ///
    /// What was learned of the heights stays.
    public mutating func interrupt() {
        (rising, lastBeat, missed, lastTime) = (nil, nil, nil, nil)
        (powerSum, band, isAfterGap, usualInterval) = (0, .zero, true, 0)
        for place in power.indices { power[place] = 0 }
        firstCount = count
    }

    /// Takes the next sample.
    ///
    /// - Parameters:
    ///   - sample: The sample in µV.
    ///   - time: When it was taken.
    /// - Returns: A beat that has become certain; it was up to half a second before, or longer where it was overdue.
    public mutating func take(_ sample: Double, at time: MonotonicTime) -> WaveBeat? {
        if count == firstCount {
            highPass.settle(at: sample)
            lowPass.settle(at: 0)
        }
        samples[count % Self.ring] = sample
        times[count % Self.ring] = time.nanoseconds
        let filtered = lowPass.pass(highPass.pass(sample))
        bands[count % Self.ring] = filtered
        // The five-point derivative of the paper.
        let slope = (2 * filtered + band[0] - band[2] - 2 * band[3]) / 8
        band = SIMD4(filtered, band[0], band[1], band[2])
        let place = count % power.count
        powerSum += slope * slope - power[place]
        power[place] = slope * slope
        count += 1
        return follow(max(0, powerSum) / Double(power.count), slope: abs(slope))
    }

    // MARK: Deciding

    private mutating func follow(_ mean: Double, slope: Double) -> WaveBeat? {
        let now = count - 1
        // The filters need a moment after a gap.
        guard now - firstCount > power.count * 2 else { return nil }
        guard Double(learned) >= rate * Self.learningSeconds else {
            learned += 1
            beatHeight = max(beatHeight, mean / 3)
            noiseHeight += (mean / 2 - noiseHeight) / Double(learned)
            return nil
        }
        lowest = min(lowest, mean)
        if let peak = rising {
            if mean > peak.height {
                rising = Peak(place: now, height: mean, slope: max(slope, peak.slope))
                return nil
            }
            // It is over when half of its height is left, or with the window.
            guard mean < peak.height / 2 || now - peak.place > power.count else {
                rising?.slope = max(slope, peak.slope)
                return nil
            }
            rising = nil
            return evaluate(peak)
        }
        if mean > threshold / 4 { rising = Peak(place: now, height: mean, slope: slope) }
        return searchBack(until: now)
    }

    private var threshold: Double { noiseHeight + 0.25 * (beatHeight - noiseHeight) }

    private mutating func evaluate(_ peak: Peak) -> WaveBeat? {
        let distance = lastBeat.map { Double(peak.place - $0.place) } ?? .infinity
        guard distance >= rate * Self.refractory else { return nil }
        // The T wave rises half as steeply as the QRS complex before it.
        let isT = distance < rate * Self.closest && peak.slope < (lastBeat?.slope ?? 0) / 2
        guard peak.height > threshold, !isT else {
            noiseHeight += (peak.height - noiseHeight) / 8
            if !isT, missed.map({ peak.height > $0.height }) ?? true { missed = peak }
            return nil
        }
        return accept(peak, share: 1 / 8)
    }

    private mutating func searchBack(until now: Int) -> WaveBeat? {
        guard let last = lastBeat, usualInterval > 0, Double(now - last.place) > Self.overdue * usualInterval else {
            return nil
        }
        guard let peak = missed, peak.height > threshold / 2, now - peak.place < Self.ring - power.count * 3 else {
            // The heights that were learned may be those of a disturbance.
            if Double(now - last.place) > 4 * usualInterval {
                beatHeight *= 1 - 1 / rate
                noiseHeight *= 1 - 1 / rate
                missed = nil
            }
            return nil
        }
        return accept(peak, share: 1 / 4)
    }

    private mutating func accept(_ peak: Peak, share: Double) -> WaveBeat? {
        beatHeight += (peak.height - beatHeight) * share
        if let last = lastBeat {
            let interval = Double(peak.place - last.place)
            let isUsual = usualInterval == 0 || (0.6...1.6).contains(interval / usualInterval)
            usualInterval =
                usualInterval == 0 ? interval : usualInterval + (interval - usualInterval) / (isUsual ? 8 : 16)
        }
        let rest = lowest / peak.height
        (lastBeat, missed, lowest) = (peak, nil, .infinity)
        return beat(before: peak.place, rest: rest)
    }

    // MARK: Locating

    /// The R peak whose power was greatest at a sample: up to the window and the delay of the filters before it.
    private mutating func beat(before place: Int, rest: Double) -> WaveBeat? {
        let reach = Int(rate * (Self.window + 0.07))
        let start = max(firstCount + 1, place - reach, count - Self.ring + 2)
        let end = min(place, count - 2)
        guard start < end else { return nil }
        var mean = 0.0
        for index in start...end { mean += sample(index) }
        mean /= Double(end - start + 1)
        var (highest, lowest) = (start, start)
        for index in start...end {
            if sample(index) > sample(highest) { highest = index }
            if sample(index) < sample(lowest) { lowest = index }
        }
        let lean = (sample(highest) - mean) - (mean - sample(lowest))
        polarity += ((lean > 0 ? 1 : -1) - polarity) / 8
        let isUpright = polarity > 0
        let peak = isUpright ? highest : lowest
        let span = max(1, Int(rate * 0.06))
        var trough = peak
        for index in max(start, peak - span)...min(count - 1, peak + span)
        where isUpright ? sample(index) < sample(trough) : sample(index) > sample(trough) {
            trough = index
        }
        let (offset, height) = vertex(at: peak)
        let depth = trough > firstCount && trough < count - 1 ? vertex(at: trough).height : sample(trough)
        let time = time(of: peak, offset)
        if let lastTime, time <= lastTime { return nil }
        compare(around: peak, rest: rest)
        defer { (lastTime, isAfterGap) = (time, false) }
        return WaveBeat(
            time: MonotonicTime(nanoseconds: time), amplitude: abs(height - depth), baseline: (height + depth) / 2,
            followsGap: isAfterGap, place: peak - (count - 1), isClear: isClear)
    }

    // MARK: Quality

    private var isClear: Bool {
        compared >= Self.least && likeness >= Self.alike && unrest < Self.restless
    }

    /// Compares the complex around an R peak with those before, and learns it; one that is not whole is left out.
    ///
    /// - Parameters:
    ///   - peak: The sample of the R peak.
    ///   - rest: The least power since the beat before, as a share of its own.
    private mutating func compare(around peak: Int, rest: Double) {
        let start = peak - Int(Self.complex.before * rate)
        guard start > firstCount, start > count - Self.ring, start + shape.count <= count else { return }
        var (power, product, former) = (0.0, 0.0, 0.0)
        for index in shape.indices {
            let value = bands[(start + index) % Self.ring]
            power += value * value
            product += value * shape[index]
            former += shape[index] * shape[index]
        }
        guard power > 0 else { return }
        if former > 0 {
            compared = min(compared + 1, Self.remembered)
            likeness += (product / (power * former).squareRoot() - likeness) / Double(compared)
            unrest += (min(1, rest) - unrest) / Double(compared)
        }
        // What was learned is another signal, or none.
        let isUnlike = compared == Self.remembered && likeness < Self.unlike
        if isUnlike { (likeness, unrest, compared) = (0, 0, 0) }
        let share = former > 0 && !isUnlike ? 1 / Double(Self.remembered) : 1
        for index in shape.indices {
            let value = bands[(start + index) % Self.ring] / power.squareRoot()
            shape[index] += (value - shape[index]) * share
        }
    }

    private func sample(_ index: Int) -> Double { samples[index % Self.ring] }

    /// The vertex of the parabola through a sample and its neighbours: samples are too far apart to meet the peak.
    private func vertex(at index: Int) -> (offset: Double, height: Double) {
        let (before, here, after) = (sample(index - 1), sample(index), sample(index + 1))
        let bend = before - 2 * here + after
        guard bend != 0 else { return (0, here) }
        let offset = min(max(-0.5, (before - after) / (2 * bend)), 0.5)
        return (offset, here - (before - after) * offset / 4)
    }

    private func time(of index: Int, _ offset: Double) -> Int64 {
        let here = times[index % Self.ring]
        let other = times[(offset < 0 ? index - 1 : index + 1) % Self.ring]
        return here.addingSaturated(Int64(saturating: Double(other.subtractingSaturated(here)) * abs(offset)))
    }
}
