import Base
import Vitals

/// Consecutive samples of one stream as they are kept and passed on: about a second, without a gap.
///
/// Blocks come as a sensor's notifications do, some a hundred times a second; a segment joins them, and keeps the time of
/// each sample to within ``WaveSegmentBuilder/tolerance``.
public struct WaveSegment: Hashable, Sendable {
    /// The sensor.
    public var sensor: SensorIdentity
    /// What was measured.
    public var kind: WaveKind
    /// When the first sample was taken.
    public var start: Moment
    /// The values, sample by sample, each with as many as the kind has channels; `WavePiece.missing` for none.
    public var samples: [Int32]
    /// The samples at which a heart beat is marked, in ascending order.
    public var beats: [Int]
    /// How the samples lie in time, together as many as there are.
    public var spans: [Span]
    /// Samples before the first one that did not come.
    public var lost: Int
    /// Whether it begins where the segment before ended, so that a line may join them.
    public var isContinuing: Bool

    /// Samples at equal distances.
    public struct Span: Hashable, Sendable {
        /// The number of samples, at least 1.
        public var count: Int
        /// The time from the first one to where the one after the last is due, in nanoseconds.
        public var nanoseconds: Int64

        public init(count: Int, nanoseconds: Int64) { (self.count, self.nanoseconds) = (count, nanoseconds) }
    }

    public init(
        sensor: SensorIdentity, kind: WaveKind, start: Moment, samples: [Int32], beats: [Int] = [], spans: [Span],
        lost: Int = 0, isContinuing: Bool = true
    ) {
        (self.sensor, self.kind, self.start) = (sensor, kind, start)
        (self.samples, self.beats, self.spans) = (samples, beats, spans)
        (self.lost, self.isContinuing) = (lost, isContinuing)
    }

    public var stream: WaveStream { WaveStream(sensor.address, kind) }

    /// The number of samples.
    public var count: Int { samples.count / kind.traits.channels }

    /// The time from the first sample to where the one after the last is due, in nanoseconds.
    public var nanoseconds: Int64 { spans.reduce(0) { $0.addingSaturated($1.nanoseconds) } }

    /// When the sample after the last one is due.
    public var end: Moment { start.advanced(byNanoseconds: nanoseconds) }

    /// The times of all samples, in nanoseconds after the first one.
    public var offsets: [Int64] {
        var offsets: [Int64] = []
        offsets.reserveCapacity(count)
        var begin: Int64 = 0
        for span in spans {
            let interval = Double(span.nanoseconds) / Double(span.count)
            for index in 0..<span.count {
                offsets.append(begin.addingSaturated(Int64(saturating: (Double(index) * interval).rounded())))
            }
            begin = begin.addingSaturated(span.nanoseconds)
        }
        return offsets
    }

    /// Some of its samples as a segment; `nil` for none.
    ///
    /// - Parameter range: Which samples, from 0.
    public subscript(range: Range<Int>) -> WaveSegment? {
        let range = range.clamped(to: 0..<count)
        guard !range.isEmpty else { return nil }
        if range == 0..<count { return self }
        let (channels, times) = (kind.traits.channels, offsets + [nanoseconds])
        var part = self
        part.start = start.advanced(byNanoseconds: times[range.lowerBound])
        part.samples = Array(samples[range.lowerBound * channels..<range.upperBound * channels])
        part.beats = beats.filter(range.contains).map { $0 - range.lowerBound }
        part.spans = []
        var first = 0
        for span in spans {
            let own = range.clamped(to: first..<first + span.count)
            first += span.count
            if own.isEmpty { continue }
            part.spans.append(Span(count: own.count, nanoseconds: times[own.upperBound] - times[own.lowerBound]))
        }
        if range.lowerBound > 0 { (part.lost, part.isContinuing) = (0, true) }
        return part
    }

    /// The samples that were taken within a range of wall times, as a segment that continues nothing if others of it come
    /// before; `nil` for none.
    ///
    /// - Parameter range: Milliseconds since 1970 (UTC).
    public func clipped(to range: Range<Int64>) -> WaveSegment? {
        if range.contains(start.wallMilliseconds), range.contains(end.wallMilliseconds) { return self }
        let walls = offsets.map { start.wallMilliseconds.addingSaturated($0 / 1_000_000) }
        let first = walls.firstIndex { $0 >= range.lowerBound } ?? count
        let end = walls.firstIndex { $0 >= range.upperBound } ?? count
        guard first < end, var part = self[first..<end] else { return nil }
        if first > 0 { part.isContinuing = false }
        return part
    }
}

/// A segment of a store.
public struct RecordedWave: Hashable, Sendable {
    public var segment: WaveSegment
    /// The number of the program's run.
    public var run: Int64
    /// The number that distinguishes it from others of the same millisecond.
    public var number: Int64

