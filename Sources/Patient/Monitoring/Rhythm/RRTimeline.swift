import Base
import Vitals

/// The interval that ended with one beat.
public struct RRBeat: Hashable, Sendable {
    /// The time of the beat, estimated from the arrival of notifications.
    public var time: MonotonicTime
    /// The interval before it in units of 1/1024 s.
    public var interval: UInt16
    /// The heart rate of its notification, in beats a minute; 0 for none.
    public var heartRate: UInt16
    /// Whether beats are missing before its interval, so that the previous beat is not its neighbour.
    public var followsGap: Bool

    public var milliseconds: Double { Double(interval) * 1000 / 1024 }

    public var nanoseconds: Int64 { RRTimeline.nanoseconds(interval) }
}

/// Estimates the times of the beats of successive notifications, and detects missing beats.
///
/// A sensor sends no times of beats, but the intervals of an unbroken series add up to the time that passes. If more
/// time passes than their sum, notifications are missing; if less passes, some were sent twice. Either begins a new
/// series, and so does ``interrupt()``.
public struct RRTimeline: Codable, Hashable, Sendable {
    /// The permitted difference of time and intervals: a sensor collects the beats of about a second, and a radio
    /// repeats lost packets.
    static let tolerance: Int64 = 1_500_000_000

    /// When the newest notification arrived.
    private var arrival = MonotonicTime.distantPast
    /// The time of the newest beat.
    private var end = MonotonicTime.distantPast
    /// How far the intervals exceed the elapsed time.
    private var excess: Int64 = 0
    private var isInterrupted = true

    public init() {}

    /// Begins a new series with the next notification.
    public mutating func interrupt() { isInterrupted = true }

    /// Estimates the times of a notification's intervals.
    ///
    /// - Parameters:
    ///   - intervals: The intervals, the oldest first.
    ///   - heartRate: The heart rate of the notification.
    ///   - time: When it arrived.
    ///   - body: Called with each beat, in chronological order.
    public mutating func place(
        _ intervals: [UInt16], heartRate: UInt16? = nil, arrivedAt time: MonotonicTime, _ body: (RRBeat) -> Void
    ) {
        let sum = intervals.reduce(0) { $0 + Self.nanoseconds($1) }
        let time = max(time, arrival)
        // The clocks of sensor and computer drift apart by less than a thousandth.
        var drift: Int64 = 0
        if !isInterrupted {
            let elapsed = time.nanoseconds(since: arrival)
            drift = elapsed / 1024
            let lead = end.advanced(byNanoseconds: sum).advanced(byNanoseconds: drift).nanoseconds(since: time)
            excess = max(0, excess - elapsed / 512).addingSaturated(max(0, lead))
            isInterrupted = excess > Self.tolerance || lead < -Self.tolerance
        }
        if isInterrupted { (end, excess) = (max(end, time.advanced(byNanoseconds: -sum)), 0) }
        var rest = sum
        for interval in intervals {
            let length = Self.nanoseconds(interval)
            rest -= length
            // Never later than its notification, nor before the previous beat.
            let latest = time.advanced(byNanoseconds: -rest)
            end = max(end, min(end.advanced(byNanoseconds: length + drift), latest))
            drift = 0
            body(RRBeat(time: end, interval: interval, heartRate: heartRate ?? 0, followsGap: isInterrupted))
            isInterrupted = false
        }
        arrival = time
    }

    /// A number of units of 1/1024 s in nanoseconds.
    static func nanoseconds(_ interval: UInt16) -> Int64 { Int64(interval) * 1_953_125 / 2 }

    /// Whether its times are plausible.
    var isCoherent: Bool {
        let times = [arrival, end].filter { $0 != .distantPast }.map(\.nanoseconds)
        return times.allSatisfy(Coherence.nanoseconds.contains) && Coherence.nanoseconds.contains(excess)
    }
}

extension RRBeat: Codable {
    /// Decodes an array of four integers, because there are hundreds of beats.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        time = try values.decode(MonotonicTime.self)
        interval = try values.decode(UInt16.self)
        heartRate = try values.decode(UInt16.self)
        followsGap = try values.decode(Bool.self)
    }

    /// Encodes an array of four integers.
    ///
    /// - Throws: The error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(time)
        try values.encode(interval)
        try values.encode(heartRate)
        try values.encode(followsGap)
    }
}
