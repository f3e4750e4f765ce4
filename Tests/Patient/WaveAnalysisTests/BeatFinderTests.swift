import Base
import Testing
import TestSupport
import Vitals
import Waves

@testable import WaveAnalysis

@Suite("Beats of an electrocardiogram")
struct BeatFinderTests {
    /// The times of the beats in seconds, taken in pieces of a strap.
    private func beats(_ samples: [Int32]) -> [Double] {
        var finder = BeatFinder()
        return SyntheticRecord.cut(.electrocardiogram, samples, SyntheticRecord.rate, 73)
            .flatMap { finder.take($0) }.map { SyntheticRecord.seconds($0.time) }
    }

    @Test("are found where they are, and nowhere else, at rest and in fibrillation", arguments: SyntheticRecord.all)
    func found(record: SyntheticRecord) throws {
        guard record.motion == "rest" else { return }
        let samples = record.electrocardiogram
        let end = Double(samples.count) / SyntheticRecord.rate
        // The first seconds teach the heights, and the last beat is not certain yet.
        let range = 4.0..<end - 2
        let beats = beats(samples)
        let missed = record.beats.filter { time in range.contains(time) && !beats.contains { abs($0 - time) < 0.05 } }
        let invented = beats.filter { time in range.contains(time) && !record.beats.contains { abs($0 - time) < 0.05 } }
        #expect(missed.isEmpty && invented.isEmpty, "missed \(missed), invented \(invented)")
        #expect(beats.count > 40)
    }

    @Test("are the same in a record that is upside down, smaller, or in other pieces")
    func variants() throws {
        let samples = try #require(SyntheticRecord.all.first).electrocardiogram
        let beats = beats(samples).filter { $0 > 4 }
        let reversed = self.beats(samples.map { -$0 }).filter { $0 > 4 }
        #expect(reversed.count == beats.count)
        #expect(zip(beats, reversed).allSatisfy { abs($0 - $1) < 0.03 })
        let small = self.beats(samples.map { $0 / 4 }).filter { $0 > 4 }
        #expect(small.count == beats.count)
        var finder = BeatFinder()
        let pieces = SyntheticRecord.cut(.electrocardiogram, samples, SyntheticRecord.rate, 7)
            .flatMap { finder.take($0) }.map { SyntheticRecord.seconds($0.time) }.filter { $0 > 4 }
        #expect(pieces.count == beats.count)
        #expect(zip(pieces, beats).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test("have no interval across a gap or a missing sample")
    func gap() throws {
        var samples = try #require(SyntheticRecord.all.first).electrocardiogram
        samples[2600] = WavePiece.missing
        var blocks = SyntheticRecord.cut(.electrocardiogram, samples, SyntheticRecord.rate, 73)
        blocks[60].isContinuing = false
        var finder = BeatFinder()
        let beats = blocks.flatMap { finder.take($0) }
        let gaps = beats.filter(\.followsGap).map { SyntheticRecord.seconds($0.time) }
        #expect(gaps.count == 3)
        #expect(zip(gaps, [0, 2600 / SyntheticRecord.rate, 60 * 73 / SyntheticRecord.rate]).allSatisfy { $0 > $1 })
        #expect(beats.count > 40)
    }

    @Test("are none where the line is flat")
    func flat() {
        #expect(beats([Int32](repeating: 0, count: 3000)).isEmpty)
        #expect(beats([Int32](repeating: 1500, count: 3000)).isEmpty)
    }

    @Test("keep their order, whatever the samples are")
    func arbitrary() {
        for seed in 0..<20 as Range<UInt64> {
            var random = SeededGenerator(seed: RandomCases.firstSeed + seed)
            let range: ClosedRange<Int32> = seed.isMultiple(of: 2) ? Int32.min...Int32.max : -2000...2000
            let times = beats((0..<3000).map { _ in Int32.random(in: range, using: &random) })
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
        }
    }
}
