import Testing
import Vitals

@testable import Monitoring

@Suite("Recorded trends")
struct RecordedTrendTests {
    /// The present: a day after the start, by both clocks.
    private static let now = Ward.moment(86_400)

    /// A point this many seconds after the start.
    private func point(
        _ second: Double, _ values: ClosedRange<Int>?, seconds: Int = 60, endsAbsent: Bool = false
    ) -> RecordedTrend.Point {
        RecordedTrend.Point(
            wallMilliseconds: Ward.moment(second).wallMilliseconds, duration: .seconds(seconds),
            values: values.map {
                TrendColumn(
                    minimum: VitalValue(hundredths: $0.lowerBound), maximum: VitalValue(hundredths: $0.upperBound),
                    last: VitalValue(hundredths: $0.lowerBound))
            }, endsAbsent: endsAbsent)
    }

    private func columns(_ trend: Trend, _ from: Double, _ to: Double, _ count: Int, holding: Int = 0) -> [[Int]?] {
        trend.samples(
            from: Ward.moment(from), to: Ward.moment(to), columns: count, holding: .seconds(holding)
        ).map { $0.map { [$0.minimum.hundredths, $0.maximum.hundredths, $0.last.hundredths] } }
    }

    @Test("recorded minutes are seen where minutes are, with their extremes, and seconds are not made up")
    func minutes() {
        let points = (0..<480).map { point(Double(57_600 + $0 * 60), $0 == 100 ? 7100...9700 : 9600...9700) }
        let trend = Trend([RecordedTrend(.oxygenSaturation, points)], now: Self.now)
        let evening = columns(trend, 57_600, 86_400, 120)
        #expect(evening.allSatisfy { $0 != nil })
        #expect(evening.compactMap { $0?[0] }.filter { $0 == 7100 }.count == 1)
        #expect(columns(trend, 86_400 - 600, 86_400, 60).allSatisfy { $0 == nil })
    }

    @Test("single readings fill every resolution")
    func readings() {
        let points = (0..<600).map { second in
            RecordedTrend.Point(
                wallMilliseconds: Ward.moment(Double(85_800 + second)).wallMilliseconds,
                .measured(VitalValue(hundredths: 7000 + second), .good))
        }
        let trend = Trend([RecordedTrend(.heartRate, points)], now: Self.now)
        #expect(columns(trend, 85_800, 86_400, 600).map { $0?[0] } == (7000..<7600).map { $0 })
        // From the beginning of a minute of the trend on.
        #expect(columns(trend, 85_840, 86_380, 9).map { $0?[0] } == (0..<9).map { 7040 + $0 * 60 })
    }

    @Test("the record of an earlier start of the computer is brought to the present clock by the wall clock")
    func otherEpoch() {
        // The computer was started a minute ago: what is older has a time before the monotonic clock's zero.
        let now = Moment(monotonicNanoseconds: 60_000_000_000, wallMilliseconds: 1_750_000_000_000)
        let hourAgo = now.wallMilliseconds - 3_600_000
        let trend = Trend(
            [
                RecordedTrend(
                    .heartRate,
                    [RecordedTrend.Point(wallMilliseconds: hourAgo, .measured(VitalValue(whole: 71), .good))])
            ], now: now)
        let columns = trend.samples(
            from: now.advanced(by: .seconds(-4000)), to: now, columns: 10)
        #expect(columns.map { $0?.last } == (0..<10).map { $0 == 1 ? VitalValue(whole: 71) : nil })
    }

    @Test("what was recorded after the present, before the clock was put back, is left out")
    func future() {
        let trend = Trend([RecordedTrend(.heartRate, [point(86_460, 7000...7000)])], now: Self.now)
        #expect(trend.isEmpty)
    }

    @Test("where the sensor that is believed most says anything, no other one is asked")
    func sensors() {
        let first = RecordedTrend(.heartRate, [point(80_000, 7000...7100), point(80_060, nil)])
        let second = RecordedTrend(.heartRate, (0..<5).map { point(79_940 + Double($0) * 60, 6000...9000) })
        let trend = Trend([first, second], now: Self.now)
        let shown = columns(trend, 79_920, 80_220, 5)
        #expect(shown == [[6000, 9000, 6000], [7000, 7100, 7000], nil, [6000, 9000, 6000], [6000, 9000, 6000]])
    }

