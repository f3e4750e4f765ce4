import Glibc
import TestSupport
import Testing

@testable import EventLoops

@Suite("A loop that stood still", .timeLimit(.minutes(10)))
struct StallTests {
    private static let second: Int64 = 1_000_000_000

    @Test("is found out by its own turns, from the last sign of life on, and only when it was long")
    func detector() {
        var detector = StallDetector(shortest: 2 * Self.second, now: 0)
        #expect(detector.longestWait == Self.second)
        // Waits of a second at most, and what is done between them.
        for turn in 1...10 { #expect(detector.alive(now: Int64(turn) * Self.second) == nil) }
        #expect(detector.alive(now: 11_999_999_999) == nil)
        #expect(detector.alive(now: 13_999_999_999) == 2 * Self.second)
        #expect(detector.alive(now: 14 * Self.second) == nil)
        #expect(detector.alive(now: 3614 * Self.second) == 3600 * Self.second)
        // Clocks that no computer shows do no harm.
        #expect(detector.alive(now: .min) == nil)
        #expect(detector.alive(now: .max) == .max)
    }

    @Test("says so before it handles what became ready meanwhile, timers and descriptors")
    func order() async throws {
        let running = RunningLoop()
        let seen = Recorder<String>()
        let (reading, writing) = try connectedDescriptors()
        defer { close(writing) }
        await running.run { [seen] actor in
            let loop = actor.loop
            loop.watchStalls(shortest: .milliseconds(50)) { seen.record($0 >= 50_000_000 ? "stall" : "short") }
            let watch = loop.watch(reading, for: .readable) { _ in
                var byte: UInt8 = 0
                _ = read(reading, &byte, 1)
                seen.record("descriptor")
            }
            _ = watch
            _ = loop.schedule(after: .milliseconds(1)) {
                // As long as a stop would last; what comes in it waits.
                var byte: UInt8 = 1
                _ = write(writing, &byte, 1)
                _ = loop.schedule(after: .milliseconds(1)) { seen.record("timer") }
                let end = Timestamp.awakeNow() + 60_000_000
                while Timestamp.awakeNow() < end {}
            }
        }
        try await awaitCondition("all is handled") {
            seen.elements.contains("descriptor") && seen.elements.contains("timer")
        }
        #expect(seen.elements.first == "stall")
        #expect(Set(seen.elements) == ["stall", "timer", "descriptor"])
        await running.run { $0.loop.watchStalls(shortest: .zero) { _ in } }
    }

    @Test("is no loop that waits: an idle one wakes up in time to know that it was alive")
    func idle() {
        var timers = TimerQueue()
        #expect(timers.pollTimeout() == -1)
        #expect(timers.pollTimeout(longest: Self.second) == 1000)
        _ = timers.add(due: Timestamp.monotonicNow() + 3600 * Self.second) {}
        #expect(timers.pollTimeout(longest: Self.second) == 1000)
        _ = timers.add(due: 0) {}
        #expect(timers.pollTimeout(longest: Self.second) == 0)
    }
}
