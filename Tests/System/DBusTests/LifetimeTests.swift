@testable import DBus
import Glibc
import TestSupport
import Testing

@Suite("A connection", .timeLimit(.minutes(10)))
struct LifetimeTests {
    @Test("to a bus that does not exist cannot be made, and the failure says why")
    func noBus() async throws {
        let running = RunningLoop()
        for address in ["unix:path=/nonexistent/bus", "nonsense", "", "unix:path=/nonexistent/\0bus"] {
            let failure = await failure { () async throws(DBusConnectionError) in
                _ = try await DBusConnection.connect(to: .address(address), on: running.loop)
            }
            guard case .cannotConnect(let name, let message)? = failure else {
                Issue.record("\(address) gave \(String(describing: failure))")
                continue
            }
            #expect(name.hasPrefix("org.freedesktop.DBus.Error."))
            #expect(!message.isEmpty)
        }
    }

    @Test("takes well-known names, unless another one has them, and gives them up")
    func names() async throws {
        let bus = try TestBus()
        let (first, second) = (try await bus.connect(), try await bus.connect())
        #expect(first.uniqueName != second.uniqueName)
        #expect(try await first.owner(of: "com.example.Ward") == nil)
        #expect(try await first.requestName("com.example.Ward"))
        #expect(try await first.requestName("com.example.Ward"))
        #expect(try await !second.requestName("com.example.Ward"))
        #expect(try await second.owner(of: "com.example.Ward") == first.uniqueName)
        try await first.releaseName("com.example.Ward")
        #expect(try await second.requestName("com.example.Ward"))
        let failure = await failure { () async throws(DBusConnectionError) in _ = try await first.requestName("no name")
        }
        #expect(failure?.name == "org.freedesktop.DBus.Error.InvalidArgs")
    }

    @Test("whose bus is killed reports it once, fails pending and later calls, and ends its streams")
    func busKilled() async throws {
        let bus = try TestBus()
        let (server, client) = (try await bus.connect(), try await bus.connect())
        try await server.export(
            .root,
            [
                ExportedInterface(
                    "a.B",
                    methods: [
                        ExportedMethod("Sleep") { [loop = bus.running.loop] _ throws(DBusConnectionError) in
                            try? await loop.sleep(for: .seconds(30))
                            return []
                        }
                    ])
            ])
        let stream = try await client.signals(matching: SignalMatch(interface: "a.B"))
        let losses = Recorder<String>()
        await client.onDisconnect { losses.record("first") }
        await client.onDisconnect { losses.record("second") }
        let pending = (0..<5).map { _ in
            Task {
                await failure { () async throws(DBusConnectionError) in
                    try await client.call(server.uniqueName, .root, "a.B", "Sleep")
                }
            }
        }
        let isCalled = { @Sendable in await client.pendingCallCount == 5 }
        try await awaitCondition("the calls are on their way") { await isCalled() }
        bus.daemon.stop()
        for task in pending { #expect(await task.value == .disconnected) }
        for await _ in stream { Issue.record("no signal was sent") }
        #expect(losses.elements == ["first", "second"])
        #expect(await client.isDisconnected)
        let late = await failure { () async throws(DBusConnectionError) in
            try await client.call(server.uniqueName, .root, "a.B", "Sleep")
        }
        #expect(late == .disconnected)
        let emitted = await failure { () async throws(DBusConnectionError) in
            try await client.emit(.root, "a.B", "S", [])
        }
        #expect(emitted == .disconnected)
        await client.onDisconnect { losses.record("late") }
        #expect(losses.elements == ["first", "second", "late"])
        await client.close()
    }

    @Test("can be made anew when the bus has come back at the same address")
    func busReturns() async throws {
        let bus = try TestBus()
        let first = try await bus.connect()
        let losses = Recorder<Bool>()
        await first.onDisconnect { losses.record(true) }
        bus.daemon.stop()
        try await awaitCondition("the loss") { losses.count == 1 }
        let failure = await failure { () async throws(DBusConnectionError) in
            _ = try await DBusConnection.connect(to: .address(bus.daemon.address), on: bus.running.loop)
        }
        #expect(failure?.name != nil)
        try bus.daemon.start()
        let second = try await bus.connect()
        #expect(try await second.owner(of: second.uniqueName) == second.uniqueName)
    }

    @Test("that is closed fails pending calls and calls no other handler")
    func closed() async throws {
        let bus = try TestBus()
        let (server, client) = (try await bus.connect(), try await bus.connect())
        try await server.export(
            .root,
            [
                ExportedInterface(
                    "a.B",
                    methods: [
                        ExportedMethod("Sleep") { [loop = bus.running.loop] _ throws(DBusConnectionError) in
                            try? await loop.sleep(for: .seconds(30))
                            return []
                        }
                    ])
            ])
        let losses = Recorder<Bool>()
        await client.onDisconnect { losses.record(true) }
        let pending = Task {
            await failure { () async throws(DBusConnectionError) in
                try await client.call(server.uniqueName, .root, "a.B", "Sleep")
            }
        }
        try await awaitCondition("the call is on its way") { await client.pendingCallCount == 1 }
        await client.close()
        await client.close()
        await client.onDisconnect { losses.record(true) }
        #expect(await pending.value == .disconnected)
        #expect(losses.count == 0)
        try await awaitCondition("the bus has noticed") { try await server.owner(of: client.uniqueName) == nil }
    }

    @Test("whose last reference is released on another thread ends on the loop's, with its socket")
    func lastReference() async throws {
        let bus = try TestBus()
        let observer = try await bus.connect()
        for _ in 0..<50 {
            let name: String
            do {
                let connection = try await bus.connect()
                name = connection.uniqueName
                // Traffic is under way when the end comes.
                try await connection.handleSignals(matching: SignalMatch(), in: bus.receiver()) { _, _ in }
                try await observer.emit(.root, "a.B", "S", [])
            }
            try await awaitCondition("the bus has noticed") { try await observer.owner(of: name) == nil }
        }
    }
}
