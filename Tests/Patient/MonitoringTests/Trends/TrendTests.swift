import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("Trends")
struct TrendTests {
    private func trend(_ values: [(Double, Int?)]) -> Trend {
        var trend = Trend()
        for (second, hundredths) in values {
            if let hundredths {
                trend.insert(VitalValue(hundredths: hundredths), at: Ward.moment(second))
            } else {
                trend.insertAbsence(at: Ward.moment(second))
            }
        }
        return trend
    }

    private func maxima(_ trend: Trend, _ from: Double, _ to: Double, _ columns: Int, holding: Double = 0) -> [Int?] {
        trend.samples(
            from: Ward.moment(from), to: Ward.moment(to), columns: columns,
            holding: .milliseconds(Int(holding * 1000))
        ).map { $0?.maximum.hundredths }
    }

    @Test("gaps stay gaps")
    func gaps() {
        let trend = trend([(0, 70), (1, 71), (4, 74), (5, 75)])
        #expect(maxima(trend, 0, 6, 6) == [70, 71, nil, nil, 74, 75])
    }

    @Test("a value stands for the time after it for as long as it is held, and no longer")
    func holding() {
        let trend = trend([(0, 70), (6, 76)])
        #expect(maxima(trend, 0, 8, 8, holding: 2) == [70, 70, 70, nil, nil, nil, 76, 76])
        #expect(maxima(trend, 1, 4, 3, holding: 2) == [70, 70, nil])
    }

    @Test("one of a single resolution keeps extremes as far back as it reaches, in as much memory as that needs")
    func short() {
        var trend = Trend(width: .seconds(5), reach: .seconds(60))
        for second in 0..<120 { trend.insert(VitalValue(hundredths: second), at: Ward.moment(Double(second))) }
        #expect(trend.bucketCount == 12)
        #expect(maxima(trend, 60, 120, 6) == [69, 79, 89, 99, 109, 119])
        #expect(maxima(trend, 0, 50, 2) == [nil, nil])
    }

    @Test("an absence ends a held value")
    func absence() {
        let trend = trend([(0, 70), (2, nil), (5, 75), (5.5, nil)])
        #expect(maxima(trend, 0, 8, 8, holding: 30) == [70, 70, nil, nil, nil, 75, nil, nil])
    }

    @Test("a column keeps lowest, highest and newest")
    func extremes() {
        let trend = trend([(0, 70), (1, 90), (2, 60), (3, 80)])
        let column = TrendColumn(
            minimum: VitalValue(hundredths: 60), maximum: VitalValue(hundredths: 90), last: VitalValue(hundredths: 80))
        #expect(trend.samples(from: Ward.moment(0), to: Ward.moment(4), columns: 1) == [column])
        #expect(maxima(trend, 0, 4, 2) == [90, 80])
    }

    @Test("a peak of one second is still there at the end of the day")
    func peak() {
        var trend = Trend()
        for second in 0..<86_000 {
            trend.insert(VitalValue(hundredths: second == 40 ? 19_900 : 7000), at: Ward.moment(Double(second)))
        }
        let day = maxima(trend, 0, 86_000, 100)
        #expect(day[0] == 19_900)
        #expect(day.dropFirst().allSatisfy { $0 == 7000 })
    }

    @Test("memory does not grow with time")
    func bounded() {
        var trend = Trend()
        trend.insert(VitalValue(hundredths: 1), at: Ward.moment(0))
        let before = trend.bucketCount
        for second in stride(from: 0.0, to: 3 * 86_400, by: 7) {
            trend.insert(VitalValue(hundredths: 7000), at: Ward.moment(second))
        }
        #expect(trend.bucketCount == before)
        #expect(before == 900 + 1080 + 2880)
        // What is older than two days is gone.
        #expect(maxima(trend, 0, 3600, 10).allSatisfy { $0 == nil })
    }

    @Test(
        "the median is one of the values, and counts time rather than values",
        arguments: [([1, 2, 3], 2), ([3, 1, 1], 1), ([5], 5), ([9, 1, 1, 1, 9], 1)])
    func median(values: [Int], expected: Int) {
        // Each value stands for ten seconds, and comes several times where it is the first.
        var trend = Trend()
        for (index, value) in values.enumerated() {
            for second in 0..<10 where index == 0 || second == 0 {
                let moment = Ward.moment(Double(index * 10 + second))
                trend.insert(VitalValue(hundredths: value), at: moment)
            }
        }
        let summary = trend.summary(
            from: Ward.moment(0), to: Ward.moment(Double(values.count * 10)), holding: .seconds(10))
        #expect(summary?.median.hundredths == expected)
    }

