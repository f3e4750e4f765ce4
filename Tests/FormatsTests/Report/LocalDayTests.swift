import Formats
import Testing

@Suite("Days of local time")
struct LocalDayTests {
    /// Central European time: on 2026-03-29 at 01:00 UTC the clocks go forward, on 2026-10-25 at 01:00 UTC back.
    private static let forward: Int64 = 1_774_746_000_000
    private static let back: Int64 = 1_792_890_000_000
    private static var calendar: LocalDay { LocalDay { (forward..<back).contains($0) ? 7200 : 3600 } }
    private static let hour: Int64 = 3_600_000

    @Test("have 23 or 25 hours where the clocks are changed", arguments: [(forward, Int64(23)), (back, Int64(25))])
    func changes(_ change: Int64, _ hours: Int64) {
        let day = Self.calendar.containing(change)
        #expect(day.upperBound - day.lowerBound == hours * Self.hour)
        #expect(Self.calendar.containing(change - 1) == day)
        #expect(Self.calendar.containing(day.upperBound).lowerBound == day.upperBound)
        #expect(Self.calendar.containing(day.lowerBound - 1).upperBound == day.lowerBound)
    }

    @Test(
        "follow each other without a gap, fourteen of them across a change of the clocks", arguments: [forward, back])
    func fortnight(_ change: Int64) {
        let end = change + 5 * 24 * Self.hour
        var start = Self.calendar.start(ofDays: 14, until: end)
        var days = 0
        while start <= end {
            let day = Self.calendar.containing(start)
            #expect(day.lowerBound == start)
            start = day.upperBound
            days += 1
        }
        #expect(days == 14)
    }

    @Test("do not trap at the ends of time", arguments: [Int64.min, -1, 0, .max])
    func extremes(_ wall: Int64) {
        #expect(!Self.calendar.containing(wall).isEmpty || wall == .max)
    }
}
