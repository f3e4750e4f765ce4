import Testing
import Vitals
import Wording

@Suite("Times as texts")
struct TimeTextTests {
    private static let now = Moment(monotonicNanoseconds: 1_000_000_000_000_000, wallMilliseconds: 1_772_373_000_000)

    private func ago(_ seconds: Int) -> Moment { Self.now.advanced(by: .seconds(-seconds)) }

    @Test(
        "an age is shown in the largest unit that gives at least two",
        arguments: [
            (0, "now"), (1, "now"), (2, "2 s"), (119, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"),
            (172_799, "47 h"), (172_800, "2 d"), (-5, "now"),
        ])
    func ages(seconds: Int, expected: String) {
        #expect(TimeText(now: Self.now, timeZoneOffset: 0).age(of: ago(seconds)) == expected)
    }

    @Test("a moment to come is rounded up, and never nothing")
    func until() {
        let time = TimeText(now: Self.now, timeZoneOffset: 0)
        #expect(time.until(Self.now.advanced(by: .milliseconds(3200))) == "4 s")
        #expect(time.until(Self.now.advanced(by: .seconds(-9))) == "1 s")
    }

    @Test(
        "the clock shows local time", arguments: [(0, "13:50"), (3600, "14:50"), (-50_400, "23:50"), (36_600, "00:00")])
    func clock(offset: Int, expected: String) {
        #expect(TimeText(now: Self.now, timeZoneOffset: offset).clock(Self.now) == expected)
    }

    @Test(
        "a time of another day has its day",
        arguments: [
            (0, 0, "13:50"), (13 * 3600 + 3000, 0, "00:00"), (13 * 3600 + 3001, 0, "yesterday 23:59"),
            (86_400, 0, "yesterday 13:50"), (86_400, 43_200, "yesterday 01:50"), (172_800, 0, "27 Feb 13:50"),
            (400 * 86_400, 0, "2025-01-25"), (-86_400, 0, "2026-03-02"),
        ])
    func dated(secondsAgo: Int, offset: Int, expected: String) {
        let time = TimeText(now: Self.now, timeZoneOffset: offset)
        #expect(time.dated(ago(secondsAgo).wallMilliseconds) == expected)
    }

    @Test("absurd moments do not trap")
    func absurd() {
        let odd = Moment(monotonicNanoseconds: .min, wallMilliseconds: .min)
        let time = TimeText(now: Self.now, timeZoneOffset: .max)
        #expect(time.clock(odd).count == 5)
        #expect(!time.age(of: odd).isEmpty)
        #expect(!time.until(odd).isEmpty)
    }

    @Test(
        "dates have the name of the month",
        arguments: [
            (1_763_816_760_000, "22 Nov", "13:06:00"), (1_772_323_200_000, "1 Mar", "00:00:00"),
            (0, "1 Jan", "00:00:00"),
            (-1000, "31 Dec", "23:59:59"), (Int64.max, "8 Mar", "12:26:40"), (Int64.min, "24 Apr", "22:13:20"),
        ])
    func dates(milliseconds: Int64, date: String, time: String) {
        let text = TimeText(now: Moment(monotonicNanoseconds: 0, wallMilliseconds: 0), timeZoneOffset: 0)
        #expect(text.dateAndTime(milliseconds) == (date, time))
    }
}
