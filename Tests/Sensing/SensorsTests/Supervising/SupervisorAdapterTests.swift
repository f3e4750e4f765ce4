import BlueZ
import EventLoops
import Foundation
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("The supervisor, with adapters to choose from and to switch", .timeLimit(.minutes(10)))
struct SupervisorAdapterTests {
    @Test("uses the chosen adapter only, and connects what it left through the other one again")
    func choice() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.central.plugSecond()
        await bench.supervisor.start()
        await bench.supervisor.setScanning(true)
        await bench.addStrap()
        try await bench.read(until: .ready)
        #expect(bench.seen.compactMap(\.adapters).last?.map(\.identifier) == ["hci0", "hci1"])
        await bench.supervisor.useAdapter("hci1")
        try await bench.read { $0.adapter?.identifier == "hci1" }
        await bench.wait(for: .disconnect(SupervisorBench.strap))
        await bench.central.hear(SupervisorBench.strap, on: .secondAdapter)
        try await bench.read(until: .ready)
        #expect(await bench.central.connections == [.adapter, .secondAdapter])
        // What the first one still hears is ignored.
        await bench.addOximeter()
        await bench.settle()
        await bench.supervisor.shutDown()
        #expect(await !bench.readToEnd().contains { $0.connection(of: SupervisorBench.oximeter) != nil })
    }

    @Test("says that the chosen adapter is not there, and uses it when it comes")
    func choiceBeforeStart() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.useAdapter("hci1")
        await bench.supervisor.start()
        let missing = AdapterStatus(identifier: "hci1", address: nil, power: .missing, isScanning: false)
        #expect(try await bench.read { $0.adapter != nil }.last == .adapter(missing))
        await bench.central.plugSecond()
        try await bench.read { $0.adapter?.power == .ready }
        await bench.central.hear(SupervisorBench.strap, on: .secondAdapter)
        try await bench.read(until: .ready)
        #expect(await bench.central.connections == [.secondAdapter])
    }

    @Test("goes over to the other adapter when the one that it used is unplugged")
    func failover() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.central.plugSecond()
        await bench.supervisor.start()
        await bench.supervisor.setScanning(true)
        await bench.addStrap()
        try await bench.read(until: .ready)
        await bench.central.unplug()
        try await bench.read { $0.adapter?.identifier == "hci1" }
        await bench.wait(for: .beginDiscovery(.secondAdapter))
        await bench.central.hear(SupervisorBench.strap, on: .secondAdapter)
        try await bench.read(until: .ready)
        #expect(await bench.central.connections == [.adapter, .secondAdapter])
    }

    @Test("says anew that there is no adapter when bluetoothd, or the bus, is there again", arguments: [true, false])
    func stillMissing(isBusLost: Bool) async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        try await bench.read { $0.adapter?.power == .ready }
        await bench.central.unplug()
        try await bench.read { $0.adapter?.power == .missing }
        if isBusLost {
            await bench.central.report(.bus(.lost(reason: "gone")))
            await bench.central.report(.bus(.connected))
        } else {
            await bench.central.report(.daemon(.gone))
        }
        await bench.central.report(.daemon(.running))
        try await bench.read { $0.adapter?.power == .missing }
    }

    @Test("reports whether we or others have switched the adapter off")
    func switchedOff() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        try await bench.read { $0.adapter?.power == .ready }
        await bench.supervisor.setPowered(false)
        let ours = try await bench.read { $0.adapter?.power == .off }.last?.adapter
        #expect(ours?.isSwitchedOffByUs == true)
        await bench.supervisor.setPowered(true)
        try await bench.read { $0.adapter?.power == .ready }
        await bench.central.setPowered(false)
        let others = try await bench.read { $0.adapter?.power == .off }.last?.adapter
        #expect(others?.isSwitchedOffByUs == false)
        #expect(await bench.central.calls == [.setPowered(false), .setPowered(true)])
    }

    @Test("tries again to switch an adapter that is still being switched the other way")
    func switchedTwice() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.central.setPowered(false)
        try await bench.read { $0.adapter?.power == .off }
        await bench.central.fail([BlueZError(.busy), BlueZError(.busy)])
        await bench.supervisor.setPowered(true)
        try await bench.read { $0.adapter?.power == .ready }
        #expect(await bench.central.calls.count == 3)
    }

    @Test("notices a radio switch that is moved while the adapter does not change")
    func rfkill() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let entry = directory.appending(path: "rfkill0")
        try FileManager.default.createDirectory(at: entry, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let device = directory.appending(path: "device").path()
        func write(_ state: String) throws {
            try "\(state)\n".write(to: entry.appending(path: "state"), atomically: false, encoding: .utf8)
        }
        try "hci0\n".write(to: entry.appending(path: "name"), atomically: false, encoding: .utf8)
        try write("1")
        try #require(mkfifo(device, 0o600) == 0)
        let bench = await SupervisorBench(radioSwitch: RadioSwitch(directory: directory.path(), device: device))
        await bench.supervisor.start()
        let writer = open(device, O_WRONLY)
        defer { close(writer) }
        await bench.central.setPowered(false)
        try await bench.read { $0.adapter?.power == .off }
        for (state, isHard) in [("0", false), ("2", true)] {
            try write(state)
            let event = [UInt8](repeating: 0, count: 8)
            #expect(Glibc.write(writer, event, event.count) == event.count)
            let status = try await bench.read { $0.adapter?.power == .blocked }.last?.adapter
            #expect(status?.isHardBlocked == isHard)
        }
        try write("1")
        _ = Glibc.write(writer, [1], 1)
        try await bench.read { $0.adapter?.power == .off }
        await bench.supervisor.shutDown()
    }
}

