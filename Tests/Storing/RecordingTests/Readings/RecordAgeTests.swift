import TestSupport
import Testing

@testable import Recording

@Suite("The age of what was recorded")
struct RecordAgeTests {
    private static let (minute, hour, day): (Int64, Int64, Int64) = (60_000, 3_600_000, 86_400_000)
    private static let year = 365 * day
    /// 2026-01-01T00:00:00Z.
    private static let start: Int64 = 1_767_225_600_000

    /// Stretches by their length, and by how much the clock jumped before each.
    private func record(_ stretches: [(length: Int64, jump: Int64)]) -> RecordAge {
        var lines: [ClockLine] = []
        var (running, wall): (Int64, Int64) = (0, Self.start)
        for stretch in stretches {
            wall += stretch.jump
            lines.append(ClockLine(began: running, ended: running + stretch.length, wall: wall))
            running += stretch.length
            wall += stretch.length
        }
        return RecordAge(lines)
    }

    private func erases(_ wall: Int64, _ record: RecordAge, _ age: Int64) -> Bool {
        record.erasable(olderThan: age).contains { $0.contains(wall) }
    }

    @Test("counts by the wall clock as long as that runs without a jump")
    func steady() {
        let record = record([(100 * Self.day, 0)])
        #expect(record.believedNow == Self.start + 100 * Self.day)
        #expect(record.erasable(olderThan: 30 * Self.day) == [.min..<Self.start + 70 * Self.day])
    }

    @Test("does not change when the clock is ahead for less than a day, and continues when it is right again")
    func ahead() {
        let before = record([(10 * Self.day, 0)])
        let jumped = record([(10 * Self.day, 0), (23 * Self.hour, 2 * Self.year)])
        #expect(!erases(Self.start, before, 30 * Self.day))
        #expect(!erases(Self.start, jumped, 30 * Self.day))
        let corrected = record([
            (10 * Self.day, 0), (23 * Self.hour, 2 * Self.year), (Self.hour, -2 * Self.year),
        ])
        #expect(corrected.believedNow == Self.start + 11 * Self.day)
    }

    @Test("goes by a new time when that was believed for a day")
    func believed() {
        let record = record([(10 * Self.day, 0), (Self.day + Self.minute, 2 * Self.year)])
        #expect(record.believedNow == Self.start + 11 * Self.day + Self.minute + 2 * Self.year)
        #expect(erases(Self.start, record, 30 * Self.day))
        #expect(erases(Self.start + 9 * Self.day - 1, record, 30 * Self.day))
        // The clock may have been wrong on the last day before; that goes when it has been recorded for so long.
        #expect(!erases(Self.start + 9 * Self.day, record, 30 * Self.day))
    }

    @Test("of what was recorded in 2015 counts from when it was recorded, not from 2015")
    func deadBattery() {
        let past = -11 * Self.year
        let corrected = record([(20 * Self.minute, past), (40 * Self.day, -past)])
        #expect(!erases(Self.start + past, corrected, 60 * Self.day))
        #expect(!erases(Self.start + past + 10 * Self.minute, corrected, 60 * Self.day))
        #expect(erases(Self.start + past, record([(20 * Self.minute, past), (61 * Self.day, -past)]), 60 * Self.day))
    }

    @Test("lets what was recorded in the future go, too, when it is old enough")
    func future() {
        let ahead = Self.start + 10 * Self.day + 2 * Self.year
        let stretches = [(10 * Self.day, 0), (Self.hour, 2 * Self.year), (20 * Self.day, -2 * Self.year)]
        #expect(!erases(ahead, record(stretches), 30 * Self.day))
        #expect(erases(ahead, record(stretches + [(11 * Self.day, 0)]), 30 * Self.day))
        #expect(!erases(Self.start + 31 * Self.day, record(stretches + [(11 * Self.day, 0)]), 30 * Self.day))
    }

    @Test("knows nothing of a record that has nothing")
    func empty() {
        #expect(RecordAge([]).erasable(olderThan: 0).isEmpty)
        #expect(RecordAge([]).believedNow == nil)
    }

    // MARK: Random histories

    /// A stretch with the true time beside what the wall clock showed.
    private struct Stretch {
        var line: ClockLine
        var truth: Int64
    }

