import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("The source of a trend")
struct TrendSourceTests {
    private static let core = TrendSource(sensor: .core, site: .core)
    private static let armpit = TrendSource(sensor: .thermometer, site: .armpit)
    private static let start = Ward.moment(0)

    /// The values of the columns, each with its range; a mixture of both sources has a range.
    private func ranges(_ trend: Trend, _ seconds: ClosedRange<Double>, columns: Int) -> [ClosedRange<Int>] {
        trend.samples(
            from: Ward.moment(seconds.lowerBound), to: Ward.moment(seconds.upperBound), columns: columns,
            holding: .seconds(30)
        ).compactMap { column in column.map { $0.minimum.hundredths...$0.maximum.hundredths } }
    }

    @Test("changes with a mark, and neither columns nor extremes mix what came from two sensors")
    func change() throws {
        var trend = Trend()
        for second in 0..<605 {
            let isCore = second < 305
            trend.insert(
                VitalValue(hundredths: isCore ? 3700 : 3860), at: Ward.moment(Double(second)),
                from: isCore ? Self.core : Self.armpit)
        }
        #expect(trend.sourceChanges(from: Self.start, to: Ward.moment(600), columns: 600) == [305])
        #expect(trend.source(at: Ward.moment(304)) == Self.core)
        #expect(trend.source(at: Ward.moment(305)) == Self.armpit)
        let summary = try #require(trend.summary(from: Self.start, to: Ward.moment(600)))
        #expect(summary.minimum.hundredths == 3860 && summary.maximum.hundredths == 3860)
        #expect(summary.since == Ward.moment(305))
        let earlier = try #require(trend.summary(from: Self.start, to: Ward.moment(300)))
        #expect(earlier.maximum.hundredths == 3700 && earlier.since == nil)
    }

    @Test("is one in every column of every window, whatever takes over from what and when")
    func neverMixed() {
        for seed in 0..<20 {
            var random = SeededGenerator(seed: UInt64(seed))
            var trend = Trend()
            var (second, isCore) = (0.0, true)
            for _ in 0..<2000 {
                second += [0.2, 1, 7, 40].randomElement(using: &random) ?? 1
                if Int.random(in: 0..<40, using: &random) == 0 { isCore.toggle() }
                trend.insert(
                    VitalValue(hundredths: isCore ? 3700 : 3860), at: Ward.moment(second),
                    from: isCore ? Self.core : Self.armpit)
            }
            for window in [120.0, 800, 9000, 30_000] {
                let columns = trend.samples(
                    from: Ward.moment(second - window), to: Ward.moment(second), columns: Int(window / 60) * 10)
                #expect(columns.contains { $0 != nil })
                #expect(
                    columns.allSatisfy { column in column.map { $0.minimum == $0.maximum } ?? true },
                    "window \(window), seed \(seed)")
            }
        }
    }

    @Test("of the recorded past is one sensor in each stretch, not another one between its values")
    func recorded() {
        let now = Ward.moment(600)
        func record(_ source: TrendSource, _ value: Int, _ seconds: StrideTo<Double>) -> RecordedTrend {
            RecordedTrend(
                .bodyTemperature, from: source,
                seconds.map {
                    RecordedTrend.Point(
                        wallMilliseconds: Ward.moment($0).wallMilliseconds,
                        .measured(VitalValue(hundredths: value), .good))
                })
        }
        let trend = Trend(
            [
                record(Self.core, 3700, stride(from: 300, to: 600, by: 10)),
                record(Self.armpit, 3860, stride(from: 5, to: 600, by: 1)),
            ], now: now)
        #expect(Set(ranges(trend, 0...299, columns: 299)) == [3860...3860])
        #expect(Set(ranges(trend, 300...590, columns: 290)) == [3700...3700])
        #expect(trend.sourceChanges(from: Self.start, to: now, columns: 600) == [300, 591])
    }

    @Test("of what was recorded says nothing about the time since a value came in this run")
    func restored() {
        var state = MonitorState(settings: .withoutLimits, start: Self.start)
        for second in stride(from: 300.0, to: 400, by: 10) {
            let reading = Reading(
                sensor: .core, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: 3700), .good),
                moment: Ward.moment(second), site: .core)
            _ = state.apply(MonitorEvent(moment: Ward.moment(second), kind: .reading(reading)))
        }
        let points = (0..<390).map { second in
            RecordedTrend.Point(
                wallMilliseconds: Ward.moment(Double(second)).wallMilliseconds,
                .measured(VitalValue(hundredths: 3860), .good))
        }
        state.restore([RecordedTrend(.bodyTemperature, from: Self.armpit, points)], now: Ward.moment(395))
        let trend = state[.bodyTemperature].trend
        #expect(Set(ranges(trend, 0...299, columns: 299)) == [3860...3860])
        #expect(Set(ranges(trend, 300...390, columns: 90)) == [3700...3700])
        #expect(trend.sourceChanges(from: Self.start, to: Ward.moment(400), columns: 400) == [300])
    }

    @Test("is not another one because a late value comes, and the value joins no stretch of another source")
    func late() throws {
        var trend = Trend()
        for second in 0..<100 {
            let isCore = second < 50
            trend.insert(
                VitalValue(hundredths: isCore ? 3700 : 3860), at: Ward.moment(Double(second)),
                from: isCore ? Self.core : Self.armpit)
        }
        for second in [40.5, 60.5, 99] {
            trend.insert(VitalValue(hundredths: 3400), at: Ward.moment(second), from: Self.armpit)
        }
        for second in [20.5, 45.5] {
            trend.insert(VitalValue(hundredths: 4100), at: Ward.moment(second), from: Self.core)
        }
        #expect(Set(ranges(trend, 0...19, columns: 19)) == [3700...3700])
        #expect(ranges(trend, 20...20.9, columns: 1) == [3700...4100])
        #expect(Set(ranges(trend, 21...44, columns: 23)) == [3700...3700])
        #expect(ranges(trend, 60...60.9, columns: 1) == [3400...3860])
        #expect(trend.sourceChanges(from: Self.start, to: Ward.moment(100), columns: 100) == [50])
        // A minute with two sources is of the later one, and so are its extremes.
        let minute = trend.samples(from: Ward.moment(40), to: Ward.moment(40 + 24 * 3600), columns: 1440)[0]
        #expect(minute?.minimum.hundredths == 3400 && minute?.maximum.hundredths == 3860)
    }

    @Test("reaches back to a late value from before the first that came in time")
    func lateBeforeTheFirst() {
        for source in [Self.core, Self.armpit] {
            var trend = Trend()
            trend.insert(VitalValue(hundredths: 3700), at: Ward.moment(200), from: Self.core)
            trend.insert(VitalValue(hundredths: 3860), at: Ward.moment(100), from: source)
            #expect(trend.source(at: Ward.moment(99)) == nil)
            #expect(trend.source(at: Ward.moment(100)) == source)
            #expect(trend.source(at: Ward.moment(200)) == Self.core)
            #expect(ranges(trend, 100...100.9, columns: 1) == [3860...3860])
        }
    }
}
