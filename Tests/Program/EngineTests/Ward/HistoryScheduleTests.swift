import Testing

@testable import Engine

@Suite("When recorded readings are sent to the collector")
struct HistoryScheduleTests {
    private static let second: Int64 = 1_000_000_000

    private func opened(at now: Int64 = 0) -> HistorySchedule {
        var schedule = HistorySchedule()
        schedule.handle(.opened, now: now)
        schedule.handle(.connected, now: now)
        return schedule
    }

    @Test("Nothing is sent before both the store is open and the broker is there")
    func beginning() {
        var schedule = HistorySchedule()
        #expect(schedule.due == nil)
        schedule.handle(.connected, now: 1)
        #expect(schedule.due == nil)
        schedule.handle(.opened, now: 2)
        #expect(schedule.due == 2)
        schedule.handle(.disconnected, now: 3)
        #expect(schedule.due == nil)
        schedule.handle(.connected, now: 4)
        #expect(schedule.due == 4)
    }

    @Test("After a full batch the next one follows its acknowledgement at once, after another one in half a minute")
    func pace() {
        var schedule = opened()
        schedule.handle(.sent(isFull: true), now: 0)
        schedule.handle(.acknowledged, now: 7)
        #expect(schedule.due == 7)
        schedule.handle(.sent(isFull: false), now: 7)
        schedule.handle(.acknowledged, now: 8)
        #expect(schedule.due == 8 + 30 * Self.second)
        schedule.handle(.nothingNew, now: 9)
        #expect(schedule.due == 9 + 5 * Self.second)
    }

    @Test("Without an answer the same batch is sent again, ever later, at most after a minute")
    func silence() {
        var schedule = opened()
        var waits: [Int64] = []
        for _ in 0..<7 {
            schedule.handle(.sent(isFull: true), now: 0)
            waits.append((schedule.due ?? -1) / Self.second)
        }
        #expect(waits == [5, 10, 20, 40, 60, 60, 60])
        // A collector that says anything is there again.
        schedule.handle(.heard, now: 3)
        #expect(schedule.due == 3)
    }

    @Test("An acknowledgement that comes when the connection is lost sends nothing")
    func lateAnswer() {
        var schedule = opened()
        schedule.handle(.sent(isFull: true), now: 0)
        schedule.handle(.disconnected, now: 1)
        schedule.handle(.acknowledged, now: 2)
        #expect(schedule.due == nil)
        schedule.handle(.ended, now: 3)
        schedule.handle(.connected, now: 4)
        #expect(schedule.due == nil)
    }
}
