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
    /// The samples at which the sensor itself marked a pulse, in ascending order.
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

/// An update about a wave.
public enum WaveUpdate: Hashable, Sendable {
    /// Samples came.
    case block(WaveBlock)
    /// The state of a stream has changed.
    case state(SensorIdentity, WaveKind, WaveState)

    /// The stream that it is about.
    public var stream: WaveStream {
        switch self {
        case .block(let block): block.stream
        case .state(let sensor, let kind, _): WaveStream(sensor.address, kind)
        }
    }
}
