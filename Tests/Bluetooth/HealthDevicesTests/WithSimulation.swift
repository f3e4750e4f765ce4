import BlueZSimulator
import HealthDevices

/// Runs a body against simulated sensors whose time goes fast, and ends everything in any case.
func withSimulation(
    _ scenario: String, _ body: (Simulator, BluetoothCentral) async throws -> Void
) async throws {
    // As for the examples: a busy computer may keep a test waiting for more than a second, and bluetoothd forgets a
    // device that was not heard for 30 s of the scenario.
    let simulator = Simulator(try Scenario(json5: scenario, file: "test"), timeScale: 0.2)
    let central = BluetoothCentral(bus: .address(try await simulator.start()))
    await central.start()
    let outcome: Result<Void, any Error>
    do {
        outcome = .success(try await body(simulator, central))
    } catch {
        outcome = .failure(error)
    }
    await central.stop()
    await simulator.stop()
    try outcome.get()
}

extension BluetoothCentral {
    /// Returns so many peripherals that match, the strongest first, when they were heard.
    ///
    /// On a busy computer half a second may pass before the bus is reached.
    func heard(_ count: Int = 1, matching criteria: DiscoveryCriteria) async -> [Peripheral] {
        var found: [Peripheral] = []
        while found.count < count, !Task.isCancelled {
            found = await strongestPeripherals(matching: criteria, listeningFor: .milliseconds(500))
        }
        return found
    }
}