    /// A history in which the clock is never wrong for a whole day of recording.
    private func history(_ random: inout SeededGenerator) -> [Stretch] {
        let errors = [
            2 * Self.year, -11 * Self.year, 70 * Self.year, Self.day, -Self.day, Self.hour, -Self.hour, 3 * Self.minute,
            -40 * Self.day, 40 * Self.day,
        ]
        var stretches: [Stretch] = []
        var (running, truth): (Int64, Int64) = (0, Self.start)
        var wrong: Int64 = 0
        for _ in 0..<Int.random(in: 2...40, using: &random) {
            // Nothing is recorded for a while, now and then.
            if Bool.random(using: &random) { truth += Int64.random(in: 0...20 * Self.day, using: &random) }
            let isWrong = Bool.random(using: &random)
            var length = Int64.random(in: 0...(isWrong ? Self.day : 20 * Self.day), using: &random)
            var error: Int64 = 0
            if isWrong {
                length = min(length, Self.day - 1 - wrong)
                wrong += length
                error = errors.randomElement(using: &random) ?? 0
            } else {
                wrong = 0
            }
            let line = ClockLine(began: running, ended: running + length, wall: truth + error)
            stretches.append(Stretch(line: line, truth: truth))
            running += length
            truth += length
        }
        return stretches
    }

    @Test("never makes anything older than it is, in 20 000 histories of clocks that are wrong for less than a day")
    func neverTooEarly() {
        var random = SeededGenerator(seed: 13)
        var erased = 0
        for round in 0..<20_000 {
            let stretches = history(&random)
            guard let last = stretches.last else { continue }
            let age = [Self.hour, Self.day, 30 * Self.day, 100 * Self.day][round % 4]
            let record = RecordAge(stretches.map(\.line))
            let present = last.line.offset + last.line.ended
            let ranges = record.erasable(olderThan: age, present: present)
            let now = last.truth + last.line.ended - last.line.began
            for stretch in stretches {
                let length = stretch.line.ended - stretch.line.began
                for share in [0, length / 3, length]
                where ranges.contains(where: { $0.contains(stretch.line.wall + share) }) {
                    erased += 1
                    let trueAge = now - stretch.truth - share
                    guard trueAge < age else { continue }
                    Issue.record("round \(round): \(trueAge) ms old, and erased after \(age) ms")
                    return
                }
            }
        }
        #expect(erased > 20_000, "nothing was erased at all")
    }

    @Test("lets everything go in the end, whatever the clock did before it was steady")
    func inTheEnd() {
        var random = SeededGenerator(seed: 14)
        for round in 0..<2000 {
            var stretches = history(&random)
            guard let last = stretches.last else { continue }
            let (began, age) = (last.line.ended, 30 * Self.day)
            let wall = last.truth + last.line.ended - last.line.began
            stretches.append(
                Stretch(line: ClockLine(began: began, ended: began + age + Self.hour, wall: wall), truth: wall))
            let ranges = RecordAge(stretches.map(\.line)).erasable(olderThan: age)
            for stretch in stretches.dropLast() {
                let line = stretch.line
                // But for what has the times of the steady stretch, or nearly.
                let steady = wall - Self.hour...wall + age + 2 * Self.hour
                for time in [line.wall, line.offset + line.ended] where !steady.contains(time) {
                    guard !ranges.contains(where: { $0.contains(time) }) else { continue }
                    Issue.record("round \(round): \(time) is kept")
                    return
                }
            }
        }
    }

    @Test("is made of ranges as sets are")
    func ranges() {
        var random = SeededGenerator(seed: 15)
        func some() -> [Range<Int64>] {
            (0..<Int.random(in: 0...5, using: &random)).map { _ in
                let start = Int64.random(in: 0...30, using: &random)
                return start..<start + Int64.random(in: 0...9, using: &random)
            }
        }
        for _ in 0..<5000 {
            let (wanted, unwanted) = (some(), some())
            let found = WallRanges.difference(wanted, unwanted)
            for time in Int64(-1)...41 {
                let isWanted = wanted.contains { $0.contains(time) } && !unwanted.contains { $0.contains(time) }
                guard found.contains(where: { $0.contains(time) }) == isWanted else {
                    Issue.record("\(time) of \(wanted) without \(unwanted)")
                    return
                }
            }
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
        }
    }
}
