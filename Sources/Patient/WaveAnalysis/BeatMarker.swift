import Waves

/// Marks the heart beats of an electrocardiogram whose sensor marks none, once for everybody who draws, sends or keeps it.
///
/// Only beats that are clear are marked (``WaveBeat/isClear``), the first ones some seven beats after the beginning, and none
/// that is found later than `WaveBlock.longestMarkDelay`. The samples are left as they are, and no value and no alarm comes
/// from the marks.
public struct BeatMarker: Sendable {
    private var finder = BeatFinder()
    /// Whether the sensor marks its beats itself.
    private var hasOwnMarks = false

    public init() {}

    /// Marks the beats that have become certain with the next block of the stream.
    public mutating func mark(_ block: inout WaveBlock) {
        if !block.beats.isEmpty { hasOwnMarks = true }
        guard block.kind == .electrocardiogram, !hasOwnMarks else { return }
        for beat in finder.take(block) where beat.isClear && beat.place >= block.earliestBeat {
            block.beats.append(beat.place)
        }
    }
}
