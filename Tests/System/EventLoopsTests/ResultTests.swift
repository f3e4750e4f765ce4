import EventLoops
import Foundation
import TestSupport
import Testing

@Suite("Work that is waited for with a limit", .timeLimit(.minutes(10)))
struct ResultTests {
    private let running = RunningLoop()

    @Test("gives what it makes")
    func result() async {
        for number in 0..<50 {
            #expect(await running.loop.result(within: .seconds(30)) { number } == number)
        }
    }

    @Test("is left to itself when its thread hangs")
    func hanging() async {
        let gate = DispatchSemaphore(value: 0)
        let answer = await running.loop.result(within: .milliseconds(20)) {
            Self.hang(gate)
            return 1
        }
        #expect(answer == nil)
        gate.signal()
        #expect(await running.loop.result(within: .seconds(30)) { 2 } == 2)
    }

    private static func hang(_ gate: DispatchSemaphore) { gate.wait() }
}
