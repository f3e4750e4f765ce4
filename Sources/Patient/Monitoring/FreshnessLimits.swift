import Base
import Vitals

/// The settings of freshness in nanoseconds, calculated once instead of at each event.
struct FreshnessLimits: Codable, Hashable, Sendable {
    private let shortest: Int64
    private let longest: Int64
    private let assumed: Int64
    private let assumedTemperature: Int64
    private let staleFactor: Int64
    private let lostFactor: Int64

    init(_ settings: MonitorSettings.Freshness) {
        // An hour and a factor of a thousand are beyond any sensible value; they keep the products within 64 bits.
        let sensible: ClosedRange<Int64> = 1_000_000...3_600_000_000_000
        shortest = settings.shortestInterval.nanoseconds.clamped(to: sensible)
        longest = max(shortest, settings.longestInterval.nanoseconds.clamped(to: sensible))
        assumed = settings.assumedInterval.nanoseconds.clamped(to: sensible)
        assumedTemperature = settings.assumedTemperatureInterval.nanoseconds.clamped(to: sensible)
        staleFactor = Int64(settings.staleFactor.clamped(to: 1...1000))
        lostFactor = max(staleFactor, Int64(settings.lostFactor.clamped(to: 1...1000)))
    }

    /// The interval of transmitters, in nanoseconds.
    private static let transmitterInterval = Duration.seconds(300).nanoseconds

    /// The longest announced interval, in nanoseconds, of a thermometer that counts as streaming.
    ///
    /// A value stays without a warning for three intervals, and nobody should wait for one longer than that.
    private static let longestAnnounced = Duration.seconds(300).nanoseconds

    /// The interval, in nanoseconds, used for a vital.
    ///
    /// - Parameters:
    ///   - vital: The vital.
    ///   - learned: The usual gap between two arrivals, if known.
    ///   - announced: What the sensor announced, if it did; it allows a longer interval than one that is learned only.
    func interval(of vital: Vital, learned: Int64?, announced: Int64? = nil) -> Int64 {
        let kept = keeps(announced, learned: learned) ? announced : nil
        let announced = kept?.clamped(to: shortest...Self.longestAnnounced)
        let longest = max(longest, announced ?? 0)
        let learned = learned?.clamped(to: shortest...longest) ?? announced
        switch vital.traits.pace {
        case .seconds: return learned ?? assumed
        case .slow: return learned ?? assumedTemperature
        // Transmitters keep their interval; a late one has missed a value.
        case .fiveMinutes: return Self.transmitterInterval
        }
    }

    /// Whether a learned interval, in nanoseconds, is that of a streaming sensor.
    func isPace(_ learned: Int64?) -> Bool { learned.map { $0 <= longest } ?? false }

    /// Whether an announced interval is that of a streaming thermometer, as far as its values show.
    ///
    /// One that announces an interval and then measures on request is believed by its values.
    ///
    /// - Parameters:
    ///   - announced: The announced interval in nanoseconds, if any.
    ///   - learned: The usual gap between two arrivals in nanoseconds, if known.
    func keeps(_ announced: Int64?, learned: Int64?) -> Bool {
        guard let announced, announced <= Self.longestAnnounced else { return false }
        return learned.map { $0 <= 2 * announced } ?? true
    }

    /// The age, in nanoseconds, at which a value sent at this interval becomes stale.
    func staleAfter(interval: Int64) -> Int64 { interval * staleFactor }

    /// The age, in nanoseconds, at which a value sent at this interval is lost, or its sensor silent.
    func lostAfter(interval: Int64) -> Int64 { interval * lostFactor }
}

extension Comparable {
    /// The value itself, or the nearer end of the range.
    func clamped(to range: ClosedRange<Self>) -> Self {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
