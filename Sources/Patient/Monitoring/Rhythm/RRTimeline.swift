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

/// The newest RR intervals of a sensor, of a little more than five minutes, with their gaps.
public struct RRSeries: Codable, Hashable, Sendable {
    /// The length of the evaluated window.
    ///
    /// Source: Task Force of the ESC and the NASPE, Heart rate variability, Circulation 93 (1996): short-term
    /// recordings have five minutes, so that their figures can be compared.
    public static let window = Duration.seconds(300)
    /// More beats than possible in the window; only a faulty sensor sends as many.
    static let limit = 4096
    /// The number of outdated beats that are dropped together, because that moves the others.
    private static let batch = 128

    /// The beats, the oldest first.
    public private(set) var beats: [RRBeat] = []
    private var timeline = RRTimeline()

    public init() {}

    /// Whether nothing was received yet.
    public var isEmpty: Bool { beats.isEmpty }

    /// Adds the intervals of a notification.
    public mutating func append(_ intervals: [UInt16], heartRate: UInt16? = nil, arrivedAt time: MonotonicTime) {
        timeline.place(intervals, heartRate: heartRate, arrivedAt: time) { beats.append($0) }
        if beats.count > Self.limit { beats.removeFirst(beats.count - Self.limit / 2) }
        guard beats.count > Self.batch, isOutdated(beats[Self.batch], at: time) else { return }
        beats.removeFirst(beats.firstIndex { !isOutdated($0, at: time) } ?? 0)
    }

    /// Records that beats are missing from now until the next notification.
    public mutating func interrupt() { timeline.interrupt() }

    /// Whether the newest beats are those of a notification.
    func ends(with intervals: [UInt16]) -> Bool {
        beats.suffix(intervals.count).map(\.interval) == intervals
    }

    /// The beats of the window that ends at a moment.
    public func beats(until now: MonotonicTime) -> [RRBeat] {
        beats.filter { !isOutdated($0, at: now) && $0.time <= now }
    }

    private func isOutdated(_ beat: RRBeat, at now: MonotonicTime) -> Bool { now.since(beat.time) >= Self.window }

    /// Whether it can be shown and changed safely.
    var isCoherent: Bool {
        beats.count <= Self.limit && timeline.isCoherent
            && beats.allSatisfy { Coherence.nanoseconds.contains($0.time.nanoseconds) }
            && zip(beats, beats.dropFirst()).allSatisfy { $0.time <= $1.time }
    }
}

extension MonitorState {
    /// Handles RR intervals, which follow the heart rate of the same notification.
    mutating func receive(_ intervals: RRIntervals) {
        guard let row = table.row(of: intervals.sensor.address) else { return }
        let isCopy = table[row].place(of: .heartRate).map { table[row].vitals[$0].copies.isRepeat } ?? false
        // The rate alone may repeat in a second notification.
        if isCopy, table[row].rhythm.ends(with: intervals.intervals) { return }
        table[row].rhythm.append(
            intervals.intervals, heartRate: intervals.heartRate, arrivedAt: min(intervals.moment, now).monotonic)
    }
}
