import EventLoops
import Glibc
import TestSupport
import Testing

@Suite("Jobs of an event loop", .timeLimit(.minutes(10)))
struct JobTests {
    @Test("run on the loop's thread, and the caller continues elsewhere")
    func thread() async {
        let running = RunningLoop()
        #expect(!running.loop.isOnLoop)
        let isOnLoop = await running.run { $0.loop.isOnLoop }
        #expect(isOnLoop)
        #expect(!running.loop.isOnLoop)
    }

    @Test("run in the order in which they were queued")
    func order() async {
        let running = RunningLoop()
        let seen = Recorder<Int>()
        await running.run { actor in
            let tasks = (0..<100).map { number in
                Task {
                    // Isolated to the same actor, so that it runs on the loop.
                    _ = actor.loop
                    seen.record(number)
                }
            }
            for task in tasks { await task.value }
        }
        #expect(seen.elements == Array(0..<100))
    }

    @Test("that were queued before the loop runs are run when it does")
    func early() async {
        let loop = EventLoop()
        let task = Task { await LoopActor(loop: loop).isolatedAnswer(42) }
        loop.startThread(named: "late loop")
        #expect(await task.value == 42)
        loop.stop()
    }

    @Test("may assume the isolation of any actor of the loop, also from a timer, which is no task")
    func assumedIsolation() async {
        let running = RunningLoop()
        let other = LoopActor(loop: running.loop)
        let answers = Recorder<Int>()
        await running.run { actor in
            answers.record(countNow(1, in: other))
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                _ = actor.loop.schedule(after: .zero) {
                    answers.record(countNow(2, in: other))
                    done.resume()
                }
            }
        }
        #expect(answers.elements == [1, 2])
    }

    @Test("read an AsyncStream on the loop's thread, though it is fed from another one")
    func stream() async {
        let running = RunningLoop()
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        let reader = Task {
            await running.run { actor in
                var total = 0
                var isAlwaysOnLoop = true
                for await number in stream {
                    total += number
                    isAlwaysOnLoop = isAlwaysOnLoop && actor.loop.isOnLoop
                }
                return isAlwaysOnLoop ? total : -1
            }
        }
        for number in 1...1000 { continuation.yield(number) }
        continuation.finish()
        #expect(await reader.value == 500_500)
    }

    @Test("are never left asleep, whatever thread queues them and whenever")
    func wakeUps() async {
        let running = RunningLoop()
        let counter = CountingActor(loop: running.loop)
        // Each waits for its own answer, so a single lost wake-up hangs its sender.
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    for _ in 0..<2500 { await counter.increment() }
                }
            }
        }
        #expect(await counter.count == 20_000)
    }

    @Test("that are queued before stop() are run, and the thread ends")
    func stop() async throws {
        weak var ended: EventLoop?
        do {
            let loop = EventLoop()
            ended = loop
            loop.startThread(named: "stopping loop")
            let answer = await LoopActor(loop: loop).isolatedAnswer(7)
            #expect(answer == 7)
            loop.stop()
        }
        try await awaitCondition("the thread lets go of its loop") { ended == nil }
    }

    @Test("may stop the loop from within")
    func stopFromWithin() async throws {
        let loop = EventLoop()
        let ended = Recorder<Bool>()
        let runner = Task.detached {
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                spawnThread {
                    loop.run()
                    ended.record(true)
                    done.resume()
                }
            }
        }
        await LoopActor(loop: loop).stopLoop()
        await runner.value
        #expect(ended.elements == [true])
    }
}

extension LoopActor {
    fileprivate func isolatedAnswer(_ number: Int) -> Int {
        loop.isOnLoop ? number : -1
    }

    fileprivate func count(_ number: Int) -> Int {
        loop.isOnLoop ? number : -1
    }

    fileprivate func stopLoop() {
        loop.stop()
    }
}

private func countNow(_ number: Int, in actor: LoopActor) -> Int {
    actor.assumeIsolated { $0.count(number) }
}

private actor CountingActor {
    nonisolated let loop: EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }
    private(set) var count = 0

    init(loop: EventLoop) {
        self.loop = loop
    }

    func increment() {
        count += 1
    }
}

/// Runs a closure on a new thread.
private func spawnThread(_ body: @escaping @Sendable () -> Void) {
    final class Box {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) {
            self.body = body
        }
    }
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(body)).toOpaque()
    pthread_create(
        &thread, nil,
        { argument in
            if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
            return nil
        }, box)
    pthread_detach(thread)
}
