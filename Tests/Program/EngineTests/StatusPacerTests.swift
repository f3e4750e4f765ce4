import Testing

@testable import Engine

@Suite("The pace of status updates to followers")
struct StatusPacerTests {
    private static let millisecond: Int64 = 1_000_000

    /// The times of updates, in milliseconds, for changes at the given times and alarms at others.
    private func updateTimes(changes: [Int64], alarms: Set<Int64> = []) -> [Int64] {
        var pacer = StatusPacer()
        var (due, times): (Int64?, [Int64]) = (nil, [])
        for time in 0..<10_000 as Range<Int64> {
            let now = time * Self.millisecond
            if let planned = due, now >= planned {
                times.append(time)
                pacer.sent(now: now)
                due = nil
            }
            for isUrgent in [changes.contains(time) ? false : nil, alarms.contains(time) ? true : nil].compactMap(
                \.self)
            {
                due = pacer.changed(now: now, isUrgent: isUrgent) ?? due
            }
        }
        return times
    }

    @Test("occasional changes are sent soon and together")
    func soon() {
        #expect(updateTimes(changes: [0, 3, 90, 5000]) == [100, 5100])
    }

    @Test("constant changes are sent once a second, and the last change too")
    func calm() {
        #expect(updateTimes(changes: (0..<30).map { $0 * 111 }) == [100, 1100, 2100, 3100, 4100])
    }

    @Test("an alarm does not wait for the second, and takes nothing from what follows")
    func alarm() {
        #expect(updateTimes(changes: [0, 300, 700], alarms: [500]) == [100, 600, 1600])
    }
}
