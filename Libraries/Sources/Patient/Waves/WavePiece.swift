/// Samples of one stream as they arrived together, with their times by the sensor's clock.
public struct WavePiece: Hashable, Sendable {
    /// What was measured.
    public var kind: WaveKind
    /// The values, sample by sample, each with as many as the kind has channels; ``missing`` for one that did not come.
    public var samples: [Int32]
    /// The times of the samples.
    public var placement: StampedSampleClock.Placement
    /// The samples at which the sensor itself marked a pulse, in ascending order.
    public var beats: [Int]

    /// A value that the sensor did not send, or sent as invalid.
    public static let missing = Int32.min

    /// - Parameters:
    ///   - kind: What was measured.
    ///   - samples: The values, sample by sample.
    ///   - placement: Their times; it must be for as many samples.
    ///   - beats: The samples at which the sensor marked a pulse, in ascending order.
    public init(
        _ kind: WaveKind, _ samples: [Int32], _ placement: StampedSampleClock.Placement, beats: [Int] = []
    ) {
        (self.kind, self.samples, self.placement, self.beats) = (kind, samples, placement, beats)
    }
}

/// What is known of a stream beside its samples.
public enum WaveState: Codable, Hashable, Sendable {
    /// It was asked for, and nothing has come yet.
    case wanted
    /// Samples come.
    case streaming
    /// The sensor says that it is not worn, or that its finger is out: there is nothing to draw.
    case off
    /// It ended, with the link or by request.
    case ended
    /// The sensor does not give it, for a reason, a sentence.
    case refused(String)

    /// The word for it in every output.
    public var word: String {
        switch self {
        case .wanted: "wanted"
        case .streaming: "streaming"
        case .off: "off"
        case .ended: "ended"
        case .refused: "refused"
        }
    }
}
