import Testing
import Vitals

@testable import Nights

@Suite("The figures of a night")
struct NightEvaluationTests {
    @Test("are those that another program computes", arguments: SyntheticNight.all)
    func reference(night: SyntheticNight) throws {
        let evaluation = NightEvaluation(
            try #require(SyntheticNight.course(night.values, interval: night.interval)))
        #expect(evaluation.mean == night.mean)
        #expect(evaluation.lowest?.value == night.lowest)
        #expect(evaluation.below90 == night.below90 && evaluation.below88 == night.below88)
        #expect(evaluation.falls.count == night.falls.count)
        #expect(evaluation.count(ofDepth: 4) <= evaluation.count(ofDepth: 3))
    }

    @Test("know what is left out and why, and count nothing of it")
    func excluded() throws {
        var night = SyntheticNight.stored(curve((96, 100), (0, 20), (70, 30), (89, 10), (87, 40)))
        for index in 120..<150 { night.samples[index].movement = NightCourse.movementLimit }
        var builder = NightBuilder(of: SyntheticNight.window, sensor: SyntheticNight.ring)
        builder.add(night)
        let evaluation = NightEvaluation(try #require(builder.course()))
        #expect(evaluation.recorded == 200 && evaluation.usable == 150)
        #expect(evaluation.time(of: .noMeasurement) == 20 && evaluation.time(of: .movement) == 30)
        #expect(evaluation.lowest?.value == 87 && evaluation.lowest?.instant == 160)
        #expect(evaluation.below90 == 50 && evaluation.below88 == 40)
        #expect(evaluation.moved == 30)
        #expect(evaluation.pulse == NightEvaluation.Pulse(lowest: 60, mean: 60, highest: 60))
        #expect(evaluation.share(evaluation.below90) == 333)
    }

    @Test("have an index of an hour of usable time; none for less than an hour, and a short one says so")
    func index() throws {
        let fall = curve((96, 100), (92, 20))
        func evaluation(_ hours: Double) throws -> NightEvaluation {
            let count = Int(hours * 30)
            let values = (0..<count).flatMap { _ in fall }
            return NightEvaluation(try #require(SyntheticNight.course(values)))
        }
        let long = try evaluation(4)
        // The last one is cut off by the end.
        #expect(long.count(ofDepth: 3) == 119 && long.cutFalls == 1)
        #expect(long.index(ofDepth: 3) == 298 && !long.isShort)
        #expect(long.baseline == 96)
        let short = try evaluation(3)
        #expect(short.index(ofDepth: 4) == 297 && short.isShort)
        #expect(try evaluation(0.9).index(ofDepth: 3) == nil)
    }

    @Test("have the longest and the deepest fall, which need not be the same")
    func longest() throws {
        let values = curve((97, 60), (90, 20), (97, 60), (93, 80), (97, 60))
        let evaluation = NightEvaluation(try #require(SyntheticNight.course(values)))
        #expect(evaluation.longest.map { evaluation.length(of: $0) } == 81)
        #expect(evaluation.deepest?.depth == 7)
    }

    @Test("are none without a single value")
    func empty() throws {
        let evaluation = NightEvaluation(try #require(SyntheticNight.course([0, 0, 0])))
        #expect(evaluation.recorded == 3 && evaluation.usable == 0)
        #expect(evaluation.mean == nil && evaluation.baseline == nil && evaluation.lowest == nil)
        #expect(evaluation.index(ofDepth: 3) == nil && evaluation.share(5) == 0)
    }
}
