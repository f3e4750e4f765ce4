import Base
import Vitals
import Waves

/// A segment of a wave as the table `wave` has it.
///
/// A wave changes little from sample to sample, so each sample is its difference to the one before of the same channel, as
/// a number of variable length: an ECG of 130 samples a second is some 150 octets a second, without any loss.
struct WaveRow: Hashable, Sendable {
    var sensor: SensorIdentity
    var kind: WaveKind
    /// When the first sample was taken.
    var start: Moment
    /// The number of samples.
    var count: Int
    /// Samples before the first one that did not come.
    var lost: Int
    var isContinuing: Bool
    /// Of each span the number of its samples and its microseconds.
    var spans: [UInt8]
    /// Each marked sample as the difference to the one before.
    var beats: [UInt8]
    /// Each value as the difference to the one before of its channel.
    var samples: [UInt8]

    /// The most samples of a row that are read; none that is written has as many.
    private static let countLimit = 1 << 20

    var stream: WaveStream { WaveStream(sensor.address, kind) }

    /// Packs a segment.
    init(_ segment: WaveSegment) {
        (sensor, kind, start) = (segment.sensor, segment.kind, segment.start)
        (count, lost, isContinuing) = (segment.count, segment.lost, segment.isContinuing)
        (spans, beats, samples) = ([], [], [])
        // Whole microseconds of the ends, so that rounding does not add up.
        var (end, last): (Int64, Int64) = (0, 0)
        for span in segment.spans {
            end = end.addingSaturated(span.nanoseconds)
            let microseconds = end / 1000
            spans.appendCompact(Int64(span.count))
            spans.appendCompact(microseconds - last)
            last = microseconds
        }
        var lastBeat = 0
        for beat in segment.beats {
            beats.appendCompact(Int64(beat - lastBeat))
            lastBeat = beat
        }
        let channels = segment.kind.traits.channels
        samples.reserveCapacity(segment.samples.count * 3 / 2)
        for (place, value) in segment.samples.enumerated() {
            let before = place < channels ? 0 : segment.samples[place - channels]
            samples.appendCompact(Int64(value) - Int64(before))
        }
    }

    init(
        sensor: SensorIdentity, kind: WaveKind, start: Moment, lost: Int, isContinuing: Bool, spans: [UInt8],
        beats: [UInt8], samples: [UInt8]
    ) {
        (self.sensor, self.kind, self.start) = (sensor, kind, start)
        (self.lost, self.isContinuing) = (lost, isContinuing)
        (self.spans, self.beats, self.samples) = (spans, beats, samples)
        count = 0
    }

    /// The segment; `nil` for what no version writes.
    var segment: WaveSegment? {
        var spans: [WaveSegment.Span] = []
        var total = 0
        var numbers = CompactNumbers(self.spans)
        while !numbers.isAtEnd {
            guard let count = numbers.next(), let microseconds = numbers.next(),
                (1...Int64(Self.countLimit)).contains(count), (0...Int64(1e15)).contains(microseconds)
            else { return nil }
            total += Int(count)
            if total > Self.countLimit { return nil }
            spans.append(WaveSegment.Span(count: Int(count), nanoseconds: microseconds * 1000))
        }
        guard total > 0, let samples = unpackedSamples(total), let beats = unpackedBeats(total) else { return nil }
        return WaveSegment(
            sensor: sensor, kind: kind, start: start, samples: samples, beats: beats, spans: spans, lost: max(0, lost),
            isContinuing: isContinuing)
    }

    private func unpackedSamples(_ count: Int) -> [Int32]? {
        let channels = kind.traits.channels
        var values: [Int32] = []
        values.reserveCapacity(min(count * channels, samples.count))
        var numbers = CompactNumbers(samples)
        while let difference = numbers.next() {
            let before = values.count < channels ? 0 : Int64(values[values.count - channels])
            guard let value = Int32(exactly: before.addingSaturated(difference)) else { return nil }
            values.append(value)
        }
        return numbers.isAtEnd && values.count == count * channels ? values : nil
    }

    private func unpackedBeats(_ count: Int) -> [Int]? {
        var (places, last): ([Int], Int64) = ([], 0)
        var numbers = CompactNumbers(beats)
        while !numbers.isAtEnd {
            guard let step = numbers.next(), step >= 0, case let place = last.addingSaturated(step), place < count
            else {
                return nil
            }
            places.append(Int(place))
            last = place
        }
        return places
    }
}
