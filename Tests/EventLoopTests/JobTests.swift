import EventLoop
import TestSupport
import Testing

@Suite("Jobs of an event loop", .timeLimit(.minutes(1)))
struct JobTests {
    @Test("run on the loop's thread")
    func thread() async {
        let running = RunningLoop()
        #expect(!running.loop.isOnLoop)
        let isOnLoop = await running.run { $0.loop.isOnLoop }
        #expect(isOnLoop)
    }
}
