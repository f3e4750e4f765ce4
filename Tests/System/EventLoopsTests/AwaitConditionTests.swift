import TestSupport
import Testing

@Suite("Waiting for a condition")
struct AwaitConditionTests {
    private let running = RunningLoop()

    @Test("looks each time on the caller's thread, to which belongs what the condition uses")
    func thread() async throws {
        try await running.run { actor in
            let loop = actor.loop
            var looks: [Bool] = []
            try await awaitCondition("there have been some looks") {
                looks.append(loop.isOnLoop)
                return looks.count == 5
            }
            #expect(looks == [true, true, true, true, true])
            #expect(loop.isOnLoop)
        }
    }

    @Test("gives up in the end")
    func end() async throws {
        await #expect(throws: ConditionNotMet.self) {
            try await awaitCondition("nothing", within: .milliseconds(1)) { false }
        }
    }
}
