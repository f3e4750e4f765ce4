import DBus
import Foundation
import Glibc
import Testing

/// The Bluetooth that a scenario happens in: a message bus, a bluetoothd, an adapter, and the three sensors of
/// ``Steady`` with values that stand still.
///
/// It is the scenario's alone until its last reference goes.
actor World {
    nonisolated var unownedExecutor: UnownedSerialExecutor { Harness.loop.asUnownedSerialExecutor() }

    /// The bus's address, as in `DBUS_SYSTEM_BUS_ADDRESS`.
    nonisolated let address: String

    private let control: ControlConnection
    /// What ends with this value: the simulator's process, or the turn at the machine.
    private let owned: any Sendable

    /// Begins with a world in its usual state: everything runs, every sensor can be heard, nothing is connected.
    static func start(sourceLocation: SourceLocation = #_sourceLocation) async throws -> World {
        switch BackEnd.current {
        case .simulator: try await simulated("steady", sourceLocation: sourceLocation)
        case .machine(let control): try await machine(control)
        }
    }

    /// Begins with the machine's world of this name, in which the three sensors of ``Steady`` are not alone.
    static func inMachine(_ name: String) async throws -> World {
        guard case .machine(let control) = BackEnd.current else { throw HarnessError("there is no machine") }
        return try await machine(control, name)
    }

    /// Begins with a world whose strap has an ECG beside its heart rate.
    static func withECG() async throws -> World {
        guard BackEnd.current.isSimulator else { return try await inMachine("waves") }
        let folder = try TemporaryFolder()
        return try await simulated(try folder.write(Steady.scenario(strap: "electrocardiogram: true"), to: "ecg.json5"))
    }

    /// Begins with a world whose adapter can be blocked by rfkill.
    ///
    /// The kernel's switches cannot be simulated, so the simulator reports the block by the property `PowerState`, as
    /// newer versions of BlueZ do; the machine's has the kernel's switches only.
    static func withRadioSwitch() async throws -> World {
        guard BackEnd.current.isSimulator else { return try await start() }
        let folder = try TemporaryFolder()
        return try await simulated(
            try folder.write(
                Steady.scenario(adapter: "{ powerState: true }"), to: "power-state.json5"))
    }

    /// A simulated world that plays a scenario.
    ///
    /// - Parameter scenario: The name of a built-in scenario, or the path of a scenario file.
    static func simulated(_ scenario: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> World {
        let simulator = try await ProgramWithPipes.start(["simulate", scenario], ending: .terminate)
        guard let line = try await simulator.nextLine(sourceLocation: sourceLocation) else {
            throw await simulator.failure("the simulator gave no address", sourceLocation)
        }
        let address = line.trimmingCharacters(in: .whitespaces)
        let bus = try #require(address.firstMatch(of: /unix:path=([^,]+)/), "\(address)").1
        let folder = URL(fileURLWithPath: String(bus)).deletingLastPathComponent().path
        let control = try await ControlConnection.open(folder + "/control")
        return World(address: address, control: control, owned: simulator)
    }

    private static func machine(_ path: String, _ name: String = "steady") async throws -> World {
        let turn = await Turn.take()
        let world = World(
            address: "unix:path=/run/dbus/system_bus_socket", control: try await ControlConnection.open(path),
            owned: turn)
        try await world.reset(to: name)
        return world
    }

    private init(address: String, control: ControlConnection, owned: any Sendable) {
        self.address = address
        self.control = control
        self.owned = owned
    }

    // MARK: Doing

    /// Has something happen, such as `temp 38.6`, `drop hr` or `bluez-kill`; it is over when this returns.
    ///
    /// - Returns: What is answered.
    @discardableResult
    func please(_ command: String) async throws -> String {
        try await control.perform(command)
    }

    /// Lets the bus's policy forbid, or no longer forbid, that anybody calls bluetoothd.
    func permitCalls(_ isPermitted: Bool) async throws {
        if BackEnd.current.isSimulator {
            try await please("permit \(isPermitted ? "on" : "off")")
        } else {
            if isPermitted { try await Refusal.end(at: address) } else { try await Refusal.begin(at: address) }
        }
    }

    /// Another program that uses the same bluetoothd.
    func otherProgram() async throws -> OtherProgram {
        OtherProgram(connection: try await DBusConnection.connect(to: .address(address), on: Harness.loop))
    }

    /// The process that has a name on the bus.
    func process(of name: String) async throws -> pid_t {
        let client = try await DBusConnection.connect(to: .address(address), on: Harness.loop)
        let bus = "org.freedesktop.DBus"
        let answer = try await client.call(bus, .root, bus, "GetConnectionUnixProcessID", [.string(name)])
        await client.close()
        let process = try #require(answer.first?.integer.flatMap { pid_t(exactly: $0) })
        try #require(process > 1)
        return process
    }

    /// Ends the simulator, its bus and everything on it.
    func endSimulator() async throws {
        let simulator = try #require(owned as? ProgramWithPipes, "only a simulator can be ended")
        await simulator.send(signal: SIGTERM)
        _ = try await simulator.waitForExit()
    }

    // MARK: Seeing

    /// What a sensor itself sees.
    struct SensorState {
        /// Whether it has a link.
        var isConnected: Bool
        /// The characteristics that it has a subscription to, such as `2a37`.
        var subscribed: Set<String>
        /// The waves that it sends, to anybody or to nobody.
        var streams: [String]
    }

    /// What a sensor itself sees.
    ///
    /// - Parameter word: `temp`, `hr` or `spo2`.
    func sensor(_ word: String) async throws -> SensorState {
        let text = try await please("state")
        let state = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let sensor = try #require(state?[word] as? [String: Any], "\(text)")
        let subscribed = sensor["subscribed"] as? [String: String] ?? [:]
        return SensorState(
            isConnected: sensor["connected"] as? Bool ?? false,
            subscribed: Set(subscribed.filter { $0.value != "off" }.keys),
            streams: sensor["streams"] as? [String] ?? [])
    }

    /// How many sensors have a link.
    func connectedSensors() async throws -> Int {
        var count = 0
        for word in Steady.words where try await sensor(word).isConnected { count += 1 }
        return count
    }

    /// Waits until no sensor has a link any more.
    func waitUntilNothingIsConnected(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await waitUntil("no sensor is connected", sourceLocation: sourceLocation) {
            try await self.connectedSensors() == 0
        }
    }

    /// Waits for a condition by polling.
    nonisolated func waitUntil(
        _ description: String, within limit: Duration = Harness.timeout,
        sourceLocation: SourceLocation = #_sourceLocation, _ condition: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now.advanced(by: limit)
        while try await !condition() {
            guard ContinuousClock.now < end else {
                throw HarnessError("waited in vain until \(description)", at: sourceLocation)
            }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}
