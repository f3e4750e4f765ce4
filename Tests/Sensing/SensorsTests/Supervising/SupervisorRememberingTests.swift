import BlueZ
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("What the supervisor remembers", .timeLimit(.minutes(10)))
struct SupervisorRememberingTests {
    private static func strap(label: String? = nil, isWanted: Bool?) -> RememberedSensor {
        RememberedSensor(
            address: SupervisorBench.strap, name: "Polar H10 1234", kind: .heartRateStrap, label: label,
            isWanted: isWanted)
    }

    private func remembered(_ kinds: [MonitorEvent.Kind]) -> [RememberedSensor] {
        kinds.compactMap { if case .remembered(let sensor) = $0 { sensor } else { nil } }
    }

    @Test("connects a sensor that was wanted in an earlier run, under the name that the user gave it")
    func wanted() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.remember([Self.strap(label: "Ada", isWanted: true)])
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read(until: .ready)
        let names = Set(
            bench.seen.compactMap { kind -> String? in
                if case .connection(let identity, _) = kind { identity.name } else { nil }
            })
        #expect(names == ["Ada"])
        #expect(remembered(bench.seen) == [Self.strap(label: "Ada", isWanted: true)])
    }

    @Test("says at once that a wanted sensor waits, also without a radio")
    func waiting() async throws {
        let bench = await SupervisorBench()
        await bench.central.stopDaemon()
        await bench.supervisor.remember([Self.strap(isWanted: true)])
        await bench.supervisor.start()
        let states = try await bench.read(until: .waiting)
        #expect(states.map(\.reason) == [.daemon])
    }

    @Test("a sensor that goes by another address is wanted under it, with its name, and nothing is left of the old one")
    func readdressed() async throws {
        let bench = await SupervisorBench()
        var strap = Self.strap(label: "Ada", isWanted: true)
        strap.assignedVitals = [.heartRate]
        await bench.supervisor.remember([strap])
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read(until: .ready)
        let old = try #require(BluetoothAddress(SupervisorBench.strap))
        let lasting = try #require(BluetoothAddress("C0:52:49:00:00:77"))
        await bench.central.readdress(old, to: lasting)
        try await bench.read(until: .ready, of: lasting.description)
        #expect(
            remembered(bench.seen).last
                == RememberedSensor(
                    address: lasting.description, name: "Polar H10 1234", kind: .heartRateStrap, label: "Ada",
                    isWanted: true, assignedVitals: [.heartRate]))
        #expect(
            bench.seen.contains {
                if case .forgotten(let identity) = $0 { identity.address == old.description } else { false }
            })
        #expect(await bench.supervisor.knownAddresses == [lasting.description])
    }

    @Test("does not let a policy connect what the user disconnected in an earlier run")
    func refused() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.remember([Self.strap(isWanted: false)])
        await bench.supervisor.start()
        await bench.addStrap()
        await bench.addOximeter()
        try await bench.read(until: .ready, of: SupervisorBench.oximeter)
        await bench.settle()
        #expect(await !bench.central.calls.contains(.connect(SupervisorBench.strap)))
        await bench.supervisor.connect(SupervisorBench.strap)
        try await bench.read(until: .ready)
        #expect(remembered(bench.seen).last == Self.strap(isWanted: true))
    }

    @Test(
        "takes naming a sensor for asking again, and remembers that",
        arguments: ["polar h10 1234", SupervisorBench.strap, "ada"])
    func named(entry: String) async throws {
        let bench = await SupervisorBench(policy: .listed([entry]))
        await bench.supervisor.remember([Self.strap(label: "Ada", isWanted: false)])
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read(until: .ready)
        #expect(remembered(bench.seen).last == Self.strap(label: "Ada", isWanted: true))
    }

    @Test("notes what the user connects and disconnects, but not what a policy takes because it takes everything")
    func noted() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read(until: .ready)
        #expect(remembered(bench.seen).isEmpty)
        await bench.supervisor.disconnect(SupervisorBench.strap)
        try await bench.read(until: .disconnected)
        #expect(remembered(bench.seen) == [Self.strap(isWanted: false)])
    }

    @Test("calls a sensor by the user's name from now on, and by its own when that is taken away")
    func renamed() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.addStrap()
        await bench.supervisor.rename(SupervisorBench.strap, to: " Ada ")
        try await bench.read { $0 == .remembered(Self.strap(label: "Ada", isWanted: nil)) }
        await bench.supervisor.rename(SupervisorBench.strap, to: "  ")
        try await bench.read { $0 == .remembered(Self.strap(isWanted: nil)) }
    }

    @Test("does not take a name for a no")
    func onlyNamed() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.remember([Self.strap(label: "Ada", isWanted: nil)])
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read(until: .ready)
        #expect(remembered(bench.seen) == [Self.strap(label: "Ada", isWanted: nil)])
    }

    @Test("forgets a sensor with all that was said about it, and has BlueZ forget it")
    func forgotten() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.addStrap()
        await bench.supervisor.connect(SupervisorBench.strap)
        await bench.supervisor.rename(SupervisorBench.strap, to: "Ada")
        try await bench.read(until: .ready)
        await bench.supervisor.forget(SupervisorBench.strap)
        try await bench.read {
            if case .forgotten(let identity) = $0 { identity.name == "Polar H10 1234" } else { false }
        }
        await bench.wait(for: .remove(SupervisorBench.strap))
        #expect(await bench.central.calls.contains(.disconnect(SupervisorBench.strap)))
    }

    @Test("is sent to a late reader")
    func late() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.remember([Self.strap(isWanted: false)])
        var events = await bench.supervisor.events().makeAsyncIterator()
        var kinds: [MonitorEvent.Kind] = []
        while !kinds.contains(.remembered(Self.strap(isWanted: false))), let event = await events.next() {
            kinds.append(event.kind)
        }
        #expect(remembered(kinds) == [Self.strap(isWanted: false)])
    }
}

