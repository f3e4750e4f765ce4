import DBus
import TestSupport
import Testing

@testable import BlueZ

@Suite("Calls of adapters and peripherals", .timeLimit(.minutes(10)))
struct CallTests {
    @Test("a discovery is asked for with a filter for LE")
    func discovery() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.startDiscovery()
        try await bench.wait(for: "hci0 changed")
        #expect(await bench.bluez.adapters.first?.isDiscovering == true)
        try await bench.bluez.stopDiscovery()
        try await bench.wait(for: "hci0 changed", times: 2)
        #expect(fake.calls.elements == ["SetDiscoveryFilter le", "StartDiscovery", "StopDiscovery"])
        #expect(await !bench.bluez.wantsDiscovery())
        await fake.die()
    }

    @Test("a discovery that already runs is a success, and one that cannot be stopped is stopped")
    func alreadyDiscovering() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await fake.changeAdapter([("Discovering", .boolean(true))])
        fake.fail("StartDiscovery", [("org.bluez.Error.InProgress", "Operation already in progress")])
        try await bench.bluez.startDiscovery()
        fake.fail("StopDiscovery", [("org.bluez.Error.Failed", "No discovery started")])
        try await bench.bluez.stopDiscovery()
        await fake.die()
    }

    @Test("a new daemon that refuses because of the former one's scan is asked again")
    func staleScan() async throws {
        let (bench, fake) = try await Bench.withStrap()
        fake.fail("StartDiscovery", [("org.bluez.Error.InProgress", "Operation already in progress")])
        try await bench.bluez.startDiscovery()
        try await bench.wait(for: "hci0 changed")
        #expect(fake.calls.elements.count { $0 == "StartDiscovery" } == 2)
        await fake.die()
    }

    @Test("a wanted discovery is begun again when the adapter is switched on and when the daemon returns")
    func wanted() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.startDiscovery()
        try await fake.changeAdapter([("Powered", .boolean(false)), ("Discovering", .boolean(false))])
        try await fake.changeAdapter([("Powered", .boolean(true))])
        try await awaitCondition("a second start") { fake.calls.elements.count { $0 == "StartDiscovery" } == 2 }
        await fake.die()
        let next = try await bench.startDaemon()
        try await next.addAdapter(isPowered: false)
        try await next.changeAdapter([("Powered", .boolean(true))])
        try await awaitCondition("a start at the next daemon") { next.calls.elements.contains("StartDiscovery") }
        await next.die()
    }

    @Test("a discovery on an adapter that is off is refused, but wanted from then on")
    func discoveryWhileOff() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await fake.changeAdapter([("Powered", .boolean(false))])
        fake.fail("SetDiscoveryFilter", [("org.bluez.Error.NotReady", "Resource Not Ready")])
        let error = await #expect(throws: BlueZError.self) { try await bench.bluez.startDiscovery() }
        #expect(error?.kind == .notReady)
        try await bench.bluez.setPowered(true)
        try await awaitCondition("a start") { fake.calls.elements.contains("StartDiscovery") }
        #expect(fake.calls.elements.contains("Set Powered"))
        await fake.die()
    }

    @Test("peripherals are connected, trusted, disconnected and removed by their address")
    func peripherals() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.connect(Strap.address)
        try await bench.bluez.trust(Strap.address)
        try await bench.bluez.disconnect(Strap.address)
        try await bench.bluez.removeDevice(Strap.address)
        let trust = "Set Trusted \(DBusValue.boolean(true))"
        #expect(fake.calls.elements == ["Connect", trust, "Disconnect", "RemoveDevice \(Strap.device)"])
        let error = await #expect(throws: BlueZError.self) {
            try await bench.bluez.connect(BluetoothAddress(rawValue: 1))
        }
        #expect(error?.kind == .unknownObject)
        await fake.die()
    }

    @Test("a connect that is not answered in time is cancelled")
    func connectTimeout() async throws {
        let (bench, fake) = try await Bench.withStrap()
        let calls = fake.calls
        let (answers, answer) = AsyncStream<Void>.makeStream()
        try await fake.connection.export(
            try path(Strap.device),
            [
                ExportedInterface(
                    Name.device, properties: try Strap.deviceProperties(),
                    methods: [
                        ExportedMethod("Connect") { _ async throws(DBusConnectionError) in
                            for await _ in answers {}
                            return []
                        },
                        ExportedMethod("Disconnect") { _ async throws(DBusConnectionError) in
                            calls.record("Disconnect")
                            return []
                        },
                    ])
            ])
        let error = await #expect(throws: BlueZError.self) {
            try await bench.bluez.connect(Strap.address, timeout: .milliseconds(50))
        }
        #expect(error?.kind == .timedOut)
        try await awaitCondition("the cancellation") { calls.elements.contains("Disconnect") }
        answer.finish()
        await fake.die()
    }

    @Test("errors of the daemon keep their names")
    func errors() async throws {
        let (bench, fake) = try await Bench.withStrap()
        fake.fail("Connect", [("org.bluez.Error.Failed", "le-connection-abort-by-local")])
        let expected = BlueZError(
            .connectionAborted, name: "org.bluez.Error.Failed", text: "le-connection-abort-by-local")
        await #expect(throws: expected) { try await bench.bluez.connect(Strap.address) }
        await fake.die()
    }

    @Test("each step of an operation is reported to who traces, with the daemon's error, and to nobody else")
    func operations() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.disconnect(Strap.address)
        let steps = Recorder<PeripheralOperation>()
        let delivery = await bench.bluez.operations().deliver { steps.record($0) }
        let reference = try Strap.reference()
        try await bench.bluez.startNotify(reference)
        try await bench.bluez.stopNotify(reference)
        fake.fail("Connect", [("org.bluez.Error.Failed", "le-connection-abort-by-local")])
        await #expect(throws: BlueZError.self) { try await bench.bluez.connect(Strap.address) }
        let error = BlueZError(.connectionAborted, name: "org.bluez.Error.Failed", text: "le-connection-abort-by-local")
        let expected: [(PeripheralOperation.Kind, PeripheralOperation.Stage)] = [
            (.subscribe(reference), .began), (.subscribe(reference), .succeeded([])),
            (.unsubscribe(reference), .began), (.unsubscribe(reference), .succeeded([])),
            (.connect, .began), (.connect, .failed(error)),
        ]
        #expect(steps.elements.map(\.kind) == expected.map(\.0))
        #expect(steps.elements.map(\.stage) == expected.map(\.1))
        #expect(steps.elements.allSatisfy { $0.peripheral == Strap.address })
        withExtendedLifetime(delivery) {}
        await fake.die()
    }

    @Test("without an adapter there is nothing to discover with")
    func noAdapter() async throws {
        let bench = try await Bench()
        let fake = try await bench.startDaemon()
        await bench.bluez.start()
        try await bench.wait(for: "daemon running")
        let error = await #expect(throws: BlueZError.self) { try await bench.bluez.startDiscovery() }
        #expect(error?.kind == .noAdapter)
        await fake.die()
    }
}
