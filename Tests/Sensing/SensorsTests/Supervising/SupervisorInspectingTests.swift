import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("A sensor that somebody looks at", .timeLimit(.minutes(10)))
struct SupervisorInspectingTests {
    private func octets(_ kinds: [MonitorEvent.Kind]) -> [CharacteristicOctets] {
        kinds.compactMap { if case .octets(_, let octets) = $0 { octets } else { nil } }
    }

    private func services(_ kinds: [MonitorEvent.Kind]) -> [[SensorService]] {
        kinds.compactMap { if case .services(_, let services) = $0 { services } else { nil } }
    }

    @Test("reports its services with their properties, its last values, and each new one")
    func reported() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.addStrap()
        await bench.supervisor.connect(SupervisorBench.strap)
        try await bench.read(until: .ready)
        await bench.central.notify(SupervisorBench.strap, "2a37", [0x06, 72])
        try await bench.read { $0.reading != nil }
        #expect(services(bench.seen).isEmpty)
        #expect(octets(bench.seen).isEmpty)

        await bench.supervisor.inspect(SupervisorBench.strap)
        // The battery level was read after the body location.
        try await bench.read { if case .octets(_, let value) = $0 { value.octets == [87] } else { false } }
        let found = try #require(services(bench.seen).first)
        #expect(found.map(\.uuid) == ["180D", "180F"])
        #expect(found.first?.characteristics.map(\.uuid) == ["2A37", "2A38", "2A39"])
        #expect(found.first?.characteristics.map(\.properties) == [["notify"], ["read"], ["write"]])
        #expect(octets(bench.seen).map(\.octets) == [[0x06, 72], [1], [87]])

        await bench.central.notify(SupervisorBench.strap, "2a37", [0x06, 73])
        let live = try await bench.read { $0.reading != nil }
        #expect(octets(live).map(\.octets) == [[0x06, 73]])

        await bench.supervisor.inspect(nil)
        await bench.central.notify(SupervisorBench.strap, "2a37", [0x06, 74])
        #expect(octets(try await bench.read { $0.reading != nil }).isEmpty)
    }

    @Test("is reported again when its services are resolved again")
    func reconnected() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.inspect(SupervisorBench.strap)
        await bench.supervisor.start()
        await bench.addStrap()
        await bench.supervisor.connect(SupervisorBench.strap)
        try await bench.read(until: .ready)
        if services(bench.seen).isEmpty { try await bench.read { if case .services = $0 { true } else { false } } }
        #expect(services(bench.seen).last?.count == 2)
    }

    @Test("a vital that is assigned to one sensor is taken from the one that had it, and both are remembered")
    func assigned() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.remember([
            RememberedSensor(
                address: SupervisorBench.oximeter, name: "e-Oximeter", kind: .oximeter, isWanted: false,
                assignedVitals: [.pulseRate, .heartRate])
        ])
        await bench.supervisor.start()
        await bench.addStrap()
        try await bench.read { if case .nearby = $0 { true } else { false } }
        await bench.supervisor.assign([.heartRate], to: SupervisorBench.strap)
        try await bench.read {
            if case .remembered(let sensor) = $0 { sensor.address == SupervisorBench.strap } else { false }
        }
        var assigned: [String: Set<Vital>] = [:]
        for case .remembered(let sensor) in bench.seen { assigned[sensor.address] = sensor.assignedVitals }
        #expect(assigned == [SupervisorBench.strap: [.heartRate], SupervisorBench.oximeter: [.pulseRate]])
    }
}
