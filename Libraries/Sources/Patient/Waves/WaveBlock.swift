import Base
import Vitals

/// A stream: one kind of wave of one sensor.
public struct WaveStream: Hashable, Sendable {
    /// The address of the sensor.
    public var address: String
    public var kind: WaveKind

    public init(_ address: String, _ kind: WaveKind) {
        (self.address, self.kind) = (address, kind)
    }
}

/// Consecutive samples of one stream with their times on the monitor's clock.
public struct WaveBlock: Hashable, Sendable {
    /// The sensor.
    public var sensor: SensorIdentity
    /// What was measured.
    public var kind: WaveKind
    /// The values, sample by sample, each with as many as the kind has channels; `WavePiece.missing` for none.
    public var samples: [Int32]
    /// The samples at which a heart beat is marked, by the sensor or by whoever found it in the samples, in ascending order.
    ///
    /// What is found becomes certain some time after it was: then the sample is before the first one, as a negative number,
    /// in the blocks that this one continues, and by at most ``longestMarkDelay``.
    public var beats: [Int]
    /// When the first sample was taken.
    public var start: MonotonicTime
    /// From one sample to the next, in nanoseconds of the monitor's clock.
    public var interval: Double
    /// Samples before the first one that did not come.
    public var lost: Int
    /// Whether it begins where the block before ended, so that a line may join them.
    public var isContinuing: Bool
    /// When it arrived.
    public var arrived: Moment

    public init(
        sensor: SensorIdentity, kind: WaveKind, samples: [Int32], beats: [Int] = [], start: MonotonicTime,
        interval: Double, lost: Int = 0, isContinuing: Bool = true, arrived: Moment
    ) {
        (self.sensor, self.kind, self.samples, self.beats) = (sensor, kind, samples, beats)
        (self.start, self.interval, self.lost) = (start, interval, lost)
        (self.isContinuing, self.arrived) = (isContinuing, arrived)
    }

    public var stream: WaveStream { WaveStream(sensor.address, kind) }

    /// The number of samples.
    public var count: Int { samples.count / kind.traits.channels }

    /// How long before the first sample of a block a beat may be that is marked with it, in nanoseconds.
    ///
    /// Less than a ``WaveSegment``, which must still have it, and than what a pen is behind.
    public static let longestMarkDelay: Int64 = 900_000_000

    /// How far waves are drawn behind the present: lumps of a second, and a busy bus, leave samples even then.
    public static let drawingDelay = Duration.milliseconds(1500)

    /// The earliest sample at which it can mark a beat.
    public var earliestBeat: Int { isContinuing ? -Int(saturating: Double(Self.longestMarkDelay) / interval) : 0 }

    /// When a sample was taken; the one after the last is the end.
    ///
    /// - Parameter index: Which sample, from 0.
    public func time(of index: Int) -> MonotonicTime {
        MonotonicTime(nanoseconds: start.nanoseconds.addingSaturated(Int64(saturating: Double(index) * interval)))
    }

    /// When the sample after the last one is due.
    public var end: MonotonicTime { time(of: count) }

    /// Samples a second.
    public var rate: Double { 1e9 / interval }

    /// When the first sample was taken, on both clocks.
    public var startMoment: Moment {
        arrived.advanced(byNanoseconds: start.nanoseconds(since: arrived.monotonic))
    }
}

// As whole numbers, because the messages between programs have no others.
extension WaveBlock: Codable {
    private enum CodingKeys: String, CodingKey {
        case sensor, kind, samples, beats, start, picoseconds, lost, isContinuing, arrived
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            sensor: try fields.decode(SensorIdentity.self, forKey: .sensor),
            kind: try fields.decode(WaveKind.self, forKey: .kind),
            samples: try fields.decode([Int32].self, forKey: .samples),
            beats: try fields.decode([Int].self, forKey: .beats),
            start: try fields.decode(MonotonicTime.self, forKey: .start),
            interval: Double(try fields.decode(Int64.self, forKey: .picoseconds)) / 1000,
            lost: try fields.decode(Int.self, forKey: .lost),
            isContinuing: try fields.decode(Bool.self, forKey: .isContinuing),
            arrived: try fields.decode(Moment.self, forKey: .arrived))
    }

    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(sensor, forKey: .sensor)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(samples, forKey: .samples)
        try fields.encode(beats, forKey: .beats)
        try fields.encode(start, forKey: .start)
        try fields.encode(Int64(saturating: interval * 1000), forKey: .picoseconds)
        try fields.encode(lost, forKey: .lost)
        try fields.encode(isContinuing, forKey: .isContinuing)
        try fields.encode(arrived, forKey: .arrived)
    }

    /// Whether it can come from a sensor; a block from another program may contain anything.
    public var isCoherent: Bool {
        samples.count % kind.traits.channels == 0 && samples.count <= Self.valueLimit && lost >= 0
            && (1e4...1e11).contains(interval) && beats.allSatisfy { (earliestBeat..<max(1, count)).contains($0) }
            && beats.count <= count - earliestBeat
    }

    /// The most values of a block: far more than any sensor sends at once.
    private static let valueLimit = 1 << 16
}

/// An update about a wave.
public enum WaveUpdate: Codable, Hashable, Sendable {
    /// Samples came.
    case block(WaveBlock)
    /// The state of a stream has changed.
    case state(SensorIdentity, WaveKind, WaveState)

    /// Whether it can come from a sensor; an update from another program may contain anything.
    public var isCoherent: Bool { if case .block(let block) = self { block.isCoherent } else { true } }

    /// The stream that it is about.
    public var stream: WaveStream {
        switch self {
        case .block(let block): block.stream
        case .state(let sensor, let kind, _): WaveStream(sensor.address, kind)
        }
    }
}