    @Test("the last recorded value does not cover the time without a program")
    func end() {
        let trend = Trend([RecordedTrend(.heartRate, [point(80_000, 7000...7000)])], now: Self.now)
        #expect(columns(trend, 79_980, 80_280, 5, holding: 240).dropFirst().allSatisfy { $0 == nil })
    }

    @Test("a point longer than a minute stands for each minute that it touches")
    func long() {
        // Ten minutes that begin in the middle of one.
        let trend = Trend([RecordedTrend(.heartRate, [point(72_000, 7000...8000, seconds: 600)])], now: Self.now)
        #expect(columns(trend, 71_920, 72_760, 14).count { $0 != nil } == 11)
    }

    @Test("restoring changes the trends and nothing else, and time alone brings nothing about")
    func onlyTrends() {
        let strap = SensorIdentity(address: "C0:00:00:00:00:01", name: "Strap", kind: .heartRateStrap)
        var ward = Ward(settings: MonitorSettings())
        ward.receive(.connection(strap, ConnectionState(phase: .ready)), at: 86_390)
        let reading = Reading(
            sensor: strap, vital: .heartRate, outcome: .measured(VitalValue(whole: 72), .good),
            moment: Ward.moment(86_400))
        _ = ward.state.apply(MonitorEvent(moment: Self.now, kind: .reading(reading)))
        let before = ward.state
        // A heart rate, saturation and temperature that would each be an alarm.
        ward.state.restore(
            [
                RecordedTrend(.heartRate, (0..<60).map { point(82_800 + Double($0) * 60, 19_900...19_900) }),
                RecordedTrend(.oxygenSaturation, (0..<60).map { point(82_800 + Double($0) * 60, 6000...6000) }),
                RecordedTrend(.bodyTemperature, (0..<60).map { point(82_800 + Double($0) * 60, 4000...4000) }),
            ], now: Self.now)
        for vital in Vital.allCases {
            #expect(
                ward.state[vital].trend.isEmpty == ![.heartRate, .oxygenSaturation, .bodyTemperature].contains(vital))
            #expect(ward.state[vital].condition == before[vital].condition)
        }
        #expect(ward.state.nextDeadline == before.nextDeadline)
        var compared = ward.state
        for index in compared.vitals.indices { compared.vitals[index].trend = before.vitals[index].trend }
        #expect(compared == before)
        #expect(ward.state.apply(MonitorEvent(moment: Ward.moment(86_401), kind: .tick)) == [])
    }

    @Test("what was measured in this run stays, and of a minute that both know the extremes of both count")
    func underneath() {
        var state = MonitorState(start: Ward.moment(80_000))
        let strap = SensorIdentity(address: "C0:00:00:00:00:01", name: "Strap", kind: .heartRateStrap)
        // 80 005 s begins no minute of the trend: the record's minute and the run's first readings share one.
        for second in 0..<10 {
            let moment = Ward.moment(80_005 + Double(second))
            let reading = Reading(
                sensor: strap, vital: .heartRate, outcome: .measured(VitalValue(hundredths: 7200), .good),
                moment: moment)
            _ = state.apply(MonitorEvent(moment: moment, kind: .reading(reading)))
        }
        let now = Ward.moment(80_015)
        state.restore([RecordedTrend(.heartRate, [point(79_900, 6600...6600), point(79_990, 6000...9900)])], now: now)
        let trend = state[.heartRate].trend
        let summary = trend.summary(from: Ward.moment(60_000), to: now)
        #expect(summary?.minimum.hundredths == 6000)
        #expect(summary?.maximum.hundredths == 9900)
        #expect(columns(trend, 80_014, 80_015, 1) == [[7200, 7200, 7200]])
    }

    @Test("absurd records do not trap")
    func absurd() {
        let extremes = TrendColumn(
            minimum: VitalValue(hundredths: .min), maximum: VitalValue(hundredths: .max),
            last: VitalValue(hundredths: 0))
        let points = [Int64.min, 0, Int64.max].flatMap { wall in
            [Duration.zero, .seconds(Int64.max), .seconds(-5)].map {
                RecordedTrend.Point(wallMilliseconds: wall, duration: $0, values: extremes)
            }
        }
        var state = MonitorState(start: Self.now)
        state.restore([RecordedTrend(.heartRate, points), RecordedTrend(.heartRate, [])], now: Self.now)
        #expect(state[.heartRate].condition == .neverSeen)
    }
}
