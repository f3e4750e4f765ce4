import BlueZ
import EventLoops
import Monitoring
import Synchronization
import TestSupport
import Testing
import Vitals

@testable import Engine

@Suite("The inbox for events of another thread", .timeLimit(.minutes(10)))
struct EventInboxTests {
    private let running = RunningLoop()

    /// What an inbox has handed over, by the monotonic times that stand for the events here.
    private actor Reader {
        var batches: [[Int64]] = []
        private var inbox: EventInbox?
        private let loop: EventLoop

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        init(_ loop: EventLoop) {
            self.loop = loop
        }

        func begin(_ events: BroadcastSequence<MonitorEvent>) {
            inbox = EventInbox(events, on: loop) { [weak self] batch in
                self?.assumeIsolated { $0.batches.append(batch.map(\.moment.monotonicNanoseconds)) }
            }
        }

        /// Keeps the reader's thread busy while something happens.
        func busy(_ body: @Sendable () -> Void) { body() }

        func takeNow() {
            if let events = inbox?.drain(), !events.isEmpty {
                batches.append(events.map(\.moment.monotonicNanoseconds))
            }
        }

        func close() { inbox?.close() }

        func count() -> Int { batches.reduce(0) { $0 + $1.count } }
    }

    private func event(_ number: Int64) -> MonitorEvent {
        MonitorEvent(moment: Moment(monotonicNanoseconds: number, wallMilliseconds: 0), kind: .tick)
    }

    @Test("nothing is lost or reordered, whichever side receives it")
    func order() async throws {
        let broadcast = Broadcast<MonitorEvent>()
        let reader = Reader(running.loop)
        await reader.begin(broadcast.subscribe())
        for number in 0..<20_000 {
            broadcast.send(event(Int64(number)))
            if number.isMultiple(of: 500) { await reader.takeNow() }
        }
        try await awaitCondition("all handed over") { await reader.count() == 20_000 }
        #expect(await reader.batches.flatMap { $0 } == Array(0..<20_000))
    }

    @Test("many events at once come in few batches, and one after a quiet time comes alone")
    func batches() async throws {
        let broadcast = Broadcast<MonitorEvent>()
        let reader = Reader(running.loop)
        await reader.begin(broadcast.subscribe())
        // The reader's thread is busy meanwhile, as the screen's is while it draws.
        await reader.busy { for number in 0..<1000 { broadcast.send(event(Int64(number))) } }
        try await awaitCondition("all handed over") { await reader.count() == 1000 }
        #expect(await reader.batches.count == 1)
        broadcast.send(event(1000))
        try await awaitCondition("all handed over") { await reader.count() == 1001 }
        #expect(await reader.batches.last == [1000])
    }

    @Test("what came before it began is handed over, and nothing after it was closed")
    func ends() async throws {
        let broadcast = Broadcast<MonitorEvent>()
        let events = broadcast.subscribe(startingWith: [event(1)])
        broadcast.send(event(2))
        let reader = Reader(running.loop)
        await reader.begin(events)
        try await awaitCondition("all handed over") { await reader.batches == [[1, 2]] }
        await reader.close()
        broadcast.send(event(3))
        await reader.takeNow()
        #expect(await reader.count() == 2)
    }
}
