import BlueZ
import EventLoop
import Monitoring
import Synchronization
import TestSupport
import Testing
import Vitals

@testable import bedside

@Suite("The screen's inbox", .timeLimit(.minutes(1)))
struct EventInboxTests {
    /// The screen's loop, which belongs to the main thread in the program.
    private static let isRunning: Bool = {
        ScreenActor.loop.startThread(named: "screen")
        return true
    }()

    /// What an inbox has handed over, by the monotonic times that stand for the events here.
    @ScreenActor
    private final class Reader {
        var batches: [[Int64]] = []
        private var inbox: EventInbox?

        func begin(_ events: BroadcastSequence<MonitorEvent>) {
            inbox = EventInbox(events) { [weak self] batch in
                self?.batches.append(batch.map(\.moment.monotonicNanoseconds))
            }
        }

        func takeNow() {
            if let events = inbox?.take(), !events.isEmpty { batches.append(events.map(\.moment.monotonicNanoseconds)) }
        }

        func close() { inbox?.close() }

        func count() -> Int { batches.reduce(0) { $0 + $1.count } }
    }

    init() {
        _ = Self.isRunning
    }

    private func event(_ number: Int64) -> MonitorEvent {
        MonitorEvent(moment: Moment(monotonicNanoseconds: number, wallMilliseconds: 0), kind: .tick)
    }

    @Test("nothing is lost and nothing changes its place, whoever takes it")
    func order() async throws {
        let broadcast = Broadcast<MonitorEvent>()
        let reader = Reader()
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
        let reader = Reader()
        await reader.begin(broadcast.subscribe())
        // The screen's thread is busy meanwhile, as it is while it draws.
        await onScreen { for number in 0..<1000 { broadcast.send(event(Int64(number))) } }
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
        let reader = Reader()
        await reader.begin(events)
        try await awaitCondition("all handed over") { await reader.batches == [[1, 2]] }
        await reader.close()
        broadcast.send(event(3))
        await reader.takeNow()
        #expect(await reader.count() == 2)
    }

    @ScreenActor
    private func onScreen(_ body: @Sendable () -> Void) { body() }
}
