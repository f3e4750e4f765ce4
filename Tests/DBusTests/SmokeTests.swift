import DBus
import EventLoop
import TestSupport
import Testing

@Suite("The whole path", .timeLimit(.minutes(1)))
struct SmokeTests {
    @Test("works")
    func all() async throws {
        let bus = try TestBus()
        let server = try await bus.connect()
        let client = try await bus.connect()
        #expect(server.uniqueName.hasPrefix(":1."))
        #expect(try await server.requestName("com.example.Ward"))
        #expect(try await client.owner(of: "com.example.Ward") == server.uniqueName)

        await server.exportObjectManager(at: .root)
        let added = try await client.signals(
            matching: SignalMatch(interface: "org.freedesktop.DBus.ObjectManager", member: "InterfacesAdded"))
        try await server.export(
            try path("/bed/one"),
            [
                ExportedInterface(
                    "com.example.Bed", properties: [("Name", .string("One"))],
                    methods: [
                        ExportedMethod("Echo", input: "v", output: "v") { call throws(DBusFailure) in call.arguments }
                    ])
            ])
        let echoed = try await client.call(
            "com.example.Ward", path("/bed/one"), "com.example.Bed", "Echo", [.variant(.bytes([1, 2]))])
        #expect(echoed == [.variant(.bytes([1, 2]))])
        var iterator = added.makeAsyncIterator()
        let signal = await iterator.next()
        #expect(signal?.arguments.first?.text == "/bed/one")
        let objects = try await client.call(
            "com.example.Ward", .root, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        #expect(objects.first?.entries?.count == 1)

        let seen = Recorder<String>()
        let receiver = LoopActor(loop: bus.running.loop)
        try await client.handleSignals(
            matching: SignalMatch(interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged"),
            in: receiver
        ) { _, message in
            var arguments = message.arguments()
            seen.record(arguments.readText() ?? "")
        }
        try await server.setProperties(of: try path("/bed/one"), "com.example.Bed", [("Name", .string("Two"))])
        try await awaitCondition("the change is seen") { seen.count == 1 }

        let lost = Recorder<Bool>()
        await client.onDisconnect { lost.record(true) }
        bus.daemon.stop()
        try await awaitCondition("the loss is seen") { lost.count == 1 }
        await #expect(throws: DBusFailure.disconnected) {
            try await client.call("com.example.Ward", .root, "com.example.Bed", "Echo")
        }
    }
}
