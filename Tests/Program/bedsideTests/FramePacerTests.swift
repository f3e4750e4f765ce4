import Monitoring
import TestSupport
import Testing
import Vitals

@testable import bedside

@Suite("The pace of frames")
struct FramePacerTests {
    private static let millisecond: Int64 = 1_000_000

    /// Draws whenever it may, with a change each millisecond from `start` on; answers when frames were drawn.
    private func frames(
        _ pacer: inout FramePacer, from start: Int64 = 0, milliseconds: Int64,
        isUrgent: (Int64) -> Bool = { _ in false },
        answersKey: Bool = false
    ) -> [Int64] {
        var drawn: [Int64] = []
        var due: Int64?
        for time in start..<start + milliseconds {
            let now = time * Self.millisecond
            if let planned = due, planned <= now {
                pacer.drew(now: now)
                drawn.append(time)
                due = nil
            }
            if isUrgent(time) { pacer.hurry() }
            switch pacer.changed(now: now, answersKey: answersKey) {
            case .drawNow:
                pacer.drew(now: now)
                drawn.append(time)
                due = nil
            case .drawAt(let planned): due = planned
            case .wait: break
            }
        }
        return drawn
    }

    @Test("the first change is drawn at once, and a later one after a quiet time too")
    func quiet() {
        var pacer = FramePacer()
        #expect(pacer.changed(now: 5) == .drawNow)
        pacer.drew(now: 5)
        #expect(pacer.changed(now: 5 + FramePacer.shortestInterval) == .drawNow)
    }

    @Test("values that come shortly after each other are drawn within a few milliseconds, however often a second")
    func occasional() {
        var pacer = FramePacer()
        for second: Int64 in 0..<60 {
            for value: Int64 in [0, 5, 11, 400] {
                let now = (second * 1000 + value) * Self.millisecond
                #expect(pacer.changed(now: now) == .drawNow)
                pacer.drew(now: now)
            }
            let next = (second * 1000 + 402) * Self.millisecond
            #expect(pacer.changed(now: next) == .drawAt((second * 1000 + 404) * Self.millisecond))
            pacer.drew(now: (second * 1000 + 404) * Self.millisecond)
        }
    }

    @Test("what changes all the time is drawn five times a second, and a ward fifteen times, after a burst")
    func lasting() {
        var pacer = FramePacer()
        let drawn = frames(&pacer, milliseconds: 10_000)
        #expect(drawn.filter { $0 < 1000 }.count > 8)
        #expect(drawn.filter { $0 >= 5000 }.count == 25)
        var ward = FramePacer(sustainedInterval: FramePacer.sustainedWardInterval)
        #expect((75...76).contains(frames(&ward, milliseconds: 10_000).filter { $0 >= 5000 }.count))
    }

    @Test("frames that are drawn as soon as time alone allows it are as few, and delay no change")
    func byTime() {
        var pacer = FramePacer(sustainedInterval: FramePacer.sustainedWardInterval)
        var now: Int64 = 0
        #expect(pacer.changed(now: now) == .drawNow)
        var frames: [Int64] = []
        while now < 10_000 * Self.millisecond {
            pacer.drew(now: now)
            frames.append(now)
            now = pacer.earliestFrame
        }
        #expect(frames.count { $0 >= 5000 * Self.millisecond } <= 76)
        #expect(pacer.changed(now: now - 1) == .drawAt(now))
    }

    @Test("a key that is held does not delay the values that follow", arguments: [1, 10, 60] as [Int64])
    func heldKey(seconds: Int64) {
        var pacer = FramePacer()
        let answers = frames(&pacer, milliseconds: seconds * 1000, answersKey: true)
        #expect(answers.count >= seconds * 28)
        let values = frames(&pacer, from: seconds * 1000, milliseconds: 2000)
        #expect(values.first.map { $0 <= seconds * 1000 + 200 } == true, "\(values.prefix(3))")
        #expect((9...11).contains(values.count), "\(values)")
    }

    @Test("an alarm that begins or worsens is drawn at once, in a long row of frames and right after one")
    func urgent() {
        for alarm: Int64 in 3000..<3300 {
            var pacer = FramePacer()
            let drawn = frames(&pacer, milliseconds: 3400) { $0 == alarm }
            #expect(drawn.contains(alarm), "an alarm at \(alarm) ms was drawn at \(drawn.suffix(4))")
        }
    }

    @Test("however many alarms begin and keys are pressed, no second has more than thirty frames")
    func bounded() {
        var random = SeededGenerator(seed: 11)
        for frequency in [1.0, 0.5, 0.1, 0.03, 0.01] {
            for answersKey in [true, false] {
                var pacer = FramePacer()
                let drawn = frames(
                    &pacer, milliseconds: 5000,
                    isUrgent: { _ in Double.random(in: 0..<1, using: &random) < frequency }, answersKey: answersKey)
                for first in drawn { #expect(drawn.filter { first <= $0 && $0 < first + 1000 }.count <= 30) }
            }
        }
    }
}
