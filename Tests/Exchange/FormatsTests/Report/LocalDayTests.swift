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
        let days = Self.calendar.last(14, until: end)
        #expect(days.count == 14 && days.last?.contains(end) == true)
        #expect(zip(days, days.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
        #expect(days.allSatisfy { Self.calendar.containing($0.lowerBound) == $0 })
        let hours = days.map { ($0.upperBound - $0.lowerBound) / Self.hour }
        #expect(hours.count { $0 != 24 } == 1 && hours.contains(change == Self.forward ? 23 : 25))
    }

    @Test("do not trap at the ends of time", arguments: [Int64.min, -1, 0, .max])
    func extremes(_ wall: Int64) {
        #expect(!Self.calendar.containing(wall).isEmpty || wall == .max)
    }
}
