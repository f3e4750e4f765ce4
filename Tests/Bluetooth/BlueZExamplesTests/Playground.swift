import BlueZ
import BlueZSimulator

/// A simulator that plays a scenario, whose time goes fast, and a central that is connected to its bus.
///
/// Five times as fast as ours: bluetoothd forgets a sensor that was not heard for thirty seconds, and a busy computer may
/// keep the simulator waiting for some of ours.
final class Playground: Sendable {
    let busAddress: String
    let central: BluetoothCentral
    let simulator: Simulator

    init(_ scenario: String, timeScale: Double = 0.2) async throws {
        simulator = Simulator(try Scenario(json5: scenario, file: "test"), timeScale: timeScale)
        busAddress = try await simulator.start()
        central = BluetoothCentral(bus: .address(busAddress))
        await central.start()
    }

    /// Drives the sensors.
    func perform(_ command: String) async throws {
        let answer = await simulator.perform(command: command)
        if answer != "ok" { throw Refused(answer: answer) }
    }

    /// Asks for what the simulator knows.
    func ask(_ question: String) async throws -> String { await simulator.perform(command: question) }

    struct Refused: Error {
        let answer: String
    }

    func end() async {
        await central.stop()
        await simulator.stop()
    }
}

/// Runs a body against a scenario, and ends everything in any case.
func withPlayground(
    _ scenario: String, timeScale: Double = 0.2, _ body: (Playground) async throws -> Void
) async throws {
    let playground = try await Playground(scenario, timeScale: timeScale)
    do {
        try await body(playground)
    } catch {
        await playground.end()
        throw error
    }
    await playground.end()
}
