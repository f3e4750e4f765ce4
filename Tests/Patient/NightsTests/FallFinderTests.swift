import Testing
import TestSupport

@testable import Nights

@Suite("Falls of the saturation")
struct FallFinderTests {
    private func falls(_ values: [UInt8], interval: Int = 1) -> [NightFall] {
        FallFinder(values, interval: interval).falls
    }

    @Test("are those that an independent program finds", arguments: SyntheticNight.all)
    func reference(night: SyntheticNight) {
        let found = falls(night.values, interval: night.interval).map { [$0.begin, $0.nadir, $0.end] }
        #expect(found == night.falls)
    }

    @Test("there are nights to compare with, and two thirds of them have falls")
    func references() {
        #expect(SyntheticNight.all.count == 9)
        #expect(SyntheticNight.all.count { !$0.falls.isEmpty } > 6)
    }

    @Test("of exactly 3 % counts, with its level, its lowest value and its length")
    func exactly() {
        let found = falls(curve((97, 60), (96, 5), (95, 5), (94, 10), (95, 4), (96, 60)))
        #expect(found == [NightFall(begin: 59, nadir: 79, end: 84, level: 97, lowest: 94)])
        #expect(found.first?.depth == 3)
        #expect(falls(curve((97, 60), (96, 5), (95, 15), (96, 60))).isEmpty)
    }

    @Test("of the toolbox are measured from the first lower value, so it counts fewer")
    func toolbox() throws {
        for night in SyntheticNight.all {
            guard let pobm = night.pobm else { continue }
            #expect(night.falls.count >= pobm)
        }
    }

    @Test("with plateaus are one, and its last lowest value counts")
    func plateaus() {
        let found = falls(curve((96, 30), (95, 10), (93, 15), (91, 10), (92, 6), (91, 3), (95, 30)))
        #expect(found.map { [$0.begin, $0.nadir, $0.end] } == [[29, 73, 74]])
        #expect(found.first?.depth == 5)
    }

    @Test("are none where the saturation drifts slowly, and the next real one counts")
    func drift() {
        let drift = curve((97, 600), (96, 600), (95, 600), (94, 600), (93, 600))
        #expect(falls(drift + curve((94, 600), (95, 600), (96, 600))).isEmpty)
        let found = falls(drift + curve((91, 10), (89, 10), (93, 60)))
        #expect(found.map(\.begin) == [2999])
        #expect(found.first?.depth == 4)
    }

    @Test("are none where the values go up and down by one")
    func quantisation() {
        let values = (0..<600).map { UInt8(96 - $0 % 2) }
        #expect(falls(values).isEmpty)
    }

    @Test("take 10 to 120 seconds", arguments: [(9, 0), (10, 1), (60, 1), (120, 1), (121, 0), (300, 0)])
    func lengths(seconds: Int, count: Int) {
        // From the last value before to the first one after.
        let found = falls(curve((97, 30), (92, seconds - 1), (97, 30)))
        #expect(found.count == count)
        #expect(found.allSatisfy { $0.end - $0.begin == seconds })
    }

    @Test("that are too long count from the next step down")
    func trimmed() {
        let found = falls(curve((97, 30), (96, 50), (95, 30), (92, 30), (90, 20), (97, 60)))
        #expect(found.map { [$0.begin, $0.end] } == [[79, 160]])
        #expect(found.first?.level == 96)
    }

    @Test("follow each other where the saturation does not recover fully")
    func partial() {
        let found = falls(curve((97, 20), (90, 20), (93, 10), (89, 20), (96, 30)))
        #expect(found.map(\.depth) == [7, 4])
        #expect(found.map { [$0.begin, $0.end] } == [[19, 40], [49, 70]])
    }

    @Test("bridge a gap of ten seconds, and are cut off by a longer one")
    func gaps() {
        let bridged = FallFinder(curve((97, 20), (94, 10), (0, 10), (93, 10), (97, 20)), interval: 1)
        #expect(bridged.falls.count == 1 && bridged.cut == 0)
        let cut = FallFinder(curve((97, 20), (94, 10), (0, 11), (93, 10), (97, 20)), interval: 1)
        #expect(cut.falls.isEmpty && cut.cut == 1)
        // What happens in the gap is unknown, so a lower value after it is no fall.
        let over = FallFinder(curve((97, 20), (0, 30), (90, 30), (97, 20)), interval: 1)
        #expect(over.falls.isEmpty && over.cut == 0)
        let end = FallFinder(curve((97, 20), (92, 20)), interval: 1)
        #expect(end.falls.isEmpty && end.cut == 1)
    }

    @Test("do not begin with a step that no blood makes")
    func steps() {
        #expect(falls(curve((97, 20), (86, 20), (97, 20))).isEmpty)
        #expect(falls(curve((97, 20), (87, 20), (97, 20))).count == 1)
    }

    @Test("are in order, disjoint and deep enough, whatever the values are")
    func arbitrary() {
        for seed in 0..<40 as Range<UInt64> {
            var random = SeededGenerator(seed: RandomCases.firstSeed + seed)
            let range: ClosedRange<UInt8> = seed.isMultiple(of: 2) ? 0...255 : 88...98
            let values = (0..<2000).map { _ in UInt8.random(in: range, using: &random) }
            let found = falls(values, interval: Int(seed % 5) * 4)
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.end <= $1.begin })
            #expect(found.allSatisfy { $0.depth >= 3 && $0.begin < $0.nadir && $0.nadir < $0.end })
        }
    }

    @Test("are none in a night without values")
    func nothing() {
        #expect(falls([]).isEmpty && falls([97]).isEmpty && falls([UInt8](repeating: 0, count: 100)).isEmpty)
    }
}
