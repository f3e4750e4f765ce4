import TestSupport
import Testing

@testable import Recording

@Suite("When what waits is written")
struct BatchPacerTests {
    @Test("is at once after a quiet time, because the next value may be further away than the promised second")
    func quiet() {
        #expect(BatchPacer.delay(sinceLast: BatchPacer.limit, lastCount: 1) == nil)
        #expect(BatchPacer.delay(sinceLast: .seconds(3600), lastCount: 1000) == nil)
    }

    @Test("is else with a later value, the nearer to the promised second the more values come", arguments: 0...2000)
    func window(lastCount: Int) throws {
        let delay = try #require(BatchPacer.delay(sinceLast: .milliseconds(300), lastCount: lastCount))
        #expect(delay.most == .milliseconds(950))
        #expect(delay.least >= .milliseconds(600) && delay.least <= delay.most)
        // At 640 values a second one comes in every 1.6 ms.
        if lastCount >= 640 { #expect(delay.most - delay.least <= .milliseconds(4)) }
        // Four values a second, of which one comes within a third of a second.
        if lastCount <= 4 { #expect(delay.most - delay.least == .milliseconds(350)) }
    }

    @Test("is at once for an alarm, but not ten times a second for a flood of them")
    func alarms() async throws {
        let (running, writes) = (RunningLoop(), TestSupport.Recorder<Void>())
        let pacer = BatchPacer(on: running.loop) { writes.record(()) }
        await running.run { _ in
            pacer.hasten()
            #expect(writes.count == 1)
            pacer.begin(after: 1)
            for _ in 0..<100 { pacer.hasten() }
            #expect(writes.count == 1)
        }
        try await awaitCondition("the alarms are written") { writes.count == 2 }
    }

    @Test("comes once for the items of a batch, and again for those of the next one")
    func batches() async throws {
        let (running, writes) = (RunningLoop(), TestSupport.Recorder<Void>())
        let pacer = BatchPacer(on: running.loop) { writes.record(()) }
        await running.run { _ in
            pacer.begin(after: 0)
            #expect(writes.count == 1)
            pacer.begin(after: 1)
            pacer.begin(after: 1)
            #expect(writes.count == 1)
        }
        try await awaitCondition("the second batch is written") { writes.count == 2 }
        // No item came in time to have it written, so the next one is written at once, and a batch ends with such items.
        await running.run { _ in
            pacer.begin(after: 1)
            #expect(writes.count == 3)
            pacer.begin(after: 1)
            #expect(writes.count == 3)
        }
    }
}
