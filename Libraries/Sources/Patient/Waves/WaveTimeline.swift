import Base
import Vitals

/// Brings the samples of one stream from the sensor's clock to the monitor's.
///
/// A sensor's clock is wrong by years, and runs a little too fast or too slow; pieces arrive in lumps, some late. The
/// earliest arrivals tell the difference of the two clocks, which the timeline follows by stretching the samples by at most
/// ``stretch``: they stay without overlaps and holes, and nothing is placed by its arrival alone. More samples than
/// the sensor can have taken are refused and counted. A value; the same pieces give the same blocks.
public struct WaveTimeline: Hashable, Sendable {
    /// The sensor.
    private let sensor: SensorIdentity
    /// The monitor's time minus the sensor's, in nanoseconds, as samples are placed.
    private var offset: Int64?
    /// The same by the earliest of the newest arrivals.
    private var earliest: Int64 = 0
    /// Since when pieces come later than the clocks explain.
    private var lateSince: MonotonicTime?
    /// The end of the last block.
    private var end: MonotonicTime?
    /// The stretch of the newest pieces: the monitor's time for a second of the sensor's clock, minus 1.
    private var drift = 0.0
    private var interval = 0.0
    /// Samples that may still come now, and when that was.
    private var allowance: Double
    private var lastArrival: MonotonicTime?
    /// Samples that were refused since the last block.
    private var refused = 0

    /// How much of a stream's time may be added or left out to follow the sensor's clock: more than the 2 % by which a
    /// sensor is wrong, so that late arrivals are made up for.
    public static let stretch = 0.03
    /// A greater difference of the clocks is no drift: one of them was set.
    private static let longestDrift: Int64 = 1_000_000_000
    /// Pieces that wait behind a busy bus are late for a shorter time; after that the sensor's clock stood still.
    private static let longestLateness = Duration.seconds(5)
    /// How much faster than usual a sensor may send in the long run, and for how many seconds it may do so at once:
    /// what has waited behind a busy bus comes in one go.
    private static let allowedExcess = 1.5
    private static let allowedSeconds = 60.0

    public init(_ sensor: SensorIdentity, _ kind: WaveKind) {
        self.sensor = sensor
        allowance = kind.traits.nominalRate * Self.allowedSeconds
    }

    /// Samples a second by the monitor's clock; `nil` before the first block.
    public var rate: Double? { interval > 0 ? 1e9 / (interval * (1 + drift)) : nil }

    /// Places a piece.
    ///
    /// - Parameters:
    ///   - piece: Samples with their times by the sensor's clock.
    ///   - arrival: When they arrived.
    /// - Returns: The same on the monitor's clock; `nil` for a piece without samples or of a sensor that sends more than
    ///   it can measure.
    public mutating func place(_ piece: WavePiece, at arrival: Moment) -> WaveBlock? {
        let count = piece.samples.count / piece.kind.traits.channels
        let placement = piece.placement
        guard count > 0, count == placement.count, placement.interval.isFinite, placement.interval > 0 else {
            return nil
        }
        guard allows(count, of: piece.kind, at: arrival.monotonic) else {
            refused = refused.addingSaturated(count)
            // What comes next does not continue what came before.
            end = nil
            return nil
        }
        let duration = placement.interval * Double(count)
        let arrivalOffset = arrival.monotonicNanoseconds.subtractingSaturated(
            placement.first.addingSaturated(Int64(saturating: duration)))
        let lost = placement.lost.addingSaturated(refused)
        refused = 0
        let isSet = placement.isNewEpoch || hasClockChanged(arrivalOffset, at: arrival.monotonic)
        let before = isSet ? arrivalOffset : offset ?? arrivalOffset
        if isSet { (earliest, drift, lateSince) = (arrivalOffset, 0, nil) }
        // The earliest arrival ages, so that a slow clock is followed, too; but what has waited tells nothing.
        let aging = lateSince == nil ? Int64(duration * Self.stretch) : 0
        earliest = min(earliest.addingSaturated(aging), arrivalOffset)
        let wanted = Double(earliest.subtractingSaturated(before))
        let added = min(max(wanted, -duration * Self.stretch), duration * Self.stretch)
        let after = before.addingSaturated(Int64(added))
        offset = after
        if !isSet { drift += (added / duration - drift) / 64 }
        interval = placement.interval
        var block = WaveBlock(
            sensor: sensor, kind: piece.kind, samples: piece.samples, beats: piece.beats,
            start: MonotonicTime(nanoseconds: placement.first.addingSaturated(before)),
            interval: (duration + added) / Double(count), lost: lost, isContinuing: false, arrived: arrival)
        if let end, !isSet, lost == 0 {
            // Both come from the same clock, and differ by rounding.
            block.isContinuing = abs(block.start.nanoseconds(since: end)) < Int64(block.interval)
            if block.isContinuing { block.start = end }
        }
        end = block.end
        return block
    }

    /// Forgets the clock of the sensor: what comes next begins anew.
    public mutating func interrupt() {
        (offset, end, lateSince) = (nil, nil, nil)
    }

    /// Whether the difference of the clocks, in nanoseconds, shows that the sensor's was set or stood still.
    private mutating func hasClockChanged(_ difference: Int64, at arrival: MonotonicTime) -> Bool {
        guard let offset else { return true }
        let change = difference.subtractingSaturated(offset)
        if change <= Self.longestDrift { lateSince = nil } else if lateSince == nil { lateSince = arrival }
        return change < -Self.longestDrift || lateSince.map { arrival.since($0) > Self.longestLateness } ?? false
    }

    private mutating func allows(_ count: Int, of kind: WaveKind, at arrival: MonotonicTime) -> Bool {
        let rate = kind.traits.nominalRate * Self.allowedExcess
        if let lastArrival {
            let seconds = Double(max(0, arrival.nanoseconds(since: lastArrival))) / 1e9
            allowance = min(kind.traits.nominalRate * Self.allowedSeconds, allowance + seconds * rate)
        }
        lastArrival = arrival
        guard Double(count) <= allowance else { return false }
        allowance -= Double(count)
        return true
    }
}
