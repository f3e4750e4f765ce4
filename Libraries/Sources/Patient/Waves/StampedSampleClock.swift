/// Gives every sample of a stream a time, where each frame carries the stamp of its last sample.
///
/// Samples come in lumps, whose arrival says little about when they were taken. The clock spreads each frame between the
/// stamps, measures the true rate on the way, since sensors miss their nominal one by some percent, and counts what is
/// missing. All times are those of the sensor's own clock. A value; the same frames give the same times.
///
/// Source: the technical documentation of the Polar BLE SDK, on time stamps of measurement data.
public struct StampedSampleClock: Hashable, Sendable {
    /// The times of the samples of a frame.
    public struct Placement: Hashable, Sendable {
        /// The time of the first sample, in nanoseconds of the sensor's clock.
        public var first: Int64
        /// The time from one sample to the next, in nanoseconds.
        public var interval: Double
        /// The number of samples.
        public var count: Int
        /// How many samples before the first one did not come.
        public var lost: Int
        /// Whether the sensor's clock began anew, so that times before tell nothing about these.
        public var isNewEpoch: Bool

        public init(first: Int64, interval: Double, count: Int, lost: Int = 0, isNewEpoch: Bool = false) {
            (self.first, self.interval, self.count) = (first, interval, count)
            (self.lost, self.isNewEpoch) = (lost, isNewEpoch)
        }

        /// The time of a sample, in nanoseconds of the sensor's clock.
        ///
        /// - Parameter index: Which sample, from 0.
        public func time(of index: Int) -> Int64 { first &+ Int64((Double(index) * interval).rounded()) }
    }

    /// The nominal time between two samples, in nanoseconds.
    private let nominalInterval: Double
    /// The measured time between two samples, in nanoseconds; the nominal one until there are two frames.
    public private(set) var interval: Double
    /// The number of frames that the measured interval comes from.
    private var measuredFrames = 0
    private var lastStamp: Int64?

    /// From how many frames on the measured rate is good enough to notice the loss of a few samples.
    private static let settledFrames = 8
    /// The share of a new frame in the measured rate, once that has settled.
    private static let weight = 1.0 / 32
    /// How far the true rate may be from the nominal one.
    private static let tolerance = 0.1

    /// The greatest number of samples in a frame that is placed.
    private static let countLimit = 1 << 20

    /// - Parameter nominalRate: Samples a second, 0.01 to a million.
    public init(nominalRate: Double) {
        nominalInterval = 1e9 / min(max(0.01, nominalRate), 1e6)
        interval = nominalInterval
    }

    /// The measured rate in samples a second.
    public var rate: Double { 1e9 / interval }

    /// Places the samples of the next frame.
    ///
    /// - Parameters:
    ///   - count: The number of its samples.
    ///   - stamp: The time of its last sample, in nanoseconds of the sensor's clock.
    /// - Returns: Their times; `nil` for a frame without samples, or with more than a million.
    public mutating func place(_ count: Int, lastAt stamp: Int64) -> Placement? {
        guard count > 0, count <= Self.countLimit else { return nil }
        let previous = lastStamp
        lastStamp = stamp
        guard let previous, stamp > previous else { return beginning(count, stamp, isNewEpoch: previous != nil) }
        // As a whole number first: two great ones lose their difference as fractions.
        let distance = Double(UInt64(bitPattern: stamp &- previous))
        let lost = (distance / interval).rounded() - Double(count)
        let isSettled = measuredFrames >= Self.settledFrames
        let allowed = isSettled ? 2 + Double(count) / 16 : Double(count) / 2
        if lost > allowed {
            var placement = beginning(count, stamp, isNewEpoch: false)
            placement.lost = Int(min(lost, 1e15))
            return placement
        }
        measure(distance / Double(count))
        // Between the stamps, so that nothing overlaps and nothing is left open.
        let spacing = distance / Double(count)
        return Placement(
            first: previous &+ Int64(spacing.rounded()), interval: spacing, count: count, lost: 0, isNewEpoch: false)
    }

    /// Places a frame by its own stamp alone.
    private mutating func beginning(_ count: Int, _ stamp: Int64, isNewEpoch: Bool) -> Placement {
        Placement(
            first: stamp &- Int64((Double(count - 1) * interval).rounded()), interval: interval, count: count, lost: 0,
            isNewEpoch: isNewEpoch)
    }

    private mutating func measure(_ measured: Double) {
        guard abs(measured / nominalInterval - 1) <= Self.tolerance else { return }
        measuredFrames += 1
        let weight = max(Self.weight, 1 / Double(measuredFrames))
        interval += (measured - interval) * weight
    }
}
