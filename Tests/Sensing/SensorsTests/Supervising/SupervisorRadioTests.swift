import BlueZ
import Foundation
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("The supervisor, with bluetoothd and adapters that come and go", .timeLimit(.minutes(10)))
struct SupervisorRadioTests {
    @Test("connects wanted sensors again after bluetoothd was restarted, and scans again")
    func daemonRestarts() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.supervisor.setScanning(true)
        await bench.addStrap()
        try await bench.read(until: .ready)
        await bench.central.stopDaemon()
        let lost = try await bench.read(until: .waiting)
        #expect(lost == [ConnectionState(phase: .waiting, reason: .daemon)])
        await bench.central.startDaemon()
        await bench.wait(untilDiscovering: true)
        await bench.central.appear(SupervisorBench.strap, name: "Polar H10 1234", services: ["180d"], rssi: nil)
        let states = try await bench.read(until: .ready)
        #expect(states.suffix(3).map(\.phase) == [.connecting, .connected, .ready])
    }

    @Test("connects again after the adapter was switched off and on")
    func adapterOffAndOn() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read(until: .ready)
        await bench.central.setPowered(false)
        let off = try await bench.read { $0.connection(of: SupervisorBench.strap)?.reason == .adapter }
        #expect(off.compactMap(\.adapter).map(\.power) == [.off])
        await bench.central.setPowered(true)
        try await bench.read(until: .ready)
        #expect(bench.seen.compactMap(\.adapter).last?.power == .ready)
    }

    @Test("says that there is no adapter, when it was unplugged and when there never was one")
    func noAdapter() async throws {
        let bench = await SupervisorBench()
        await bench.central.unplug()
        await bench.supervisor.start()
        let missing = AdapterStatus(identifier: nil, address: nil, power: .missing, isScanning: false)
        #expect(try await bench.read { $0.adapter != nil }.last == .adapter(missing))
        await bench.central.startDaemon()
        let present = AdapterStatus(
            identifier: "hci0", address: "00:AA:01:00:00:00", power: .ready, isScanning: false)
        #expect(try await bench.read { $0.adapter != nil }.last == .adapter(present))
        await bench.central.unplug()
        #expect(try await bench.read { $0.adapter != nil }.last == .adapter(missing))
    }

    @Test(
        "distinguishes a blocked adapter from one that is off",
        arguments: [("0", AdapterStatus.Power.blocked), ("2", .blocked), ("1", .off), ("nonsense", .off)])
    func blocked(state: String, power: AdapterStatus.Power) async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        for (name, adapter, state) in [("rfkill0", "phy0", "0"), ("rfkill1", "hci0", state)] {
            let entry = directory.appending(path: name)
            try FileManager.default.createDirectory(at: entry, withIntermediateDirectories: true)
            try "\(adapter)\n".write(to: entry.appending(path: "name"), atomically: false, encoding: .utf8)
            try "\(state)\n".write(to: entry.appending(path: "state"), atomically: false, encoding: .utf8)
        }
        defer { try? FileManager.default.removeItem(at: directory) }
        let bench = await SupervisorBench(radioSwitch: RadioSwitch(directory: directory.path(), device: "/nowhere"))
        await bench.supervisor.start()
        await bench.central.setPowered(false)
        let status = try await bench.read { $0.adapter.map { $0.power != .ready } ?? false }.last?.adapter
        #expect(status?.power == power)
    }

    @Test("adopts a sensor that is connected already, and leaves it connected at the end")
    func adoption() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.addStrap(isConnected: true)
        await bench.addOximeter()
        await bench.supervisor.start()
        try await bench.read(until: .ready)
        if !bench.seen.contains(where: { $0.connection(of: SupervisorBench.oximeter)?.phase == .ready }) {
            try await bench.read(until: .ready, of: SupervisorBench.oximeter)
        }
        await bench.supervisor.shutDown()
        let calls = await bench.central.calls
        #expect(!calls.contains(.connect(SupervisorBench.strap)))
        #expect(!calls.contains(.disconnect(SupervisorBench.strap)))
        #expect(calls.contains(.disconnect(SupervisorBench.oximeter)))
        // The stream ends.
        _ = await bench.readToEnd()
    }

    @Test("shows a sensor that others have connected, and leaves it alone when it is not wanted")
    func foreignLink() async throws {
        let bench = await SupervisorBench()
        await bench.addStrap(isConnected: true)
        await bench.supervisor.start()
        #expect(try await bench.read(until: .connected) == [ConnectionState(phase: .connected, isForeign: true)])
        await bench.central.notify(SupervisorBench.strap, "2a37", [0, 72])
        await bench.settle()
        #expect(await bench.central.calls == [])
        await bench.supervisor.shutDown()
        #expect(await !bench.readToEnd().contains { $0.reading != nil })
    }
}
