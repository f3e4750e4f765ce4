import Vitals
import Waves

/// Finds the heart beats in the blocks of one electrocardiogram, for ``BeatMarker`` and for ``RespirationEstimator``.
public struct BeatFinder: Sendable {
    private var detector: BeatDetector?
    private var rate = 0.0

    public init() {}

    /// Takes the next block.
    ///
    /// - Returns: The beats that have become certain, in their order, each with its place in this block, before the first sample
    ///   where that is negative; the block may still have others.
    public mutating func take(_ block: WaveBlock) -> [WaveBeat] {
        guard block.kind == .electrocardiogram else { return [] }
        // A little more or less is the sensor's clock.
        if detector == nil || abs(block.rate / rate - 1) > 0.1 {
            (detector, rate) = (BeatDetector(rate: block.rate), block.rate)
        }
        if !block.isContinuing { detector?.interrupt() }
        var beats: [WaveBeat] = []
        for index in 0..<block.count {
            let sample = block.samples[index]
            if sample == WavePiece.missing {
                detector?.interrupt()
            } else if var beat = detector?.take(Double(sample), at: block.time(of: index)) {
                beat.place += index
                beats.append(beat)
            }
        }
        return beats
    }
}
