import BlueZ
import EventLoops
import Testing
import Vitals

@testable import KnownSensors
@testable import Sensors

extension RadioSwitch {
    /// On a computer without radio switches.
    static let none = RadioSwitch(directory: "/nowhere", device: "/nowhere")
}

/// A supervisor on a scripted BlueZ, with a reader of its events.
final class SupervisorBench {
    static let strap = "C0:52:49:00:00:02"
    static let oximeter = "C0:52:49:00:00:03"
    static let thermometer = "C0:52:49:00:00:01"

    let loop = EventLoop()
    let central: FakeCentral
    let supervisor: SensorSupervisor
    private var iterator: BroadcastSequence<MonitorEvent>.Iterator
    /// Everything that was read.
    private(set) var seen: [MonitorEvent.Kind] = []

    init(
        policy: ConnectPolicy = .none, radioSwitch: RadioSwitch = .none,
        adapterGrace: Duration = SensorSupervisor.adapterGrace
    ) async {
        loop.startThread(named: "test")
        central = FakeCentral(loop: loop)
        supervisor = SensorSupervisor(
            central: central, policy: policy, radioSwitch: radioSwitch, adapterGrace: adapterGrace
        ) { 0.5 }
        iterator = await supervisor.events().makeAsyncIterator()
    }

    deinit {
        loop.stop()
    }

    /// Puts a strap with battery and body location on the air.
    func addStrap(isConnected: Bool = false) async {
        await central.offer(
            Self.strap, service: "180d", ["2a37 notify", "2a38 read", "2a39 write"], values: ["2a38": [1]])
        await central.offer(Self.strap, service: "180f", ["2a19 read notify"], values: ["2a19": [87]])
        await central.appear(Self.strap, name: "Polar H10 1234", services: ["180d"], isConnected: isConnected)
    }

    /// Puts an oximeter on the air.
    func addOximeter() async {
        await central.offer(
            Self.oximeter, service: "1822", ["2a5f notify", "2a5e indicate", "2a60 read"],
            values: ["2a60": [0x00, 0x00]])
        await central.appear(Self.oximeter, name: "e-Oximeter", services: ["1822"])
    }

    /// Reads until an event comes that fits, however long that takes; the suite's time limit ends a wait in vain.
    @discardableResult
    func read(until isLast: (MonitorEvent.Kind) -> Bool) async throws -> [MonitorEvent.Kind] {
        var read: [MonitorEvent.Kind] = []
        while let event = await iterator.next() {
            read.append(event.kind)
            seen.append(event.kind)
            if isLast(event.kind) { return read }
        }
        throw StreamEnded(read: read)
    }

    /// Reads until a sensor is reported in a phase; returns the states that it went through.
    @discardableResult
    func read(until phase: ConnectionState.Phase, of address: String = strap) async throws -> [ConnectionState] {
        try await read { $0.connection(of: address)?.phase == phase }.compactMap { $0.connection(of: address) }
    }

    /// Reads the rest, up to the end of the stream.
    func readToEnd() async -> [MonitorEvent.Kind] {
        var read: [MonitorEvent.Kind] = []
        while let event = await iterator.next() { read.append(event.kind) }
        return read
    }

    /// Waits until BlueZ was asked for something; the suite's time limit ends a wait in vain.
    func wait(for call: FakeCentral.Call) async { await wait { $0.contains(call) } }

    /// Waits until what BlueZ was asked for fits; the suite's time limit ends a wait in vain.
    func wait(until fits: ([FakeCentral.Call]) -> Bool) async {
        while !fits(await central.calls) { await Task.yield() }
    }

    /// Waits until BlueZ discovers, or does not; the suite's time limit ends a wait in vain.
    func wait(untilDiscovering isDiscovering: Bool) async {
        while await central.isDiscovering != isDiscovering { await Task.yield() }
    }

    /// Lets everything that is queued on the loop happen, so that what does not come will not come.
    func settle() async {
        for _ in 0..<20 { _ = await central.calls }
    }

    struct StreamEnded: Error {
        var read: [MonitorEvent.Kind]
    }
}

extension MonitorEvent.Kind {
    /// The state of a connection, when this is about one.
    func connection(of address: String) -> ConnectionState? {
        guard case .connection(let identity, let state) = self, identity.address == address else { return nil }
        return state
    }

    /// The reading, when this is one.
    var reading: Reading? {
        guard case .reading(let reading) = self else { return nil }
        return reading
    }

    /// The status of the adapter, when this is about one.
    var adapter: AdapterStatus? {
        guard case .adapter(let status) = self else { return nil }
        return status
    }

    /// The statuses of all adapters, when this is about them.
    var adapters: [AdapterStatus]? {
        guard case .adapters(let all) = self else { return nil }
        return all
    }

    /// The gap, when this is one.
    var gap: Gap? {
        guard case .gap(let gap) = self else { return nil }
        return gap
    }
}
