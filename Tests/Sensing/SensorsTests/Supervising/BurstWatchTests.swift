import TestSupport
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("Values of one sensor that come at once after a silence")
struct BurstWatchTests {
    /// A sensor's pace: when it sends, in milliseconds.
    struct Pace: CustomTestStringConvertible, Sendable {
        var testDescription: String
        /// How long between two bundles at least and at most, and how many values one has.
        var pause: ClosedRange<Int64>
        var size: ClosedRange<Int>

        func times(_ random: inout SeededGenerator, from start: Int64, until end: Int64) -> [Int64] {
            var times: [Int64] = []
            var time = start
            while time < end {
                // Several notifications of one connection event come within some milliseconds.
                times += (0..<Int.random(in: size, using: &random)).map { time + Int64($0) * 3 }
                time += Int64.random(in: pause, using: &random)
            }
            return times
        }
    }

    static let steady = [
        Pace(testDescription: "a strap, each second", pause: 990...1010, size: 1...1),
        Pace(testDescription: "a strap, each beat", pause: 700...1100, size: 1...1),
        Pace(testDescription: "ten a second", pause: 90...110, size: 1...1),
        Pace(testDescription: "sixty a second", pause: 15...18, size: 1...1),
        Pace(testDescription: "CORE, every two seconds", pause: 1900...2100, size: 1...1),
        Pace(testDescription: "every five seconds", pause: 4900...5100, size: 1...1),
        Pace(testDescription: "three at once each second", pause: 990...1010, size: 3...3),
        Pace(testDescription: "two or three at once every four seconds", pause: 3900...4100, size: 2...3),
    ]
    static let unsteady = [
        Pace(testDescription: "at any time", pause: 300...9000, size: 1...1),
        Pace(testDescription: "when somebody measures", pause: 3000...90_000, size: 1...1),
        Pace(testDescription: "bundles at any time", pause: 400...20_000, size: 1...4),
    ]

    /// What became of a value: when it was sent, and whether it counts as one that waited.
    struct Outcome: Equatable {
        var sentAt: Int64
        var isLate: Bool
    }

    /// Passes values through a watch as its session does.
    private func outcomes(of values: [(sentAt: Int64, at: Int64)]) -> [Outcome] {
        var watch = BurstWatch()
        var (outcomes, held): ([Outcome], [Int64]) = ([], [])
        var due: Int64?
        func release(at now: Int64) {
            let verdict = watch.decide(at: at(Double(now) / 1000))
            due = verdict == .burst ? now + 250 : nil
            guard verdict != .burst else { return }
            outcomes += held.map { Outcome(sentAt: $0, isLate: verdict == .waited) }
            held = []
        }
        for value in values {
            while let time = due, time <= value.at { release(at: time) }
            if watch.arrived(at: at(Double(value.at) / 1000)) != nil { due = value.at + 250 }
            if watch.isHolding {
                held.append(value.sentAt)
            } else {
                outcomes.append(Outcome(sentAt: value.sentAt, isLate: false))
            }
        }
        while let time = due { release(at: time) }
        return outcomes
    }

    @Test("are never doubted at the sensor's own pace, be it steady or not", arguments: steady + unsteady)
    func healthy(pace: Pace) {
        for seed in 0..<40 {
            var random = SeededGenerator(seed: UInt64(seed))
            let times = pace.times(&random, from: 0, until: 120_000)
            let outcomes = outcomes(of: times.map { ($0, $0) })
            #expect(outcomes == times.map { Outcome(sentAt: $0, isLate: false) })
        }
    }

    @Test(
        "have waited where a steady sensor was silent for much longer; none is lost or changes places",
        arguments: steady)
    func heldUp(pace: Pace) {
        for seed in 0..<40 {
            var random = SeededGenerator(seed: UInt64(seed))
            let begin = Int64.random(in: 30_000...60_000, using: &random)
            // Long enough for twice as much as it sends at once.
            let shortest = max(2000, pace.pause.upperBound * 7 / 2) + pace.pause.upperBound
            let end = begin + Int64.random(in: shortest...shortest + 25_000, using: &random)
            let times = pace.times(&random, from: 0, until: 120_000)
            var last = Int64.min
            let values = times.map { sent in
                // What waited comes a millisecond apart, before what is sent next.
                last = max((begin..<end).contains(sent) ? end : sent, last + 1)
                return (sentAt: sent, at: last)
            }
            let outcomes = outcomes(of: values)
            #expect(outcomes.map(\.sentAt) == times)
            let waited = outcomes.filter { (begin..<end - 500).contains($0.sentAt) }
            #expect(!waited.isEmpty && waited.allSatisfy(\.isLate), "\(begin)..<\(end): \(outcomes)")
            // What was sent soon after it cannot be told apart from it.
            let others = outcomes.filter { $0.sentAt < begin || $0.sentAt >= end + 3000 }
            #expect(others.allSatisfy { !$0.isLate })
        }
    }

    @Test("are of now where only one comes after a silence, be it ever so long")
    func one() {
        let times = (0..<10).map { Int64($0) * 1000 } + [40_000, 41_000, 42_000]
        #expect(outcomes(of: times.map { ($0, $0) }).allSatisfy { !$0.isLate })
    }

    @Test("are doubted after a silence of bus or daemon, whatever the pace was")
    func doubted() {
        var watch = BurstWatch()
        #expect(watch.arrived(at: at(0)) == nil)
        watch.doubt(until: at(9))
        #expect(watch.arrived(at: at(9.1)) == at(9))
        #expect(watch.arrived(at: at(9.101)) == nil)
        #expect(watch.decide(at: at(9.35)) == .burst)
        #expect(watch.decide(at: at(9.6)) == .waited)
        #expect(watch.arrived(at: at(10.1)) == nil && !watch.isHolding)
    }
}
