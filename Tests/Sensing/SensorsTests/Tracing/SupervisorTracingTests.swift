import BlueZ
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("A sensor that is traced", .timeLimit(.minutes(10)))
struct SupervisorTracingTests {
    private func steps(_ kinds: [MonitorEvent.Kind]) -> [TraceEntry.Kind] {
        kinds.compactMap { if case .traced(let entry) = $0 { entry.kind } else { nil } }
    }

    private func isReading(_ kind: MonitorEvent.Kind) -> Bool { kind.reading != nil }

    @Test("reports nothing while nobody asks, and every step from then on, beginning with what is known")
    func begun() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.addStrap()
        await bench.supervisor.connect(SupervisorBench.strap)
        try await bench.read(until: .ready)
        await bench.central.notify(SupervisorBench.strap, "2a37", [0x06, 72])
        try await bench.read(until: isReading)
        #expect(steps(bench.seen).isEmpty)
        #expect(bench.central.operationBroadcast.readerCount == 0)

        await bench.supervisor.carryOut(.trace(.all, seconds: 60))
        try await bench.read { if case .traced(let entry) = $0, case .discovered = entry.kind { true } else { false } }
        let known = steps(bench.seen)
        #expect(known.contains(.connected(hasPublicAddress: false)))
        guard case .discovered(let services)? = known.last else { return }
        #expect(services.flatMap(\.characteristics).map(\.attribute.uuid) == ["2A37", "2A38", "2A39", "2A19"])

        await bench.central.notify(SupervisorBench.strap, "2a37", [0x06, 73])
        try await bench.read { if case .traced(let entry) = $0, case .notified = entry.kind { true } else { false } }
        #expect(steps(bench.seen).last == .notified(TraceEntry.Attribute(uuid: "2A37", handle: 0), .shown([0x06, 73])))
        await bench.supervisor.shutDown()
        #expect(bench.central.operationBroadcast.readerCount == 0)
    }

    @Test("is the only one, where it was named")
    func named() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.addStrap()
        await bench.addOximeter()
        for address in [SupervisorBench.strap, SupervisorBench.oximeter] {
            await bench.supervisor.connect(address)
            try await bench.read(until: .ready, of: address)
        }
        await bench.supervisor.carryOut(.trace(.sensor(address: SupervisorBench.strap), seconds: 60))
        await bench.central.notify(SupervisorBench.strap, "2a37", [0x06, 72])
        try await bench.read { if case .traced(let entry) = $0, case .notified = entry.kind { true } else { false } }
        for case .traced(let entry) in bench.seen { #expect(entry.address == SupervisorBench.strap) }
        #expect(!steps(bench.seen).isEmpty)
    }

    @Test("gives what it is asked for and answered, in BlueZ's words")
    func operations() async throws {
        let bench = await SupervisorBench()
        await bench.supervisor.start()
        await bench.addStrap()
        await bench.supervisor.carryOut(.trace(.all, seconds: 60))
        let address = try #require(BluetoothAddress(SupervisorBench.strap))
        let error = BlueZError(.authenticationFailed, name: "org.bluez.Error.AuthenticationFailed", text: "no\u{1B}")
        for stage in [PeripheralOperation.Stage.began, .failed(error)] {
            await bench.central.report(operation: .pair, of: address, stage)
        }
        try await bench.read { if case .traced(let entry) = $0, case .failed = entry.kind { true } else { false } }
        #expect(
            steps(bench.seen).suffix(2) == [
                .asked(.pair), .failed(.pair, error: "org.bluez.Error.AuthenticationFailed: no\u{FFFD}"),
            ])
    }

    @Test(
        "an authentication's octets are counted and not shown, in either direction",
        arguments: [
            ("F8083535-849E-531C-C594-30F1F86A4EA5", [0x03, 1, 2, 3], true), ("2A9F", [2, 1, 0x0F, 0x27], true),
            ("FFE1", [0x07, 0xF1, 1, 2], true), ("FFE1", [0x11, 0x00, 1, 2], false), ("2A37", [6, 72], false),
        ] as [(String, [UInt8], Bool)])
    func secrets(uuid: String, octets: [UInt8], isSecret: Bool) throws {
        let characteristic = try #require(BluetoothUUID(uuid))
        #expect(
            TraceSecrets.octets(octets, of: characteristic)
                == (isSecret ? .secret(count: octets.count) : .shown(octets)))
    }

    @Test("ends by itself when nobody asks again")
    func expired() {
        func moment(_ seconds: Int64) -> Moment {
            Moment(monotonicNanoseconds: seconds * 1_000_000_000, wallMilliseconds: seconds * 1000)
        }
        var trace = SensorTrace()
        trace.add(.all, until: moment(60))
        trace.add(.all, until: moment(40))
        trace.add(.sensor(address: SupervisorBench.strap), until: moment(90))
        trace.expire(at: moment(59))
        #expect(trace.scopes.count == 2)
        trace.expire(at: moment(60))
        #expect(trace.scopes == [.sensor(address: SupervisorBench.strap): moment(90)])
        trace.expire(at: moment(90))
        #expect(!trace.isOn)
    }

    @Test("a handle is that of the value, as far as BlueZ's path tells it")
    func handles() throws {
        let address = try #require(BluetoothAddress(SupervisorBench.strap))
        func handle(_ path: String) throws -> UInt16 {
            let path = try #require(ObjectPath(path))
            let uuid = BluetoothUUID(0x2A37)
            return TraceEntry.Attribute(
                CharacteristicReference(path: path, uuid: uuid, service: uuid, peripheral: address)
            ).handle
        }
        #expect(try handle("/org/bluez/hci0/dev_C0/service001b/char001c") == 0x001D)
        #expect(try handle("/org/bluez/hci0/dev_C0/service001b/charffff") == 0)
        #expect(try handle("/org/bluez/hci0/zzzz") == 0)
    }
}
