import DBus
import TestSupport
import Testing

@testable import BlueZ

@Suite("Losses and returns", .timeLimit(.minutes(10)))
struct LossTests {
    @Test("a daemon that dies takes everything with it, and a new one is read again")
    func daemon() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await bench.bluez.startNotify(try Strap.reference())
        await fake.die()
        try await bench.wait(for: "hci0 removed")
        #expect(bench.text.suffix(4) == ["daemon gone", "Polar disconnected", "Polar removed", "hci0 removed"])
        #expect(await bench.bluez.peripherals.isEmpty)
        let error = await #expect(throws: BlueZError.self) { try await bench.bluez.connect(Strap.address) }
        #expect(error?.kind == .daemonGone)

        let next = try await bench.startDaemon()
        try await next.addAdapter()
        try await next.addStrap(isConnected: true, isResolved: true)
        try await next.addServices()
        try await next.notify([1])
        try await bench.wait(for: "Polar resolved", times: 2)
        try await bench.settle(next)
        try await bench.bluez.startNotify(try Strap.reference())
        try await next.notify([2])
        try await bench.wait(forNotifications: [[2]])
        #expect(bench.notifications == [[2]], "the sessions of the former daemon are gone")
        #expect(bench.text.count { $0 == "daemon running" } == 2)
        await next.die()
    }

    @Test("a call that the daemon does not live to answer fails as daemon gone")
    func duringCall() async throws {
        let (bench, fake) = try await Bench.withStrap()
        try await fake.connection.export(
            try path(Strap.device),
            [
                ExportedInterface(
                    Name.device, properties: try Strap.deviceProperties(isConnected: true),
                    methods: [
                        ExportedMethod("Connect") { _ async throws(DBusConnectionError) in
                            await fake.die()
                            return []
                        }
                    ])
            ])
        let error = await #expect(throws: BlueZError.self) { try await bench.bluez.connect(Strap.address) }
        #expect(error?.kind == .daemonGone)
    }

    @Test("a bus that dies and returns is found again, and what is on it")
    func bus() async throws {
        let (bench, fake) = try await Bench.withStrap()
        bench.bus.stop()
        try await bench.wait(for: "hci0 removed")
        let lost = try #require(bench.text.firstIndex(of: "bus lost"))
        #expect(
            bench.text[lost...].filter { $0 != "bus lost" } == ["Polar disconnected", "Polar removed", "hci0 removed"])
        let error = await #expect(throws: BlueZError.self) { try await bench.bluez.read(try Strap.reference()) }
        #expect(error?.kind == .busLost)
        await fake.die()

        try bench.bus.start()
        let next = try await bench.startDaemon()
        try await next.addAdapter()
        try await bench.wait(for: "hci0 added", times: 2)
        #expect(bench.text.count { $0 == "bus connected" } == 2)
        await next.die()
    }

    @Test("a bus missing at the start is reported with a reason, once, and found later")
    func noBus() async throws {
        let bench = try await Bench(startingBus: false)
        await bench.bluez.start()
        try await bench.wait(for: "bus lost")
        guard case .bus(.lost(let reason)) = bench.events.elements.first?.kind else {
            Issue.record("the first event is no loss")
            return
        }
        #expect(reason.hasPrefix("The message bus cannot be reached: "))
        try bench.bus.start()
        try await bench.wait(for: "daemon gone")
        // While the bus comes up, its socket is there before anybody listens, which is another reason.
        #expect(bench.text.drop { $0 == "bus lost" } == ["bus connected", "daemon gone"])
        let reasons = bench.events.elements.compactMap { event -> String? in
            if case .bus(.lost(let reason)) = event.kind { reason } else { nil }
        }
        #expect(reasons.count == Set(reasons).count, "\(reasons)")
    }

    @Test("a daemon that refuses us is reported with a reason, and asked again")
    func refusing() async throws {
        let bench = try await Bench()
        // An owner of the name that is no object manager.
        let odd = try await DBusConnection.connect(to: .address(bench.bus.address), on: bench.daemonLoop.loop)
        #expect(try await odd.requestName("org.bluez"))
        await bench.bluez.start()
        try await bench.wait(for: "daemon unusable")
        await odd.exportObjectManager(at: .root)
        try await bench.wait(for: "daemon running")
        #expect(bench.text == ["bus connected", "daemon unusable", "daemon running"])
        await odd.close()
    }

    @Test("a bus that forbids calls to the daemon is reported with the reason, and distinguished from a missing daemon")
    func forbidden() async throws {
        let bench = try await Bench(forbidding: "org.bluez")
        let fake = try await bench.startDaemon()
        await bench.bluez.start()
        try await bench.wait(for: "daemon refused")
        let reasons = bench.events.elements.compactMap { event -> String? in
            if case .daemon(.refused(let reason)) = event.kind { reason } else { nil }
        }
        #expect(
            reasons.first?.hasPrefix("The message bus does not let this user talk to the Bluetooth service: ") == true)
        #expect(bench.text.prefix(2) == ["bus connected", "daemon refused"])
        await fake.die()
        try await bench.wait(for: "daemon gone")
    }
}