    public init(_ segment: WaveSegment, run: Int64, number: Int64) {
        (self.segment, self.run, self.number) = (segment, run, number)
    }
}

/// Joins the blocks of one stream to segments.
///
/// A value; the same blocks give the same segments.
public struct WaveSegmentBuilder: Sendable {
    /// How long a segment becomes before it is complete, in nanoseconds; it waits for the next one to be complete, too.
    public static let length: Int64 = 1_000_000_000
    /// How far the time of a sample may be moved so that more samples lie at equal distances, in nanoseconds.
    public static let tolerance: Int64 = 250_000

    private var segment: WaveSegment?
    /// The complete segment before it, which may still get beats that are found late.
    private var former: WaveSegment?
    /// Where the segment ends, by the monotonic clock.
    private var end = Int64.min
    /// Where the blocks of the last span end: samples and nanoseconds from its beginning.
    private var bounds: [WaveSegment.Span] = []

    public init() {}

    /// Whether samples wait for more of their segment.
    public var isEmpty: Bool { segment == nil && former == nil }

    /// Adds a block.
    ///
    /// - Returns: The segments to which nothing is added any longer.
    public mutating func add(_ block: WaveBlock) -> [WaveSegment] {
        let channels = block.kind.traits.channels
        guard block.count > 0, block.count * channels == block.samples.count, block.interval.isFinite,
            block.interval > 0
        else { return [] }
        var complete: [WaveSegment] = []
        let isContinuing =
            block.isContinuing && block.lost == 0
            && (-Self.tolerance...Self.tolerance).contains(block.start.nanoseconds.subtractingSaturated(end))
        if !isContinuing || segment.map({ $0.sensor != block.sensor }) ?? false { complete += finish() }
        let most = max(1, Int(saturating: Double(Self.length) / block.interval))
        var first = 0
        while first < block.count {
            let part = first..<min(block.count, first + most)
            add(part, of: block, isContinuing: isContinuing || first > 0)
            if let segment, segment.nanoseconds >= Self.length {
                if let former { complete.append(former) }
                former = segment
                self.segment = nil
            }
            first = part.upperBound
        }
        return complete
    }

    /// Ends the segments that wait.
    public mutating func finish() -> [WaveSegment] {
        defer { (former, segment) = (nil, nil) }
        return [former, segment].compactMap(\.self)
    }

    private mutating func add(_ part: Range<Int>, of block: WaveBlock, isContinuing: Bool) {
        let channels = block.kind.traits.channels
        let samples = block.samples[part.lowerBound * channels..<part.upperBound * channels]
        let partEnd = block.time(of: part.upperBound).nanoseconds
        let begin = segment == nil ? block.time(of: part.lowerBound).nanoseconds : end
        let count = segment?.count ?? 0
        // Those before the block are known with its first part.
        let known =
            part.lowerBound == 0 ? block.beats.filter { $0 < part.upperBound } : block.beats.filter(part.contains)
        let beats = known.map { $0 - part.lowerBound + count }
        let earlier = former?.count ?? 0
        former?.beats += beats.filter { (-earlier..<0).contains($0) }.map { $0 + earlier }
        let own = beats.filter { $0 >= 0 }
        let span = WaveSegment.Span(count: part.count, nanoseconds: max(0, partEnd.subtractingSaturated(begin)))
        end = partEnd
        guard segment != nil else {
            segment = WaveSegment(
                sensor: block.sensor, kind: block.kind,
                start: block.arrived.advanced(
                    byNanoseconds: begin.subtractingSaturated(block.arrived.monotonicNanoseconds)),
                samples: Array(samples), beats: own, spans: [span], lost: part.lowerBound == 0 ? block.lost : 0,
                isContinuing: isContinuing)
            bounds = []
            return
        }
        segment?.samples += samples
        segment?.beats += own
        join(span)
    }

    /// Appends a span to the present segment, or lets it extend the last one if all its samples stay where they are.
    private mutating func join(_ span: WaveSegment.Span) {
        guard let last = segment?.spans.popLast() else { return }
        let joined = WaveSegment.Span(
            count: last.count + span.count, nanoseconds: last.nanoseconds.addingSaturated(span.nanoseconds))
        let isEven = (bounds + [last]).allSatisfy { bound in
            let time = Double(joined.nanoseconds) * Double(bound.count) / Double(joined.count)
            return abs(time - Double(bound.nanoseconds)) <= Double(Self.tolerance)
        }
        if isEven { bounds.append(last) } else { bounds = [] }
        segment?.spans += isEven ? [joined] : [last, span]
    }
}
