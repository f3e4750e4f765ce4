import TestSupport
import Testing
import Vitals

@testable import Monitoring

@Suite("The course of glucose")
struct GlucoseCourseTests {
    /// One value every five minutes, the last one now.
    private func course(_ values: [Int], every minutes: Int = 5) -> GlucoseCourse {
        var trend = Trend()
        let now = Moment(monotonicNanoseconds: 500_000_000_000_000, wallMilliseconds: 1_767_322_800_000)
        for (place, value) in values.enumerated() {
            let age = (values.count - 1 - place) * minutes * 60
            trend.insert(VitalValue(whole: value), at: now.advanced(by: .seconds(-age)))
        }
        return GlucoseCourse(trend, at: now)
    }

    @Test(
        "is an arrow by the change in five minutes",
        arguments: [
            ([100, 100], GlucoseCourse.Arrow.steady, 0), ([100, 104], .steady, 4), ([100, 105], .rising, 5),
            ([100, 110], .risingFast, 10), ([100, 118], .risingVeryFast, 18), ([100, 95], .falling, -5),
            ([100, 90], .fallingFast, -10), ([100, 82], .fallingVeryFast, -18),
        ])
    func arrows(values: [Int], arrow: GlucoseCourse.Arrow, delta: Int) {
        let course = course(values)
        #expect(course.arrow == arrow)
        #expect(course.delta == VitalValue(whole: delta))
    }

    @Test("is unknown from one value, and from values too far from each other")
    func unknown() {
        #expect(course([100]).arrow == nil)
        #expect(course([100, 140], every: 30).arrow == nil)
        #expect(course([100, 101, 102, 103], every: 1).arrow == nil)
    }

    @Test("counts the values in the target range, whose ends belong to it")
    func inRange() throws {
        let values = [54, 69, 70, 71, 100, 120, 140, 179, 180, 181, 250, 300]
        let part = try #require(course(values).inRange)
        #expect(part == .init(below: 17, inside: 58, above: 25, count: 12, belowCount: 2, aboveCount: 3))
        #expect(course(Array(values.dropLast())).inRange == nil)
    }

    @Test("parts of the time add up to a hundred", arguments: 0..<50)
    func sums(seed: Int) throws {
        let values = (0..<(12 + seed)).map { 40 + ($0 * 37 + seed * 91) % 260 }
        let part = try #require(course(values).inRange)
        #expect(part.below + part.inside + part.above == 100)
    }

    private static func sensor(_ number: Int) -> TrendSource {
        TrendSource(
            sensor: SensorIdentity(
                address: "C0:52:49:00:00:0\(number)", name: "CGM \(number)", kind: .continuousGlucose))
    }

    @Test("is that of the present sensor alone, whatever the former one said", arguments: 0..<40)
    func changedSensor(count: Int) throws {
        let now = Moment(monotonicNanoseconds: 500_000_000_000_000, wallMilliseconds: 1_767_322_800_000)
        var random = SeededGenerator(seed: UInt64(count))
        var (both, alone) = (Trend(), Trend())
        for place in 0..<200 {
            let age = (199 - place) * 300
            let isNew = place >= 200 - count
            // The former sensor reads far too high, up to the last minute.
            let value = VitalValue(whole: isNew ? 60 + Int.random(in: 0..<100, using: &random) : 390)
            both.insert(value, at: now.advanced(by: .seconds(-age)), from: Self.sensor(isNew ? 2 : 1))
            if isNew { alone.insert(value, at: now.advanced(by: .seconds(-age)), from: Self.sensor(2)) }
        }
        guard count > 0 else { return #expect(GlucoseCourse(both, at: now).inRange?.inside == 0) }
        let (course, expected) = (GlucoseCourse(both, at: now), GlucoseCourse(alone, at: now))
        #expect(course == expected)
        // No arrow before the present source has two values.
        #expect((course.arrow != nil) == (count > 1))
        #expect((course.inRange != nil) == (count >= 12))
        let summary = try #require(
            both.summary(from: now.advanced(by: .seconds(-86_400)), to: now.advanced(by: .seconds(1))))
        #expect(summary.maximum < VitalValue(whole: 200) && summary.since != nil)
    }

    @Test(
        "some is not nothing, and most is not all",
        arguments: [
            (0, 288, "0 %"), (1, 288, "< 1 %"), (2, 288, "1 %"), (144, 288, "50 %"), (287, 288, "> 99 %"),
            (288, 288, "100 %"), (1, 1440, "< 1 %"), (1439, 1440, "> 99 %"), (1, 12, "8 %"), (11, 12, "92 %"),
        ])
    func percent(part: Int, count: Int, text: String) {
        let rounded = (part * 200 + count) / (count * 2)
        #expect(PercentText.text(rounded, isSome: part > 0, isAll: part == count) == text)
    }
}
