import TestSupport
import Testing

@testable import MQTT

@Suite("When a client connects again")
struct ReconnectionScheduleTests {
    private static let second: Int64 = 1_000_000_000

    @Test("It waits longer after each failure, by chance, and at most six seconds")
    func growth() {
        var (schedule, random) = (ReconnectionSchedule(), SeededGenerator(seed: 7))
        schedule.begin(now: 0)
        var waits: [Int64] = []
        for attempt in 0..<200 {
            schedule.failed(now: 0, using: &random)
            guard case .waiting(let until) = schedule.phase else { return #expect(Bool(false)) }
            let longest = min(6 * Self.second, Self.second << Int64(min(attempt, 5)))
            #expect((longest / 4...longest).contains(until))
            waits.append(until)
            schedule.begin(now: 0)
        }
        #expect(Set(waits.suffix(100)).count > 90)
    }

    @Test("A connection that held ten seconds begins anew; one that did not does not")
    func proof() {
        var (schedule, random) = (ReconnectionSchedule(), SeededGenerator(seed: 1))
        func wait(heldFor seconds: Int64) -> Int64 {
            schedule.begin(now: 0)
            for _ in 0..<6 {
                schedule.failed(now: 0, using: &random)
                schedule.begin(now: 0)
            }
            schedule.connected(now: 0)
            let longest = (0..<200).map { _ in
                var copy = schedule
                copy.failed(now: seconds * Self.second, using: &random)
                return copy.due.map { $0 - seconds * Self.second } ?? -1
            }
            return longest.max() ?? 0
        }
        #expect(wait(heldFor: 10) <= Self.second)
        #expect(wait(heldFor: 9) > 5 * Self.second)
    }

    @Test("A broker has ten seconds to answer, and nothing is due once it has or when the client is stopped")
    func limit() {
        var (schedule, random) = (ReconnectionSchedule(), SeededGenerator(seed: 1))
        #expect(schedule.due == nil)
        schedule.begin(now: 5)
        #expect(schedule.due == 5 + 10 * Self.second)
        schedule.connected(now: 6)
        #expect(schedule.due == nil)
        schedule.stop()
        schedule.failed(now: 7, using: &random)
        #expect(schedule.phase == .stopped)
    }
}