@Suite("The supervisor, with time that is missing", .timeLimit(.minutes(10)))
struct SupervisorGapTests {
    @Test("reports how long nothing could be heard, and why, but not the time before the first success")
    func daemon() async throws {
        let bench = await SupervisorBench()
        await bench.central.stopDaemon()
        await bench.supervisor.start()
        await bench.central.startDaemon()
        try await bench.read { $0.adapter?.power == .ready }
        #expect(!bench.seen.contains { $0.gap != nil })
        await bench.central.stopDaemon()
        await bench.central.startDaemon()
        let gap = try #require(try await bench.read { $0.gap != nil }.last?.gap)
        #expect(gap.reason == .daemon)
        #expect(gap.from <= gap.to)
        await bench.central.setPowered(false)
        await bench.central.setPowered(true)
        #expect(try await bench.read { $0.gap != nil }.last?.gap?.reason == .adapter)
    }

    @Test("reports that the computer has slept, and restarts the discovery")
    func slept() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.supervisor.setScanning(true)
        await bench.wait(untilDiscovering: true)
        let now = Moment.now()
        await bench.supervisor.clockJumped(.slept(nanoseconds: 3_600_000_000_000), at: now)
        let gap = try await bench.read { $0.gap != nil }.last?.gap
        #expect(gap == Gap(from: now.advanced(by: .seconds(-3600)), to: now, reason: .asleep))
        await bench.wait(for: .endDiscovery(.adapter))
        await bench.wait(untilDiscovering: true)
    }

    @Test("reports that the process stood still as a gap, from when it was alive last")
    func stalled() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        let now = Moment.now()
        await bench.supervisor.stalled(nanoseconds: 5_000_000_000, at: now)
        let gap = try await bench.read { $0.gap != nil }.last?.gap
        #expect(gap == Gap(from: now.advanced(by: .seconds(-5)), to: now, reason: .program))
    }

    @Test("reports that the clock was set, with what it showed before")
    func clockSet() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        let now = Moment.now()
        await bench.supervisor.clockJumped(.wasSet(milliseconds: -5000), at: now)
        let gap = try await bench.read { $0.gap != nil }.last?.gap
        #expect(gap?.reason == .clockSet)
        #expect(gap?.from.wallMilliseconds == now.wallMilliseconds + 5000)
        #expect(gap?.to == now)
    }

    @Test("a discovery that hears nothing is restarted, and reported until something is heard")
    func deaf() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.supervisor.setScanning(true)
        await bench.wait(untilDiscovering: true)
        try await bench.read { $0.adapter?.isScanning == true }
        await bench.settle()
        await bench.supervisor.testHearing(at: .now().advanced(by: .seconds(21)))
        try await bench.read { $0.adapter?.hearsNothing == true }
        await bench.wait(for: .endDiscovery(.adapter))
        await bench.wait(untilDiscovering: true)
        await bench.addStrap()
        await bench.central.advertise(SupervisorBench.strap, rssi: -70)
        try await bench.read { $0.adapter?.hearsNothing == false }
    }

    @Test("a bluetoothd that refuses us is reported with its reason, and distinguished from one that is gone")
    func refused() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        try await bench.read { $0 == .daemon(.running) }
        await bench.central.report(.daemon(.refused(reason: "no\u{1B}[31m")))
        try await bench.read { $0 == .daemon(.refused(reason: "no\u{FFFD}[31m")) }
        await bench.central.report(.daemon(.unusable(reason: "odd")))
        try await bench.read { $0 == .daemon(.unusable(reason: "odd")) }
        await bench.central.report(.daemon(.gone))
        try await bench.read { $0 == .daemon(.gone) }
    }
}
