import BlueZSimulator
import HealthDevices

/// Runs a body against simulated sensors whose time goes fast, and ends everything in any case.
func withSimulation(
    _ scenario: String, _ body: (Simulator, BluetoothCentral) async throws -> Void
) async throws {
    let simulator = Simulator(try Scenario(json5: scenario, file: "test"), timeScale: 0.05)
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
