import Base
import Testing
import TestSupport
import Vitals
import Waves

@testable import WaveAnalysis

/// The estimate on synthetic records with known breathing, which verifies it and is no evidence about people.
@Suite("Breathing, estimated from a strap's waves")
struct RespirationEstimatorTests {
    private func estimates(_ blocks: [WaveBlock]) -> [RespirationEstimate] {
        var estimator = RespirationEstimator()
        return blocks.compactMap { estimator.take($0) }
    }

    private func reasons(_ estimates: [RespirationEstimate]) -> Set<RespirationEstimate.Reason> {
        Set(estimates.compactMap { if case .none(let reason) = $0.result { reason } else { nil } })
    }

    @Test("is within 3 of the true rate wherever it is shown, and shown in a fifth of the windows")
    func rates() {
        let clear = SyntheticRecord.all.filter(\.isClear)
        #expect(clear.count >= 5)
        var (windows, shown) = (0, 0)
        for record in clear {
            for estimate in estimates(record.blocks) where estimate.result != .none(.gathering) {
                windows += 1
                guard let rate = estimate.rate else { continue }
                shown += 1
                let truth = record.trueRate(before: estimate.end) ?? -1
                #expect(abs(Double(rate.perMinute) - truth) <= 3, "\(rate) for \(truth)")
                #expect((1...4).contains(rate.spread) && (3...4).contains(rate.signals))
            }
        }
        // The first windows have none before them to agree with.
        #expect(shown * 5 >= windows, "\(shown) of \(windows)")
    }

    @Test("is none in atrial fibrillation, while walking, and where the heart beats less than twice in a breath")
    func withheld() throws {
        let others = SyntheticRecord.all.filter { !$0.isClear }
        #expect(others.count == 3)
        for record in others {
            let estimates = estimates(record.blocks)
            #expect(estimates.count > 20)
            #expect(estimates.allSatisfy { $0.rate == nil }, "\(record.rhythm), \(record.motion)")
        }
        let walking = try #require(others.first { $0.motion == "walking" })
        #expect(reasons(estimates(walking.blocks)) == [.gathering, .movement])
        let fibrillating = try #require(others.first { $0.rhythm == "fibrillation" })
        #expect(reasons(estimates(fibrillating.blocks)).isSubset(of: [.gathering, .irregular, .artefacts]))
    }

    @Test("comes every two seconds, and not before a window of 32 s is full")
    func pace() throws {
        let estimates = estimates(try #require(SyntheticRecord.all.first { $0.isClear }).blocks)
        let times = estimates.map { SyntheticRecord.seconds($0.end) }
        #expect(zip(times, times.dropFirst()).allSatisfy { (2...3).contains($1 - $0) })
        let first = estimates.firstIndex { $0.result != .none(.gathering) } ?? 0
        #expect(times[first] - times[0] >= 32 && times[first] - times[0] < 35)
    }

    @Test("is none without acceleration, and none where a tenth of a signal is missing")
    func incomplete() throws {
        let blocks = try #require(SyntheticRecord.all.first { $0.isClear }).blocks
        for kind in [WaveKind.electrocardiogram, .acceleration] {
            #expect(estimates(blocks.filter { $0.kind != kind }).isEmpty)
            var count = 0
            var holed = blocks.filter { block in
                count += block.kind == kind ? 1 : 0
                return block.kind != kind || !count.isMultiple(of: 8)
            }
            for index in holed.indices { holed[index].isContinuing = false }
            let result = estimates(holed)
            #expect(result.allSatisfy { $0.rate == nil })
            #expect(reasons(result).contains(.incomplete))
        }
    }

    @Test("never traps, and is a rate that people can have, whatever the samples and times are")
    func arbitrary() {
        for seed in 0..<20 as Range<UInt64> {
            var random = SeededGenerator(seed: RandomCases.firstSeed + seed)
            var estimator = RespirationEstimator()
            var time: Int64 = seed.isMultiple(of: 5) ? .max - 1_000_000_000 : 0
            for _ in 0..<300 {
                let kind = WaveKind.allCases.randomElement(using: &random) ?? .acceleration
                let range: ClosedRange<Int32> = Bool.random(using: &random) ? .min ... .max : -1000...1000
                let samples = (0..<Int.random(in: 0...90, using: &random)).map { _ in
                    Int32.random(in: range, using: &random)
                }
                let block = WaveBlock(
                    sensor: SyntheticRecord.sensor, kind: kind, samples: samples,
                    start: MonotonicTime(nanoseconds: time), interval: Double.random(in: 1e5...1e9, using: &random),
                    isContinuing: Bool.random(using: &random),
                    arrived: Moment(monotonicNanoseconds: time, wallMilliseconds: 0))
                if let rate = estimator.take(block)?.rate { #expect((1...60).contains(rate.perMinute)) }
                time = time.addingSaturated(Int64.random(in: -1_000_000_000...2_000_000_000, using: &random))
            }
        }
    }
}
