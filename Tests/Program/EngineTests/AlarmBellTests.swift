import EventLoops
import Monitoring
import TestSupport
import Testing

@testable import Engine

@Suite("The bell")
struct AlarmBellTests {
    /// A bell on a loop of its own, and the count of its rings.
    private actor Bell {
        nonisolated let loop: EventLoop
        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
        private(set) var rings = 0
        private var bell: AlarmBell?

        init(_ loop: EventLoop) {
            self.loop = loop
        }

        func hang() {
            bell = AlarmBell(on: loop) { [weak self] in self?.assumeIsolated { $0.rings += 1 } }
        }

        /// Does something, and answers how often that rang at once.
        func does(_ action: @Sendable (AlarmBell) -> Void) -> Int {
            let before = rings
            if let bell { action(bell) }
            return rings - before
        }
    }

    private let running = RunningLoop()

    private func bell() async -> Bell {
        let bell = Bell(running.loop)
        await bell.hang()
        return bell
    }

    @Test(
        "rings ten times in two groups of five for high, three times for medium, once for low",
        arguments: [(AlarmPriority.high, 10), (.medium, 3), (.low, 1)])
    func patterns(priority: AlarmPriority, rings: Int) {
        let pauses = AlarmBell.pauses(priority)
        #expect(pauses.count + 1 == rings)
        // The shortest time from the beginning of one burst to the next that can be set is 2.5 s.
        #expect(pauses.reduce(0, +) < 2500)
        if priority == .high {
            #expect(pauses[4] == pauses.max() && pauses.prefix(4) == pauses.suffix(4))
            #expect(pauses.prefix(4).allSatisfy { $0 < pauses[4] })
        }
    }

    @Test("rings at once, and the rest of a burst by the loop's timers")
    func burst() async throws {
        let bell = await bell()
        #expect(await bell.does { $0.burst(.medium) } == 1)
        try await awaitCondition("the burst is whole") { await bell.rings == 3 }
        // What is over has no timer left, so that a reminder sounds.
        #expect(await bell.does { $0.remind() } == 1)
    }

    @Test("stops at once, and a new burst replaces the current one")
    func stopping() async throws {
        let bell = await bell()
        // In one go, for the loop's timers wait until that is over.
        let rings = await bell.does {
            $0.burst(.high)
            $0.remind()
            $0.burst(.low)
            $0.burst(.high)
            $0.stop()
        }
        #expect(rings == 3)
        #expect(await bell.does { $0.burst(.medium) } == 1)
        try await awaitCondition("the burst is whole") { await bell.rings == 6 }
    }
}
