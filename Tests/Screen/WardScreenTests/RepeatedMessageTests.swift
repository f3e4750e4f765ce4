import TestSupport
import Testing
import Vitals

@testable import Ward
@testable import WardMessages

/// Brokers may deliver a message again, and later than younger ones.
@Suite("Messages that come again, late and in any order")
struct RepeatedMessageTests {
    /// A bed that lived for half a minute, and everything that it has sent.
    private struct Past {
        var small: SmallWard
        var random: SeededGenerator
        var sent: [Message] = []

        init(seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            small = try SmallWard()
            for second in 0..<30 {
                if second % 7 == 3 { small.monitor.sound = second % 2 == 0 ? .off : .paused(secondsLeft: 60) }
                if second % 7 == 6 { small.monitor.sound = .on }
                if second % 3 == 1 { deliver([small.monitor.changeAlarm(&random, small.now)]) }
                if second % 11 == 5 { deliver([small.monitor.birth(nil, small.now)]) }
                for _ in 0..<5 {
                    small.now += 200
                    deliver(small.monitor.run(to: small.now))
                    small.handle(small.ward.advance(to: small.moment))
                }
            }
        }

        private mutating func deliver(_ messages: [Message]) {
            sent += messages
            messages.forEach { small.deliver($0) }
        }

        /// Everything once more, and half of it twice.
        mutating func repeated() -> [Message] {
            (sent + sent.filter { _ in Bool.random(using: &random) }).shuffled(using: &random)
        }
    }

    /// What a nurse learns of the bed.
    private struct Knowledge: Equatable, CustomTestStringConvertible {
        var link: BedLink?
        var values: [Vital: BedState.HeldVital]?
        var alarms: [WardAlarm]?
        var sound: WardSound?
        var lastHeard: Moment?
        var log: Int
        var lines: [String]

        init(_ small: SmallWard) {
            (link, values, alarms) = (small.state?.link, small.state?.values, small.state?.alarms)
            (sound, lastHeard) = (small.state?.sound, small.state?.lastHeard)
            (log, lines) = (small.ward.log.count, small.lines(rows: 24))
        }

        var testDescription: String { lines.joined(separator: "\n") }
    }

    @Test("change nothing of a bed that is live", .computing, arguments: RandomCases.share(4, of: UInt64(1)...40))
    func live(seed: UInt64) throws {
        var past = try Past(seed: seed)
        let before = Knowledge(past.small)
        #expect(before.link == .live && before.values?.count == 2)
        for message in past.repeated() {
            past.small.deliver(message)
            #expect(Knowledge(past.small) == before)
        }
    }

    @Test(
        "do not bring a silent bed back, nor date it", .computing, arguments: RandomCases.share(4, of: UInt64(1)...40))
    func silent(seed: UInt64) throws {
        var past = try Past(seed: seed)
        past.small.pass(8, isHeard: false)
        let before = Knowledge(past.small)
        #expect(before.link == .noLink)
        for message in past.repeated() {
            past.small.deliver(message)
            #expect(Knowledge(past.small) == before)
        }
    }

    @Test("end as if they had come in order", .computing, arguments: RandomCases.share(4, of: UInt64(1)...40))
    func disorder(seed: UInt64) throws {
        var past = try Past(seed: seed)
        // What was sent within the last second may overtake itself on its way.
        var orderly = past.small
        for turn in 0..<20 {
            let begin = past.small.now
            var sent: [Message] = []
            past.small.monitor.sound = turn % 3 == 0 ? .off : .on
            for step in 1...5 {
                sent += past.small.monitor.run(to: begin + Int64(step) * 200)
                if step == 3 { sent.append(past.small.monitor.changeAlarm(&past.random, begin + 600)) }
            }
            (orderly.now, past.small.now) = (begin + 1000, begin + 1000)
            sent.forEach { orderly.deliver($0) }
            for message in (sent + sent).shuffled(using: &past.random) { past.small.deliver(message) }
            let (one, other) = (Knowledge(orderly), Knowledge(past.small))
            #expect(one.values == other.values && one.alarms == other.alarms && one.sound == other.sound)
            #expect(one.link == other.link && one.lastHeard == other.lastHeard)
        }
    }
}
