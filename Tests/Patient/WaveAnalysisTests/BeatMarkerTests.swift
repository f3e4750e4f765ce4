import Base
import TestSupport
import Testing
import Vitals
import Waves

@testable import WaveAnalysis

@Suite("Marks of the beats of an electrocardiogram")
struct BeatMarkerTests {
    /// The marked samples of a record that comes in pieces of some samples.
    private func marks(_ samples: [Int32], _ length: Int = 73) -> [Int] {
        var marker = BeatMarker()
        var before = 0
        return SyntheticRecord.cut(.electrocardiogram, samples, SyntheticRecord.rate, length).flatMap { block in
            var block = block
            marker.mark(&block)
            #expect(block.isCoherent)
            defer { before += block.count }
            return block.beats.map { before + $0 }
        }
    }

    @Test("are at every R peak soon after the beginning, and nowhere else", arguments: SyntheticRecord.all)
    func found(record: SyntheticRecord) {
        guard record.motion == "rest" else { return }
        let samples = record.electrocardiogram
        let marks = marks(samples).map { Double($0) / SyntheticRecord.rate }
        let range = 10.0..<Double(samples.count) / SyntheticRecord.rate - 2
        let missed = record.beats.filter { time in range.contains(time) && !marks.contains { abs($0 - time) < 0.05 } }
        let invented = marks.filter { time in !record.beats.contains { abs($0 - time) < 0.05 } }
        #expect(missed.isEmpty && invented.isEmpty, "missed \(missed), invented \(invented)")
        #expect(marks.count > 30)
    }

    @Test("are on the highest sample of their complex, in pieces of any length")
    func pieces() throws {
        let samples = try #require(SyntheticRecord.all.first).electrocardiogram
        let whole = marks(samples)
        for mark in whole {
            #expect(samples[mark] == samples[max(0, mark - 20)...min(samples.count - 1, mark + 20)].max())
        }
        for length in [1, 7, 125, 400] { #expect(marks(samples, length) == whole, "\(length)") }
    }

    @Test("are found within the time in which a pen reaches them")
    func delay() throws {
        var marker = BeatMarker()
        var latest = 0
        let samples = try #require(SyntheticRecord.all.first).electrocardiogram
        for block in SyntheticRecord.cut(.electrocardiogram, samples, SyntheticRecord.rate, 1) {
            var block = block
            marker.mark(&block)
            latest = max(latest, -(block.beats.first ?? 0))
        }
        // A piece of a strap, 73 samples, comes in between.
        #expect((1...65).contains(latest))
        let seconds = Double(latest + 73) / SyntheticRecord.rate
        #expect(seconds < Double(WaveBlock.drawingDelay.nanoseconds) / 1e9)
    }

    /// A signal without a heart.
    enum Noise: CaseIterable, Sendable { case small, large, walk, hum, tremor, steps }

    private func samples(_ noise: Noise, _ random: inout SeededGenerator) -> [Int32] {
        var level = 0.0
        return (0..<Int(60 * SyntheticRecord.rate)).map { index in
            let turns = Double(index) / SyntheticRecord.rate
            switch noise {
            case .small: return Int32.random(in: -20...20, using: &random)
            case .large: return Int32.random(in: -2000...2000, using: &random)
            case .walk:
                level = level * 0.999 + Double.random(in: -100...100, using: &random)
                return Int32(level)
            case .hum: return Int32(300 * sineAndCosine(turns: (50 * turns).truncatingRemainder(dividingBy: 1)).sine)
            case .tremor: return Int32(300 * sineAndCosine(turns: (9 * turns).truncatingRemainder(dividingBy: 1)).sine)
            case .steps:
                if Int.random(in: 0..<40, using: &random) == 0 { level = Double.random(in: -900...900, using: &random) }
                return Int32(level) + Int32.random(in: -30...30, using: &random)
            }
        }
    }

    @Test("are none in noise, hum, tremor and disturbances", arguments: Noise.allCases)
    func noise(noise: Noise) {
        for seed in 0..<10 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            let marks = marks(samples(noise, &random))
            #expect(marks.isEmpty, "\(seed): \(marks.count)")
        }
    }

    @Test("end where noise begins, and come again after it")
    func interrupted() throws {
        var samples = try #require(SyntheticRecord.all.first).electrocardiogram
        var random = SeededGenerator(seed: 4)
        let noisy = Int(20 * SyntheticRecord.rate)..<Int(35 * SyntheticRecord.rate)
        for index in noisy { samples[index] = Int32.random(in: -4000...4000, using: &random) }
        let marks = marks(samples)
        #expect(marks.count { $0 < noisy.lowerBound } > 10)
        // The first peaks of it are taken for beats of another shape, until so many are unlike the others.
        #expect(marks.count { noisy.contains($0) } <= 3)
        #expect(marks.contains { $0 >= noisy.upperBound })
    }

    @Test("of a sensor that marks its beats itself, and of a plethysmogram, are left as they are")
    func own() throws {
        let samples = try #require(SyntheticRecord.all.first).electrocardiogram
        var marker = BeatMarker()
        for var block in SyntheticRecord.cut(.electrocardiogram, samples, SyntheticRecord.rate, 73) {
            block.beats = block.start == SyntheticRecord.moment(0) ? [5] : []
            let before = block.beats
            marker.mark(&block)
            #expect(block.beats == before)
        }
        marker = BeatMarker()
        for var block in SyntheticRecord.cut(.plethysmogram, samples, SyntheticRecord.rate, 73) {
            marker.mark(&block)
            #expect(block.beats.isEmpty)
        }
    }

    @Test("can come from a sensor, whatever the samples are")
    func arbitrary() {
        for seed in 0..<20 as Range<UInt64> {
            var random = SeededGenerator(seed: RandomCases.firstSeed + seed)
            let range: ClosedRange<Int32> = seed.isMultiple(of: 2) ? Int32.min...Int32.max : -2000...2000
            let marks = marks((0..<3000).map { _ in Int32.random(in: range, using: &random) }, 1 + Int(seed) * 9)
            #expect(zip(marks, marks.dropFirst()).allSatisfy { $0 < $1 })
        }
    }
}
