import Testing

@testable import Monitor

@Suite("The pace of what is told to those who follow a monitor")
struct StatusPacerTests {
    private static let millisecond: Int64 = 1_000_000

    /// When it is told, in milliseconds, where something changes at the given times and an alarm begins at others.
    private func told(changes: [Int64], alarms: Set<Int64> = []) -> [Int64] {
        var pacer = StatusPacer()
        var (due, told): (Int64?, [Int64]) = (nil, [])
        for time in 0..<10_000 as Range<Int64> {
            let now = time * Self.millisecond
            if let planned = due, now >= planned {
                told.append(time)
                pacer.told(now: now)
                due = nil
            }
            for isUrgent in [changes.contains(time) ? false : nil, alarms.contains(time) ? true : nil].compactMap(
                \.self)
            {
                due = pacer.changed(now: now, isUrgent: isUrgent) ?? due
            }
        }
        return told
    }

    @Test("what changes now and then is told soon, with what comes with it")
    func soon() {
        #expect(told(changes: [0, 3, 90, 5000]) == [100, 5100])
    }

    @Test("what changes all the time is told once a second, and the last change too")
    func calm() {
        #expect(told(changes: (0..<30).map { $0 * 111 }) == [100, 1100, 2100, 3100, 4100])
    }

    @Test("an alarm does not wait for the second, and takes nothing from what follows")
    func alarm() {
        #expect(told(changes: [0, 300, 700], alarms: [500]) == [100, 600, 1600])
    }
}
