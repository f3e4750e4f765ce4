import Base
import Vitals

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
