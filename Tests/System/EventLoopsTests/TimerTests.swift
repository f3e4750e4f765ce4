import EventLoops
import TestSupport
import Testing

@Suite("Timers of an event loop", .timeLimit(.minutes(10)))
struct TimerTests {
    let running = RunningLoop()
    let seen = Recorder<String>()

    @Test("fire in the order of their times, and in the order of their making where the times are equal")
    func order() async throws {
        await running.run { [seen] actor in
            let now = Timestamp.monotonicNow()
            for (name, due) in [("c", 3), ("a", 1), ("b1", 2), ("b2", 2), ("past", -5)] as [(String, Int64)] {
                _ = actor.loop.schedule(at: now + due * 1_000_000) { seen.record(name) }
            }
        }
        try await awaitCondition("all have fired") { seen.count == 5 }
        #expect(seen.elements == ["past", "a", "b1", "b2", "c"])
    }

    @Test("do not fire before their time")
    func punctuality() async throws {
        let early = Recorder<Bool>()
        await running.run { actor in
            for milliseconds in 1...5 {
                let due = Timestamp.monotonicNow() + Int64(milliseconds) * 1_000_000 + 300_000
                _ = actor.loop.schedule(at: due) { early.record(Timestamp.monotonicNow() < due) }
            }
        }
        try await awaitCondition("all have fired") { early.count == 5 }
        #expect(early.elements == Array(repeating: false, count: 5))
    }

    @Test("may be cancelled in the handler of one that is due at the same time")
    func cancelInHandler() async throws {
        await running.run { [seen] actor in
            let loop = actor.loop
            let now = Timestamp.monotonicNow()
            let victim = TimerBox()
            _ = loop.schedule(at: now) {
                seen.record("canceller")
                if let timer = victim.timer { loop.cancel(timer) }
            }
            victim.timer = loop.schedule(at: now) { seen.record("victim") }
            _ = loop.schedule(at: now) { seen.record("last") }
        }
        try await awaitCondition("the last has fired") { seen.elements.last == "last" }
        #expect(seen.elements == ["canceller", "last"])
    }

    @Test("may be added in a handler, and then do not fire in the same turn for ever")
    func addInHandler() async throws {
        let other = LoopActor(loop: running.loop)
        await running.run { [seen] actor in
            let chain = TimerChain(loop: actor.loop, seen: seen)
            chain.next()
        }
        try await awaitCondition("the chain goes on") { seen.count >= 10 }
        // The endless chain leaves jobs their turn.
        await other.stopChain(seen)
        let stopped = await other.loopIsOnLoop
        #expect(stopped)
    }

    @Test("whose time is beyond all bounds neither trap nor fire")
    func extremes() async throws {
        await running.run { [seen] actor in
            let timers = [
                actor.loop.schedule(at: .max) { seen.record("max") },
                actor.loop.schedule(after: .seconds(Int64.max)) { seen.record("longest") },
            ]
            _ = actor.loop.schedule(after: .seconds(-5)) {
                seen.record("negative")
                _ = actor.loop.schedule(at: .min) { seen.record("min") }
            }
            withExtendedLifetime(timers) {}
        }
        try await awaitCondition("those of the past have fired") { seen.count == 2 }
        #expect(seen.elements == ["negative", "min"])
    }

    @Test("let go of their handlers when cancelled, whose end may cancel more")
    func cancelEndsHandler() async throws {
        await running.run { [seen] actor in
            let loop = actor.loop
            let timer: LoopTimer
            do {
                let guardian = Guardian {
                    seen.record("ended")
                    loop.cancel(loop.schedule(after: .seconds(60)) {})
                }
                timer = loop.schedule(after: .seconds(60)) { withExtendedLifetime(guardian) {} }
            }
            #expect(seen.count == 0)
            loop.cancel(timer)
        }
        #expect(seen.elements == ["ended"])
    }

    @Test("make a task sleep on the loop, unless it is cancelled")
    func sleep() async throws {
        let isLater = try await running.run { actor in
            let before = Timestamp.monotonicNow()
            try await actor.loop.sleep(for: .milliseconds(2))
            return Timestamp.monotonicNow() >= before + 2_000_000
        }
        #expect(isLater)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await running.run { try await $0.loop.sleep(for: .seconds(60)) }
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
    }
}

extension LoopActor {
    fileprivate func stopChain(_ seen: Recorder<String>) {
        seen.record("stop")
    }

    fileprivate var loopIsOnLoop: Bool { loop.isOnLoop }
}

/// A timer that becomes known after the handler that cancels it has been made.
private final class TimerBox {
    var timer: LoopTimer?
}

/// A timer whose handler makes the next one at once, until it is stopped.
private final class TimerChain {
    let loop: EventLoop
    let seen: Recorder<String>

    init(loop: EventLoop, seen: Recorder<String>) {
        self.loop = loop
        self.seen = seen
    }

    func next() {
        _ = loop.schedule(after: .zero) {
            if self.seen.elements.contains("stop") { return }
            self.seen.record("link")
            self.next()
        }
    }
}

/// Calls a closure at its own end.
final class Guardian {
    private let atEnd: () -> Void

    init(atEnd: @escaping () -> Void) {
        self.atEnd = atEnd
    }

    deinit {
        atEnd()
    }
}
