import TestSupport
import Testing
import Vitals
import Waves

@Suite("Segments of a wave")
struct WaveSegmentTests {
    private static let sensor = SensorIdentity(address: "A0:9E:1A:00:00:01", name: "Strap", kind: .heartRateStrap)

    /// Blocks as random sensors send them: jitter of the clocks, gaps, losses, beats, missing samples.
    private static func blocks(_ random: inout SeededGenerator) -> [WaveBlock] {
        let kind = WaveKind.allCases[Int.random(in: 0..<3, using: &random)]
        let nominal = 1e9 / [25.0, 50, 100, 130, 125, 200][Int.random(in: 0..<6, using: &random)]
        let most = [2, 5, 73, 125, 400][Int.random(in: 0..<5, using: &random)]
        var time = MonotonicTime(nanoseconds: 5_000_000_000_123)
        return (0..<60).map { number in
            let isGap = number > 0 && Int.random(in: 0..<20, using: &random) == 0
            if isGap { time = time.advanced(byNanoseconds: Int64.random(in: 0..<3_000_000_000, using: &random)) }
            let count = Int.random(in: 1...most, using: &random)
            let interval = nominal * Double.random(in: 0.97...1.03, using: &random)
            let samples = (0..<count * kind.traits.channels).map { _ in
                Int.random(in: 0..<30, using: &random) == 0
                    ? WavePiece.missing : Int32.random(in: -3000...3000, using: &random)
            }
            var block = WaveBlock(
                sensor: sensor, kind: kind, samples: samples,
                beats: (0..<count).filter { _ in Int.random(in: 0..<40, using: &random) == 0 }, start: time,
                interval: interval, lost: isGap ? Int.random(in: 0..<9, using: &random) : 0,
                isContinuing: number > 0 && !isGap, arrived: Moment(monotonicNanoseconds: 0, wallMilliseconds: 0))
            block.arrived = Moment(
                monotonicNanoseconds: block.end.nanoseconds + 40_000_000,
                wallMilliseconds: 1_700_000_000_000 + (block.end.nanoseconds + 40_000_000) / 1_000_000)
            time = block.end
            return block
        }
    }

    /// The blocks with some of their beats marked in a later one, as they are when they are found after a while.
    private static func late(_ blocks: [WaveBlock], _ random: inout SeededGenerator) -> [WaveBlock] {
        var blocks = blocks
        for index in blocks.indices.dropFirst() where blocks[index].isContinuing {
            let (former, earliest) = (blocks[index - 1], blocks[index].earliestBeat)
            let moved = former.beats.filter { _ in Bool.random(using: &random) }.min() ?? former.count
            let late = former.beats.filter { $0 >= max(moved, former.count + earliest) }
            blocks[index - 1].beats.removeAll { late.contains($0) }
            blocks[index].beats = late.map { $0 - former.count } + blocks[index].beats
        }
        return blocks
    }

    private static func segments(_ blocks: [WaveBlock]) -> [WaveSegment] {
        var builder = WaveSegmentBuilder()
        return blocks.flatMap { builder.add($0) } + builder.finish()
    }

    @Test("have the samples, beats, losses and gaps of any blocks, and their times within a millisecond")
    func roundTrip() {
        for seed in 0..<200 {
            var random = SeededGenerator(seed: UInt64(seed))
            let blocks = Self.blocks(&random)
            let late = Self.late(blocks, &random)
            #expect(late.allSatisfy { $0.isCoherent })
            let segments = Self.segments(late)
            #expect(segments.flatMap(\.samples) == blocks.flatMap(\.samples))
            #expect(segments.reduce(0) { $0 + $1.lost } == blocks.reduce(0) { $0 + $1.lost })
            #expect(segments.count { !$0.isContinuing } == blocks.count { !$0.isContinuing })
            let times = blocks.flatMap { block in (0..<block.count).map { block.time(of: $0).nanoseconds } }
            let beats = blocks.flatMap { block in block.beats.map { block.time(of: $0).nanoseconds } }
            let kept = segments.flatMap { segment in
                segment.offsets.map { segment.start.monotonicNanoseconds + $0 }
            }
            let keptBeats = segments.flatMap { segment in
                segment.beats.map { segment.start.monotonicNanoseconds + segment.offsets[$0] }
            }
            #expect(kept.count == times.count)
            #expect(zip(kept, times).allSatisfy { abs($0 - $1) < 1_000_000 })
            #expect(keptBeats.count == beats.count)
            #expect(zip(keptBeats, beats).allSatisfy { abs($0 - $1) < 1_000_000 })
            for segment in segments {
                #expect(segment.spans.reduce(0) { $0 + $1.count } == segment.count)
                #expect(segment.nanoseconds < 2_100_000_000)
                let wall = 1_700_000_000_000 + segment.start.monotonicNanoseconds / 1_000_000
                #expect(abs(segment.start.wallMilliseconds - wall) <= 1)
            }
        }
    }

    @Test("of a sensor that sends two samples at a time are a second long, and need few spans")
    func joined() {
        var time = MonotonicTime(nanoseconds: 1_000_000_000)
        let blocks = (0..<500).map { number in
            let block = WaveBlock(
                sensor: Self.sensor, kind: .plethysmogram, samples: [Int32(number), 1], start: time,
                interval: 2e7 * (number % 2 == 0 ? 1.001 : 0.999), isContinuing: number > 0,
                arrived: Moment(monotonicNanoseconds: time.nanoseconds, wallMilliseconds: 0))
            time = block.end
            return block
        }
        let segments = Self.segments(blocks)
        #expect(segments.count == 20)
        #expect(segments.allSatisfy { $0.spans.count == 1 })
    }

    @Test("are cut off where another patient's record begins, and what is after a cut continues nothing")
    func clipped() throws {
        var random = SeededGenerator(seed: 7)
        for segment in Self.segments(Self.blocks(&random)) {
            let (from, to) = (segment.start.wallMilliseconds, segment.end.wallMilliseconds)
            let middle = (from + to) / 2
            let before = segment.clipped(to: .min..<middle)
            let after = segment.clipped(to: middle..<(.max))
            #expect((before?.samples ?? []) + (after?.samples ?? []) == segment.samples)
            #expect(before?.isContinuing ?? segment.isContinuing == segment.isContinuing)
            if before != nil, let after { #expect(!after.isContinuing) }
            #expect(segment.clipped(to: to + 2..<(.max)) == nil)
            #expect(segment.clipped(to: .min..<(.max)) == segment)
        }
    }

    @Test("of blocks without samples, or with an impossible distance, are none")
    func useless() {
        for interval in [0, -1, .nan, .infinity] {
            let block = WaveBlock(
                sensor: Self.sensor, kind: .electrocardiogram, samples: [1], start: .distantPast, interval: interval,
                arrived: Moment(monotonicNanoseconds: 0, wallMilliseconds: 0))
            #expect(Self.segments([block]).isEmpty)
        }
    }
}
