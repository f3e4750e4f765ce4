import Base
import Vitals

/// Gives every sample of a stream a time, where nothing that the sensor sends tells one: by counting samples.
///
/// Where the sensor numbers its samples, that counter tells what is missing; else nothing does, no loss is claimed, and
/// samples after a pause begin anew. The times are those of a clock that runs with the samples: from one to the next
/// there is the nominal interval, until the true one has been measured by the arrivals of a longer time. A value; the
/// same arrivals give the same times.
public struct CountedSampleClock: Hashable, Sendable {
    /// The nominal time between two samples, in nanoseconds.
    private let nominalInterval: Double
    /// After how many samples the sensor's counter begins again; `nil` without a counter.
    private let period: Int?
    /// The measured time between two samples, in nanoseconds; the nominal one until it has been measured twice.
    public private(set) var interval: Double
    /// The time of the next sample.
    private var next: Int64 = 0
    /// The counter of the next sample.
    private var expected: Int?
    private var lastArrival: MonotonicTime?
    private var isInterrupted = false
    /// Since when the present measurement runs, and how many samples have come since then.
    private var measuredSince: MonotonicTime?
    private var measuredCount = 0
    /// What the measurement before this one gave.
    private var lastMeasured: Double?
    private var isMeasured = false

    /// Where nothing counts the loss, samples after a longer pause do not continue those before it.
    public static let longestPause = Duration.seconds(3)
    /// How much later than its sample a value may arrive.
    private static let lateness = Duration.seconds(1)
    /// How long the interval is measured: for a first result, and then.
    private static let firstMeasurement = Duration.seconds(4)
    private static let laterMeasurement = Duration.seconds(16)
    /// How far the true interval may be from the nominal one.
    private static let tolerance = 0.3
    /// How far two measurements may be apart that are believed: what waits and comes in one go spoils two of them.
    private static let agreement = 0.03
    /// The greatest number of samples in a frame that is placed.
    private static let countLimit = 1 << 20

    /// - Parameters:
    ///   - nominalRate: Samples a second, 0.01 to a million.
    ///   - counterPeriod: After how many samples the sensor's counter begins again; `nil` without a counter.
    public init(nominalRate: Double, counterPeriod: Int? = nil) {
        nominalInterval = 1e9 / min(max(0.01, nominalRate), 1e6)
        interval = nominalInterval
        period = counterPeriod.flatMap { $0 > 1 ? $0 : nil }
    }

    /// The measured rate in samples a second.
    public var rate: Double { 1e9 / interval }

    /// Places the next samples, which follow one another without a gap.
    ///
    /// - Parameters:
    ///   - count: The number of samples.
    ///   - counter: The sensor's counter of the first one, in samples; `nil` without a counter.
    ///   - arrival: When they arrived.
    /// - Returns: Their times; `nil` for none, for more than a million, and for samples that came before.
    public mutating func place(
        _ count: Int, counter: Int? = nil, at arrival: MonotonicTime
    ) -> StampedSampleClock.Placement? {
        guard count > 0, count <= Self.countLimit else { return nil }
        guard let before = lastArrival else { return begin(count, counter, isNewEpoch: false, at: arrival) }
        let pause = arrival.since(before)
        if isInterrupted { return begin(count, counter, isNewEpoch: true, at: arrival) }
        var lost = 0
        if let period, let counter, let expected {
            // What the sensor sends again came before.
            if remainder(expected &- counter, period) == count, pause < Self.lateness { return nil }
            lost = remainder(counter &- expected, period)
            // The counter tells a loss only within one round, and none that took longer than the time that has passed.
            let isTold = pause < duration(period) && duration(lost) <= pause + Self.lateness
            if !isTold { return begin(count, counter, isNewEpoch: true, at: arrival) }
        } else if pause > Self.longestPause {
            return begin(count, counter, isNewEpoch: true, at: arrival)
        }
        lastArrival = arrival
        measure(count + lost, at: arrival)
        return continued(count, counter, lost: lost, isNewEpoch: false)
    }

    /// Lets the next samples begin anew, where it is known that they do not continue those before.
    public mutating func interrupt() { isInterrupted = true }

    private mutating func begin(
        _ count: Int, _ counter: Int?, isNewEpoch: Bool, at arrival: MonotonicTime
    ) -> StampedSampleClock.Placement {
        (lastArrival, isInterrupted) = (arrival, false)
        (measuredSince, measuredCount, lastMeasured) = (arrival, 0, nil)
        return continued(count, counter, lost: 0, isNewEpoch: isNewEpoch)
    }

    private mutating func continued(
        _ count: Int, _ counter: Int?, lost: Int, isNewEpoch: Bool
    ) -> StampedSampleClock.Placement {
        expected = counter.flatMap { counter in period.map { remainder(counter &+ count, $0) } }
        let first = next &+ Int64(saturating: (Double(lost) * interval).rounded())
        next = first &+ Int64(saturating: (Double(count) * interval).rounded())
        return StampedSampleClock.Placement(
            first: first, interval: Double(next &- first) / Double(count), count: count, lost: lost,
            isNewEpoch: isNewEpoch)
    }

    private func duration(_ samples: Int) -> Duration { .nanoseconds(Int64(saturating: Double(samples) * interval)) }

    private func remainder(_ number: Int, _ period: Int) -> Int {
        let remainder = number % period
        return remainder < 0 ? remainder + period : remainder
    }

    // MARK: The true interval

    private mutating func measure(_ count: Int, at arrival: MonotonicTime) {
        measuredCount &+= count
        guard let measuredSince,
            arrival.since(measuredSince) >= (isMeasured ? Self.laterMeasurement : Self.firstMeasurement)
        else { return }
        let measured = Double(arrival.nanoseconds(since: measuredSince)) / Double(max(1, measuredCount))
        let before = lastMeasured
        (self.measuredSince, measuredCount, lastMeasured) = (arrival, 0, measured)
        guard let before, abs(measured / before - 1) <= Self.agreement else { return }
        let mean = (measured + before) / 2
        guard abs(mean / nominalInterval - 1) <= Self.tolerance else { return }
        interval = mean
        isMeasured = true
    }
}
