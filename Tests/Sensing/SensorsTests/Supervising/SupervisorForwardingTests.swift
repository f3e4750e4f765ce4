import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("The supervisor, telling a CORE the heart rate", .timeLimit(.minutes(10)))
struct SupervisorForwardingTests {
    private static let point = "00002102-5b1e-4347-b07c-97b514dae121"
    private static let value = "00002101-5b1e-4347-b07c-97b514dae121"
    private static let core = SupervisorBench.thermometer

    private static func bench(isWanted: Bool) async throws -> SupervisorBench {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.supervisor.forwardHeartRate(isWanted)
        await bench.supervisor.start()
        await bench.central.offer(
            core, service: "00002100-5b1e-4347-b07c-97b514dae121",
            ["\(value) read notify", "\(point) write indicate"])
        await bench.central.appear(core, name: "CORE 1A2B", services: ["1809"])
        try await bench.read(until: .ready, of: core)
        await bench.addStrap()
        try await bench.read(until: .ready)
        return bench
    }

    @Test("writes what the strap measures, and ends it when the strap is off the body")
    func forwards() async throws {
        let bench = try await Self.bench(isWanted: true)
        await bench.central.notify(SupervisorBench.strap, "2a37", [0x06, 72])
        await bench.wait(for: .subscribe(Self.point))
        await bench.wait(for: .write(Self.point, [0x13, 72]))
        await bench.central.notify(Self.core, Self.point, [0x80, 0x13, 1])
        await bench.central.notify(SupervisorBench.strap, "2a37", [0x06, 73])
        await bench.wait(for: .write(Self.point, [0x13, 73]))
        await bench.central.notify(Self.core, Self.point, [0x80, 0x13, 1])
        // No skin contact.
        await bench.central.notify(SupervisorBench.strap, "2a37", [0x04, 73])
        await bench.wait(for: .write(Self.point, [0x13]))
    }

    @Test("writes nothing unless the user wishes so")
    func unwished() async throws {
        let bench = try await Self.bench(isWanted: false)
        await bench.central.notify(SupervisorBench.strap, "2a37", [0x06, 72])
        try await bench.read { $0.reading?.vital == .heartRate }
        await bench.settle()
        let calls = await bench.central.calls
        #expect(!calls.contains(.subscribe(Self.point)))
        #expect(!calls.contains { if case .write = $0 { true } else { false } })
    }
}
