import Testing

@testable import EventLoops

@Suite("The tolerance of a timer")
struct TimerToleranceTests {
    private static let minute: Int64 = 60_000_000_000

    @Test("lets the loop sleep past its time, and lets it fire as soon as the loop is awake")
    func tolerance() {
        var timers = TimerQueue()
        let now = Timestamp.monotonicNow()
        let due = now + 10 * Self.minute
        _ = timers.add(due: due, tolerance: 10 * Self.minute) {}
        #expect(timers.pollTimeout() > 15 * 60_000)
        #expect(timers.takeDue(now: due - 1, upTo: timers.newest) == nil)
        #expect(timers.takeDue(now: due, upTo: timers.newest) != nil)
    }

    @Test("does not hold up a timer that has none")
    func others() {
        var timers = TimerQueue()
        let now = Timestamp.monotonicNow()
        _ = timers.add(due: now, tolerance: 20 * Self.minute) {}
        _ = timers.add(due: now + 10 * Self.minute) {}
        #expect(timers.pollTimeout() <= 10 * 60_000)
        _ = timers.add(due: now + Self.minute, tolerance: Self.minute) {}
        #expect(timers.pollTimeout() <= 2 * 60_000)
    }

    @Test("of any length is bounded")
    func bounds() {
        var timers = TimerQueue()
        _ = timers.add(due: .max, tolerance: .max) {}
        #expect(timers.pollTimeout() > 0)
    }
}
