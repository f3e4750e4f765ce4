/// The artefact of an interval that is not between two normal beats.
///
/// The classes and the rule are those of J. A. Lipponen and M. P. Tarvainen, "A robust algorithm for heart rate
/// variability time series artefact correction using novel beat classification", Journal of Medical Engineering &
/// Technology 43 (2019), 173–181. It was chosen because its thresholds follow the person's own variability, because it
/// needs intervals only, and because an independent implementation (`neurokit2`) can be compared with it.
public enum RRArtefact: String, CaseIterable, Hashable, Sendable {
    /// An early beat, followed by a pause.
    case ectopic
    /// A beat that the sensor did not detect: the interval is as long as two.
    case missed
    /// A false beat: this interval and the next one are together as long as one.
    case extra
    /// An interval that is much longer or shorter than those around it.
    case longOrShort

    /// Whether the next interval is not between two normal beats either.
    var spoilsNext: Bool { self == .ectopic || self == .extra }
}

/// Finds artefacts in an unbroken series of intervals.
package struct RRClassifier {
    private static let slope = 0.13
    private static let intercept = 0.17
    private static let factor = 5.2
    /// The number of intervals on each side that determine the threshold, and the median.
    private static let reach = (threshold: 45, median: 5)
    /// The least threshold in milliseconds.
    ///
    /// The paper has none, so that in a very regular rhythm (a pacemaker) a single millisecond would be an artefact.
    private static let leastThreshold = 10.0
    /// The possible intervals between two beats, in milliseconds: 300 to 20 beats a minute.
    private static let plausible = 200.0...3000.0

    /// Classifies intervals in milliseconds; the last two are evaluated when more have arrived.
    package static func classify(_ intervals: [Double]) -> [RRArtefact?] {
        var found = [RRArtefact?](repeating: nil, count: intervals.count)
        if intervals.count >= 3 {
            // The rule compares with the interval before: the first one is compared with the mean.
            let mean = intervals.reduce(0, +) / Double(intervals.count)
            for (index, artefact) in RRClassifier([mean] + intervals).artefacts where index > 0 {
                found[index - 1] = artefact
            }
        }
        for index in intervals.indices where !plausible.contains(intervals[index]) {
            found[index] = found[index] ?? .longOrShort
        }
        return found
    }

    private let intervals: [Double]
    /// The differences to the interval before, in thresholds.
    private let steps: [Double]
    /// The deviations from the median around, in thresholds.
    private let deviations: [Double]
    private let medians: [Double]
    private let tolerances: [Double]

    private init(_ intervals: [Double]) {
        self.intervals = intervals
        var steps = zip(intervals.dropFirst(), intervals).map { $0 - $1 }
        steps.insert(steps.reduce(0, +) / Double(steps.count), at: 0)
        let thresholds = Self.thresholds(steps)
        self.steps = zip(steps, thresholds).map { $0 / $1 }
        medians = intervals.indices.map { index in
            Self.quantile(0.5, of: Self.sorted(intervals, around: index, Self.reach.median))
        }
        let deviations = zip(intervals, medians).map { $0 < $1 ? 2 * ($0 - $1) : $0 - $1 }
        tolerances = Self.thresholds(deviations)
        self.deviations = zip(deviations, tolerances).map { $0 / $1 }
    }

    private static func thresholds(_ values: [Double]) -> [Double] {
        let magnitudes = values.map { abs($0) }
        return magnitudes.indices.map { index in
            let around = sorted(magnitudes, around: index, reach.threshold)
            return max(leastThreshold, factor * (quantile(0.75, of: around) - quantile(0.25, of: around)) / 2)
        }
    }

    private static func sorted(_ values: [Double], around index: Int, _ reach: Int) -> [Double] {
        values[max(0, index - reach)...min(values.count - 1, index + reach)].sorted()
    }

    private static func quantile(_ share: Double, of sorted: [Double]) -> Double {
        let place = share * Double(sorted.count - 1)
        let (lower, upper) = (sorted[Int(place)], sorted[min(sorted.count - 1, Int(place) + 1)])
        return lower + (upper - lower) * (place - place.rounded(.down))
    }

    /// The step at a place, mirrored at both ends.
    private func step(_ index: Int) -> Double {
        let last = steps.count - 1
        return steps[index < 0 ? -index : index > last ? 2 * last - index : index]
    }

    private func isEctopic(_ index: Int) -> Bool {
        let (step, before, after) = (step(index), step(index - 1), step(index + 1))
        return step > 1
            ? max(before, after) < -Self.slope * step - Self.intercept
            : step < -1 && min(before, after) > -Self.slope * step + Self.intercept
    }

    /// The artefacts with their indices; the steps are those of figure 1 of the paper.
    private var artefacts: [(Int, RRArtefact)] {
        var found: [(Int, RRArtefact)] = []
        var index = 0
        while index < intervals.count - 2 {
            guard abs(steps[index]) > 1 else {
                index += 1
                continue
            }
            if isEctopic(index) {
                found.append((index, .ectopic))
                index += 1
                continue
            }
            // A wrong interval may be recognisable only after the next beat.
            let candidates = abs(steps[index + 1]) < abs(steps[index + 2]) ? [index, index + 1] : [index]
            for candidate in candidates {
                if let artefact = artefact(at: candidate) { found.append((candidate, artefact)) }
            }
            index += candidates.count
        }
        return found
    }

    private func artefact(at index: Int) -> RRArtefact? {
        let (step, next, second) = (step(index), step(index + 1), step(index + 2))
        let isLong = step > 1 && min(next, second) < -1
        let isShort = step < -1 && max(next, second) > 1
        guard isLong || isShort || abs(deviations[index]) > 3 else { return nil }
        let (median, tolerance) = (medians[index], tolerances[index])
        if isShort, abs(intervals[index] + intervals[index + 1] - median) < tolerance { return .extra }
        if isLong, abs(intervals[index] / 2 - median) < tolerance { return .missed }
        return .longOrShort
    }
}
