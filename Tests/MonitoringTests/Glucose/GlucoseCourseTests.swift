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
        #expect(part == .init(below: 17, inside: 58, above: 25, count: 12))
        #expect(course(Array(values.dropLast())).inRange == nil)
    }

    @Test("parts of the time add up to a hundred", arguments: 0..<50)
    func sums(seed: Int) throws {
        let values = (0..<(12 + seed)).map { 40 + ($0 * 37 + seed * 91) % 260 }
        let part = try #require(course(values).inRange)
        #expect(part.below + part.inside + part.above == 100)
    }
}