    @Test(
        "the work for a picture does not grow with the history", arguments: [120, 600, 3600, 28_800, 86_400],
        [20, 136, 320])
    func cost(window: Int, columns: Int) {
        func visited(history: Int) -> Int {
            var trend = Trend()
            for second in 0..<history {
                trend.insert(VitalValue(hundredths: 7000), at: Ward.moment(Double(86_400 - history + second)))
            }
            let (_, count) = trend.walk(
                from: Ward.moment(Double(86_400 - window)), to: Ward.moment(86_400), columns: columns,
                holding: .seconds(3))
            return count
        }
        let short = visited(history: 120)
        // With a longer history the value before the window is found sooner.
        #expect(visited(history: 86_400) <= short)
        // Fewer than ten for each column, or every minute of the window where columns are longer than that.
        #expect(short <= columns * 10 + window / 60 + 4)
    }

    @Test("what is new is not overwritten by what comes late")
    func late() {
        let trend = trend([(2000, 70), (2000 - 900, 60)])
        #expect(maxima(trend, 2000, 2001, 1) == [70])
    }

    @Test("old contents of the ring do not shine through")
    func wrapAround() {
        let trend = trend([(0, 60), (1, 61), (900, 70)])
        #expect(maxima(trend, 898, 902, 4) == [nil, nil, 70, nil])
    }

    @Test("every column of any width and offset shows what a list of all values shows", arguments: 0..<40)
    func model(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var trend = Trend()
        var values: [(second: Int, value: Int)] = []
        var second = Int.random(in: 0..<1000, using: &random)
        for _ in 0..<400 {
            second += Int.random(in: 1...3, using: &random)
            let value = Int.random(in: 4000...18_000, using: &random)
            values.append((second, value))
            trend.insert(VitalValue(hundredths: value), at: Ward.moment(Double(second)))
        }
        // Whole seconds for each column, so that buckets of one second lie in one column only.
        let columns = Int.random(in: 1...60, using: &random)
        let width = Int.random(in: 1...9, using: &random)
        let start = second + 1 - columns * width
        guard second - start < 900 else { return }
        let samples = trend.samples(
            from: Ward.moment(Double(start)), to: Ward.moment(Double(second + 1)), columns: columns)
        for (column, sample) in samples.enumerated() {
            let range = (start + column * width)..<(start + (column + 1) * width)
            let inside = values.filter { range.contains($0.second) }.map(\.value)
            #expect(sample?.minimum.hundredths == inside.min())
            #expect(sample?.maximum.hundredths == inside.max())
            #expect(sample?.last.hundredths == inside.last)
        }
    }

    @Test("a summary ignores gaps and says how much was measured")
    func summary() {
        let trend = trend((0..<50).map { (Double($0), 7000 + $0) })
        // As many parts as seconds, so that each has at most one value.
        let summary = trend.summary(from: Ward.moment(0), to: Ward.moment(240))
        #expect(
            summary
                == TrendSummary(
                    minimum: VitalValue(hundredths: 7000), median: VitalValue(hundredths: 7024),
                    maximum: VitalValue(hundredths: 7049), coveredPercent: 20))
        #expect(trend.summary(from: Ward.moment(60), to: Ward.moment(100)) == nil)
    }

    @Test(
        "absurd questions get empty answers",
        arguments: [
            (0.0, 0.0, 5), (10, 0, 5), (0, 10, 0), (0, 10, -3), (-9e9, 9e9, 5),
        ])
    func absurd(from: Double, to: Double, columns: Int) {
        let trend = trend([(1e6, 70)])
        let samples = trend.samples(
            from: Ward.moment(from), to: Ward.moment(to), columns: columns, holding: .seconds(Int64.max))
        #expect(samples.count == max(0, columns))
    }

    @Test("values at the ends of the number range do not trap")
    func extremeValues() {
        let trend = trend([(0, Int.max), (1, Int.min)])
        #expect(maxima(trend, 0, 2, 2) == [Int(Int32.max), Int(Int32.min)])
    }
}
