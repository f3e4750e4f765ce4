import BlueZ
import DBus
import EventLoops
import TestSupport
import Testing

@testable import BlueZExamples

@Suite("The example of the article")
struct ExampleTests {
    @Test("it scans, connects, subscribes and prints what the strap sends")
    func printsHeartRates() async throws {
        let bus = try PrivateBusDaemon()
        let daemonLoop = RunningLoop()
        let fake = try await FakeBlueZ.start(bus.address, on: daemonLoop.loop)
        try await fake.addAdapter()
        let lines = Recorder<String>()
        let example = Task { try await printHeartRates(bus: .address(bus.address)) { lines.record($0) } }
        defer { example.cancel() }

        try await awaitCondition("a discovery") { fake.calls.elements.contains("StartDiscovery") }
        try await fake.addStrap()
        try await awaitCondition("a connect") { fake.calls.elements.contains("Connect") }
        try await fake.changeDevice([("Connected", .boolean(true))])
        try await fake.addServices()
        try await fake.changeDevice([("ServicesResolved", .boolean(true))])
        try await awaitCondition("a subscription") { fake.calls.elements.contains("StartNotify") }
        try await fake.notify([0x06, 77])
        try await awaitCondition("a line") { lines.count > 0 }
        #expect(lines.elements == ["C0:52:49:00:00:02: [6, 77]"])
    }
}