@Suite("The memory of sensors")
struct SensorMemoryTests {
    private func sensor(_ number: Int, label: String? = nil, isWanted: Bool) -> RememberedSensor {
        let digits = String(number + 10_000).suffix(4)
        return RememberedSensor(
            address: "C0:52:49:00:\(digits.prefix(2)):\(digits.suffix(2))", name: "x", kind: .other, label: label,
            isWanted: isWanted)
    }

    @Test("is bounded: what the user does not want goes first, without a name before with one; what is wanted never")
    func bounded() {
        var memory = SensorMemory()
        for number in 0..<SensorMemory.limit {
            let label = number == 3 ? "Bed" : nil
            let isWanted = ![3, 7].contains(number)
            #expect(memory.remember(sensor(number, label: label, isWanted: isWanted)) == .kept)
        }
        let wanted = memory.sensors.filter { $0.isWanted == true }.map(\.address)
        #expect(memory.remember(sensor(5, label: "Ada", isWanted: true)) == .kept)
        #expect(memory.remember(sensor(1000, isWanted: true)) == .keptInPlaceOf(sensor(7, isWanted: false)))
        #expect(
            memory.remember(sensor(1001, isWanted: true)) == .keptInPlaceOf(sensor(3, label: "Bed", isWanted: false)))
        #expect(memory.remember(sensor(1002, isWanted: true)) == .refused)
        #expect(memory.remember(sensor(1003, isWanted: false)) == .refused)
        #expect(Set(wanted).isSubset(of: memory.sensors.map(\.address)))
        #expect(memory.sensors.count == SensorMemory.limit)
    }
}

extension SensorSupervisor {
    /// The addresses of all peripherals that it knows something about.
    fileprivate var knownAddresses: [String] { sessions.keys.map(\.description).sorted() }
}
