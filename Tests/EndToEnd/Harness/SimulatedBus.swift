import DBus
import Foundation
import Glibc
import Testing

/// A private message bus with a stand-in `bluetoothd` on it that plays a scenario: `bedside simulate`.
///
/// Bus and simulator end with this value.
actor SimulatedBus {
    nonisolated var unownedExecutor: UnownedSerialExecutor { Harness.loop.asUnownedSerialExecutor() }

    /// The bus's address, as in `DBUS_SYSTEM_BUS_ADDRESS`.
    nonisolated let address: String

    private let simulator: ProgramWithPipes
    private let connection: DBusConnection

    /// Starts a bus and a simulator.
    ///
    /// - Parameter scenario: The name of a built-in scenario, or the path of a scenario file.
    static func start(_ scenario: String, sourceLocation: SourceLocation = #_sourceLocation) async throws
        -> SimulatedBus
    {
        let simulator = try await ProgramWithPipes.start(["simulate", scenario], ending: .terminate)
        guard let line = try await simulator.nextLine(sourceLocation: sourceLocation) else {
            throw await simulator.failure("the simulator gave no address", sourceLocation)
        }
        let address = line.trimmingCharacters(in: .whitespaces)
        let connection = try await DBusConnection.connect(to: .address(address), on: Harness.loop)
        return SimulatedBus(address: address, simulator: simulator, connection: connection)
    }

    private init(address: String, simulator: ProgramWithPipes, connection: DBusConnection) {
        self.address = address
        self.simulator = simulator
        self.connection = connection
    }

    /// Has the simulator do something, such as `temp 38.6` or `drop hr`.
    ///
    /// - Returns: What it answers.
    @discardableResult
    func please(_ command: String) async throws -> String {
        let path = try #require(ObjectPath("/bedside/simulator"))
        let answer = try await connection.call(
            "io.bedside.Simulator", path, "io.bedside.Simulator1", "Do", [.string(command)])
        return answer.first?.text ?? ""
    }

    /// How many sensors bluetoothd calls connected, as any of its clients would learn it.
    func connectedSensors() async throws -> Int {
        let objects = try await connection.call(
            "org.bluez", .root, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        let interfaces = objects.first?.entries?.flatMap { $0.value.entries ?? [] } ?? []
        return interfaces.count {
            $0.key.text == "org.bluez.Device1" && $0.value.namedValues?["Connected"]?.isTrue == true
        }
    }

    /// Waits until no sensor has a link: BlueZ tells of the end of a link a moment after it has answered `Disconnect`.
    func waitUntilNothingIsConnected(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<100 {
            if try await connectedSensors() == 0 { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("sensors are still connected after 5 s", sourceLocation: sourceLocation)
    }

    /// Ends the simulator, the bus and everything on it.
    func end(signal: Int32 = SIGTERM) async throws {
        await simulator.send(signal: signal)
        _ = try await simulator.waitForExit()
    }
}
