import BlueZ
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("The supervisor, connecting", .timeLimit(.minutes(10)))
struct SupervisorConnectingTests {
    @Test("connects a wanted sensor, subscribes, and then reads what is read once")
    func happyPath() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.addStrap()
        let states = try await bench.read(until: .ready)
        #expect(
            states == [
                ConnectionState(phase: .connecting, attempt: 1), ConnectionState(phase: .connected),
                ConnectionState(phase: .ready),
            ])
        let battery = try await bench.read { if case .battery = $0 { true } else { false } }
        let identity = SensorIdentity(
            address: SupervisorBench.strap, name: "Polar H10 1234", kind: .heartRateStrap)
        #expect(battery.last == .battery(identity, percent: 87))
        #expect(
            await bench.central.calls == [
                .connect(SupervisorBench.strap), .subscribe("2a37"), .read("2a38"), .read("2a19"),
            ])
        await bench.central.notify(SupervisorBench.strap, "2a37", [0x16, 0x4D, 0x16, 0x03])
        let reading = try await bench.read { $0.reading != nil }.last?.reading
        #expect(reading?.outcome == .good(7700))
        #expect(reading?.site == .chest)
        #expect(reading?.sensor == identity)
    }

    @Test("stops the scan to connect, and resumes it when `Connect` has answered")
    func scanPauses() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.addStrap()
        _ = try await bench.read { if case .nearby = $0 { true } else { false } }
        await bench.supervisor.setScanning(true)
        await bench.wait(untilDiscovering: true)
        await bench.central.holdBackConnect(true)
        await bench.supervisor.connect(SupervisorBench.strap)
        await bench.wait(for: .connect(SupervisorBench.strap))
        #expect(
            await bench.central.calls == [
                .beginDiscovery(.adapter), .endDiscovery(.adapter), .connect(SupervisorBench.strap),
            ])
        await bench.central.answerConnect(SupervisorBench.strap)
        try await bench.read(until: .ready)
        await bench.wait(untilDiscovering: true)
    }

    @Test("makes one connection at a time")
    func oneAtATime() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.central.holdBackConnect(true)
        await bench.addStrap()
        await bench.addOximeter()
        await bench.wait(for: .connect(SupervisorBench.strap))
        await bench.settle()
        #expect(await bench.central.calls == [.connect(SupervisorBench.strap)])
        await bench.central.answerConnect(SupervisorBench.strap)
        await bench.wait(for: .connect(SupervisorBench.oximeter))
        await bench.central.answerConnect(SupervisorBench.oximeter)
        try await bench.read(until: .ready, of: SupervisorBench.oximeter)
    }

    @Test("tries again after a failure")
    func retries() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.central.fail([BlueZError(.inputOutput), BlueZError(.connectionAborted)])
        await bench.addStrap()
        let states = try await bench.read(until: .ready)
        #expect(
            states.map(\.phase) == [
                .connecting, .waiting, .connecting, .waiting, .connecting, .connected, .ready,
            ])
        #expect(states.map(\.attempt) == [1, 2, 2, 3, 3, nil, nil])
        #expect(states.compactMap(\.reason) == [.unknown, .refused])
    }

    @Test("connects again when the link is lost, and resumes readings")
    func linkLost() async throws {
        let bench = await SupervisorBench(policy: .listed(["polar h10 1234"]))
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read(until: .ready)
        await bench.central.loseLink(SupervisorBench.strap)
        let states = try await bench.read(until: .ready)
        #expect(states.first?.phase == .waiting)
        #expect(states.first?.reason == .linkLost)
        #expect(await bench.central.calls.filter { $0 == .subscribe("2a37") }.count == 2)
        await bench.central.notify(SupervisorBench.strap, "2a37", [0, 72])
        #expect(try await bench.read { $0.reading != nil }.last?.reading?.outcome == .good(7200))
    }

    @Test(
        "connects one sensor of a name that is asked for, the remembered one or else the first, and names the others",
        arguments: [true, false])
    func namesakes(isRemembered: Bool) async throws {
        let (stranger, name) = ("C0:52:49:00:00:09", "Polar H10 1234")
        let bench = await SupervisorBench(policy: .listed([name]))
        var notices = await bench.supervisor.warnings().makeAsyncIterator()
        if isRemembered {
            await bench.supervisor.remember([
                RememberedSensor(address: SupervisorBench.strap, name: name, kind: .heartRateStrap, isWanted: true)
            ])
        }
        await bench.supervisor.start()
        if !isRemembered {
            await bench.addStrap()
            try await bench.read(until: .ready)
        }
        await bench.central.offer(stranger, service: "180d", ["2a37 notify"])
        await bench.central.appear(stranger, name: name, services: ["180d"])
        let notice = try #require(await notices.next())
        #expect(notice.contains(stranger) && notice.contains(SupervisorBench.strap))
        if isRemembered {
            await bench.addStrap()
            try await bench.read(until: .ready)
        }
        await bench.settle()
        #expect(await !bench.central.calls.contains(.connect(stranger)))
        await bench.supervisor.connect(stranger)
        try await bench.read(until: .ready, of: stranger)
    }

    @Test("leaves a sensor alone that the user has disconnected, until the user asks again")
    func userDisconnects() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read(until: .ready)
        await bench.supervisor.disconnect(SupervisorBench.strap.lowercased())
        let states = try await bench.read(until: .disconnected)
        #expect(states == [ConnectionState(phase: .disconnected, reason: .user)])
        // A value that still comes, and everything that would otherwise make the policy connect.
        await bench.central.notify(SupervisorBench.strap, "2a37", [0, 72])
        await bench.central.advertise(SupervisorBench.strap, rssi: -50)
        await bench.central.vanish(SupervisorBench.strap)
        await bench.addStrap()
        await bench.settle()
        #expect(await bench.central.calls.filter { $0 == .connect(SupervisorBench.strap) }.count == 1)
        await bench.supervisor.connect(SupervisorBench.strap)
        let later = try await bench.read { $0.connection(of: SupervisorBench.strap)?.phase == .ready }
        #expect(!later.contains { $0.reading != nil })
    }

    @Test("looks for a sensor that BlueZ does not know, without a requested scan")
    func unknownSensor() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        _ = try await bench.read { $0.adapter != nil }
        await bench.supervisor.connect(SupervisorBench.strap)
        try await bench.read(until: .waiting)
        await bench.wait(untilDiscovering: true)
        await bench.addStrap()
        try await bench.read(until: .ready)
        await bench.wait(untilDiscovering: false)
    }

    @Test("ends an attempt whose subscriptions are all refused")
    func subscriptionsRefused() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.central.failSubscriptions(BlueZError(.notAuthorized))
        await bench.addStrap()
        let states = try await bench.read(until: .waiting)
        #expect(states.last?.reason == .refused)
        #expect(await bench.central.calls.contains(.disconnect(SupervisorBench.strap)))
    }

    @Test("knows a sensor by its services when it advertises none, and subscribes by whichever property is there")
    func recognisedAfterConnecting() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        let core = "00002100-5b1e-4347-b07c-97b514dae121"
        await bench.central.offer(
            SupervisorBench.thermometer, service: "1809", ["2a1c notify", "2a1d read", "2a1e"],
            values: ["2a1d": [2]])
        await bench.central.offer(
            SupervisorBench.thermometer, service: core, ["00002101-5b1e-4347-b07c-97b514dae121 read notify"])
        await bench.central.appear(SupervisorBench.thermometer, name: "Body")
        await bench.supervisor.connect(SupervisorBench.thermometer)
        try await bench.read(until: .ready, of: SupervisorBench.thermometer)
        await bench.central.notify(
            SupervisorBench.thermometer, "00002101-5b1e-4347-b07c-97b514dae121", [0, 0x19, 0x0F])
        let reading = try await bench.read { $0.reading != nil }.last?.reading
        #expect(reading?.sensor.kind == .core)
        #expect(reading?.site == .core)
        #expect(
            await bench.central.calls.filter { if case .subscribe = $0 { true } else { false } }
                == [.subscribe("00002101-5b1e-4347-b07c-97b514dae121"), .subscribe("2a1c")])
    }

    @Test("does not connect to a sensor that BlueZ only remembers before it is heard")
    func remembered() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.central.appear(SupervisorBench.strap, name: "Polar", services: ["180d"], rssi: nil)
        await bench.settle()
        #expect(await bench.central.calls == [])
        await bench.central.advertise(SupervisorBench.strap, rssi: -60)
        await bench.wait(for: .connect(SupervisorBench.strap))
    }

    @Test("keeps what the maker says about a sensor, made harmless")
    func details() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.central.offer(
            SupervisorBench.strap, service: "180a", ["2a29 read", "2a24 read"],
            values: ["2a29": Array("Polar\u{1B}[2J".utf8), "2a24": Array("H10".utf8)])
        await bench.addStrap()
        try await bench.read(until: .ready)
        await bench.wait(for: .read("2a24"))
        await bench.settle()
        let details = await bench.supervisor.details(of: SupervisorBench.strap)
        #expect(details?.manufacturerName == "Polar\u{FFFD}[2J")
        #expect(details?.modelNumber == "H10")
        #expect(details?.serialNumber == nil)
        #expect(await bench.supervisor.details(of: SupervisorBench.oximeter) == nil)
    }

    @Test("forgets a sensor in BlueZ, too")
    func forget() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read(until: .ready)
        await bench.supervisor.forget(SupervisorBench.strap)
        #expect(
            await bench.central.calls.suffix(2) == [
                .disconnect(SupervisorBench.strap), .remove(SupervisorBench.strap),
            ])
    }
}
