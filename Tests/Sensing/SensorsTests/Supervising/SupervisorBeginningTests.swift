import BlueZ
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

@Suite("How the supervisor begins", .timeLimit(.minutes(10)))
struct SupervisorBeginningTests {
    private static let strap = RememberedSensor(
        address: SupervisorBench.strap, name: "Polar H10 1234", kind: .heartRateStrap, isWanted: true)

    /// What a start finds, in the order in which it is reported.
    enum Beginning: CaseIterable, Sendable {
        case everything, lateBus, lateDaemon, lateAdapter, noSensor

        /// What is found late.
        fileprivate var late: FakeCentral.RadioPart? {
            switch self {
            case .everything, .noSensor: nil
            case .lateBus: .bus
            case .lateDaemon: .daemon
            case .lateAdapter: .adapter
            }
        }
    }

    @Test("says nothing of an earlier life while bus and daemon are only being found", arguments: Beginning.allCases)
    func order(beginning: Beginning) async throws {
        // However long a busy computer takes to show the adapter.
        let bench = await SupervisorBench(adapterGrace: .seconds(3600))
        if beginning != .noSensor { await bench.addStrap() }
        await bench.central.hideRadio(from: beginning.late)
        await bench.supervisor.remember([Self.strap])
        await bench.supervisor.start()
        await bench.settle()
        var late = await bench.supervisor.events().makeAsyncIterator()
        await bench.central.showRadio()
        let states = try await bench.read(until: beginning == .noSensor ? .waiting : .ready)
        // Adapters are reported before sensors, so there may be a moment in which the sensor is not known.
        let phases = states.map(\.phase).drop { $0 == .waiting }
        #expect(beginning == .noSensor ? phases.isEmpty : phases == [.connecting, .connected, .ready])
        #expect(states.allSatisfy { $0.reason == nil || $0.reason == .removed })
        // Nor is it reported to a reader that comes meanwhile.
        while let event = await late.next() {
            guard let state = event.kind.connection(of: SupervisorBench.strap) else { continue }
            #expect(state.reason == nil || state.reason == .removed)
            break
        }
    }

    @Test("says while it is prepared that there is no bus, and takes in no sensor before it starts")
    func prepared() async throws {
        let bench = await SupervisorBench(policy: .everyVitalSensor)
        await bench.addStrap()
        await bench.supervisor.prepare()
        await bench.central.report(.bus(.lost(reason: "no bus")))
        await bench.central.report(.bus(.connected))
        await bench.central.advertise(SupervisorBench.strap, rssi: -60)
        #expect(try await bench.read { _ in true } == [.bus(.lost(reason: "no bus"))])
        await bench.settle()
        await bench.supervisor.start()
        #expect(try await bench.read { _ in true } == [.bus(.connected)])
        try await bench.read(until: .ready)
    }

    @Test("says that Bluetooth is not there once that is known, and then waits for the sensor")
    func noBus() async throws {
        let bench = await SupervisorBench()
        await bench.central.hideRadio(from: .bus)
        await bench.supervisor.remember([Self.strap])
        await bench.supervisor.start()
        await bench.settle()
        await bench.central.report(.bus(.lost(reason: "no bus")))
        #expect(try await bench.read(until: .waiting) == [ConnectionState(phase: .waiting, reason: .bus)])
        await bench.central.showRadio()
        let states = try await bench.read { $0.connection(of: SupervisorBench.strap)?.attempt == 1 }
            .compactMap { $0.connection(of: SupervisorBench.strap) }
        #expect(states.last == ConnectionState(phase: .waiting, reason: .bus, attempt: 1))
    }
}
