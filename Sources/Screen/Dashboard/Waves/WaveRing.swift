import Base
import Vitals
import Waves

/// The newest 40 seconds of one stream, in steps of 5 ms: the lowest and the highest value in each.
///
/// A step is finer than a sample and than a column of the screen, so that a strip can be drawn anew in any width, and no
/// peak is lost. Each value holds until the next sample is due; a step without one is a gap of its true length.
/// Nothing is allocated for a sample.
struct WaveRing: Sendable {
    /// The length of a step, in nanoseconds.
    static let step: Int64 = 5_000_000
    /// The number of steps that are kept.
    static let capacity = 8192
    /// The most beats that are kept.
    private static let beatLimit = 256
    /// The longest time for which a value holds, in steps: a slower signal has gaps.
    private static let longestHold: Int64 = 40

    /// The lowest and the highest values; a step without a value has the greatest as its lowest.
    private var low = [Int32](repeating: .max, count: Self.capacity)
    private var high = [Int32](repeating: .min, count: Self.capacity)
    /// The steps of the beats that are marked, in the order in which they came.
    private var beats: [Int64] = []
    /// The first and the newest step with a value; `nil` before the first.
    private(set) var known: ClosedRange<Int64>?

    /// The step of a time.
    static func step(of time: MonotonicTime) -> Int64 {
        let into = (time.nanoseconds % step + step) % step
        return time.nanoseconds.subtractingSaturated(into) / step
    }

    /// Adds the samples of a block of one channel, at their times.
    ///
    /// A block that begins anew at a time that was already filled, because the sensor's clock was set, replaces what was
    /// there.
    mutating func add(_ block: WaveBlock) {
        guard block.kind.traits.channels == 1, block.interval.isFinite, block.interval > 0 else { return }
        let begin = Self.step(of: block.start)
        if !block.isContinuing, let known, begin <= known.upperBound {
            for step in max(begin, oldest)...max(begin, known.upperBound) { clear(step) }
        }
        var next = begin
        for (index, value) in block.samples.enumerated() {
            let step = next
            next = Self.step(of: block.time(of: index + 1))
            guard value != WavePiece.missing else { continue }
            for held in step...min(max(step, next - 1), step + Self.longestHold) { put(value, at: held) }
        }
        for beat in block.beats where (block.earliestBeat..<block.count).contains(beat) {
            let step = Self.step(of: block.time(of: beat))
            // Of samples that came before there was anybody to take them.
            if let known, step < known.lowerBound { continue }
            if beats.count == Self.beatLimit { beats.removeFirst(Self.beatLimit / 2) }
            beats.append(step)
        }
    }

    /// The lowest and the highest value of some steps; `nil` for a gap.
    func span(of steps: Range<Int64>) -> ClosedRange<Int32>? {
        guard let known else { return nil }
        let (first, end) = (
            max(steps.lowerBound, oldest, known.lowerBound), min(steps.upperBound, known.upperBound + 1)
        )
        var (lowest, highest) = (Int32.max, Int32.min)
        for step in stride(from: first, to: end, by: 1) {
            let place = Self.place(of: step)
            lowest = min(lowest, low[place])
            highest = max(highest, high[place])
        }
        return lowest <= highest ? lowest...highest : nil
    }

    /// The newest step with a value among some steps; `nil` for none.
    func newest(in steps: ClosedRange<Int64>) -> Int64? {
        guard let known else { return nil }
        let first = max(steps.lowerBound, oldest, known.lowerBound)
        return stride(from: min(steps.upperBound, known.upperBound), through: first, by: -1)
            .first { low[Self.place(of: $0)] <= high[Self.place(of: $0)] }
    }

    /// Whether a beat is marked in some steps.
    func hasBeat(in steps: Range<Int64>) -> Bool { beats.contains { steps.contains($0) } }

    /// The oldest step that is kept.
    private var oldest: Int64 { known.map { $0.upperBound - Int64(Self.capacity) + 1 } ?? .min }

    private static func place(of step: Int64) -> Int { Int(step & Int64(capacity - 1)) }

    private mutating func clear(_ step: Int64) {
        low[Self.place(of: step)] = .max
        high[Self.place(of: step)] = .min
    }

    private mutating func put(_ value: Int32, at step: Int64) {
        if let known {
            guard step >= oldest else { return }
            let first = max(known.upperBound + 1, step - Int64(Self.capacity) + 1)
            for passed in stride(from: first, through: step, by: 1) { clear(passed) }
            self.known = min(known.lowerBound, step)...max(known.upperBound, step)
        } else {
            known = step...step
        }
        let place = Self.place(of: step)
        low[place] = min(low[place], value)
        high[place] = max(high[place], value)
    }
}
