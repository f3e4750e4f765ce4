import BlueZ
import BlueZSimulator
import DBus
import EventLoops

/// A simulator that plays a scenario, whose time goes fast, and a BlueZ that is connected to it.
final class Playground: Sendable {
    let busAddress: String
    let bluez: BluetoothCentral
    private let simulator: Simulator
    private let simulatorLoop = EventLoop()
    private let clientLoop = EventLoop()

    init(_ scenario: String, timeScale: Double = 0.05) async throws {
        simulatorLoop.startThread(named: "simulator")
        clientLoop.startThread(named: "bluetooth")
        simulator = Simulator(
            loop: simulatorLoop, scenario: try Scenario(json5: scenario, file: "test"), timeScale: timeScale)
        busAddress = try await simulator.start()
        bluez = BluetoothCentral(loop: clientLoop, bus: .address(busAddress))
        await bluez.start()
    }

    /// Drives the sensors.
    func perform(_ command: String) async throws {
        let answer = await simulator.perform(command: command)
        if answer != "ok" { throw Refused(answer: answer) }
    }

    struct Refused: Error {
        let answer: String
    }

    func end() async {
        await bluez.stop()
        await simulator.stop()
        simulatorLoop.stop()
        clientLoop.stop()
    }
}

/// Runs a body against a scenario, and ends everything in any case.
func withPlayground(
    _ scenario: String, timeScale: Double = 0.05, _ body: (Playground) async throws -> Void
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
