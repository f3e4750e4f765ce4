import Testing
import TestSupport

@testable import Base

@Suite("A pace")
struct PaceTests {
    /// When it happens, if it is tried at each of these times.
    private func times(_ pace: Pace, tried: some Sequence<Int64>) -> [Int64] {
        var pace = pace
        return tried.filter { time in
            guard pace.allows(at: time) else { return false }
            pace.count(at: time)
            return true
        }
    }

    @Test("allows one at once, and then one an interval")
    func single() {
        #expect(times(Pace(interval: .nanoseconds(10)), tried: 0...35) == [0, 10, 20, 30])
        #expect(times(Pace(interval: .nanoseconds(10)), tried: [-50, 3, 9, 14, 29]) == [-50, 3, 14, 29])
    }

    @Test("allows a burst after a quiet time, which fills up again by one each interval")
    func burst() {
        let pace = Pace(interval: .nanoseconds(10), burst: 3)
        #expect(times(pace, tried: [0, 0, 0, 0, 9, 10, 11]) == [0, 0, 0, 10])
        #expect(times(pace, tried: [0, 0, 0, 20, 20, 20, 100, 100, 100, 100]) == [0, 0, 0, 20, 20, 100, 100, 100])
    }

    @Test(
        "never allows more than a burst and one for each interval, and never less where it is asked", arguments: 1...9)
    func bounds(burst: Int) {
        var random = SeededGenerator(seed: UInt64(burst))
        let tried = (0..<2000).map { _ in Int64.random(in: 0...10_000, using: &random) }.sorted()
        let found = times(Pace(interval: .nanoseconds(10), burst: burst), tried: tried)
        for (index, time) in found.enumerated() where index >= burst {
            #expect(time - found[index - burst] >= 10, "\(burst + 1) within one interval")
        }
        for time in tried where !found.contains(time) {
            let last = found.last { $0 <= time }
            #expect(last.map { time < $0 + 10 } == true, "\(time) is more than an interval after the one before")
        }
    }

    @Test("delays the next one by one interval at most, however many did not wait for their turn")
    func forced() {
        var pace = Pace(interval: .nanoseconds(10), burst: 4)
        for time in 0..<1000 as Range<Int64> { pace.count(at: time) }
        #expect(pace.next == 999 + 10)
    }

    @Test("holds with times that no clock shows", arguments: [Int64.min, 0, .max])
    func extremes(now: Int64) {
        var pace = Pace(interval: .seconds(1), burst: 40)
        pace.count(at: now)
        pace.count(at: .max)
        _ = (pace.allows(at: .min), pace.allows(at: .max), pace.next)
    }
}

@Test("the delay between attempts doubles up to a bound, and restarts after a success")
func backoff() {
    var backoff = Backoff(first: .milliseconds(250), last: .seconds(1))
    #expect((0..<4).map { _ in backoff.next() } == [.milliseconds(250), .milliseconds(500), .seconds(1), .seconds(1)])
    backoff.reset()
    #expect(backoff.next() == .milliseconds(250))
}
