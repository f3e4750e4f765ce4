import BlueZSimulator
import DBus
import EventLoops

/// The strap's characteristic that carries the heart rate.
let heartRateMeasurement = "/D2/service001b/char001c"

/// Runs a simulator whose time goes fast, and a client of it, for the length of a test.
///
/// The test runs on the clients' thread: in Swift's thread pool other tests could hold it up for longer than a simulated
/// half minute, after which a device that no adapter hears is rightly forgotten.
///
/// - Parameter timeScale: How many real seconds a simulated one takes; a hundredth makes 40 s last 0.4 s.
func withSimulator(
    _ scenario: Scenario = .steady, timeScale: Double = 0.05,
    _ body: (BusClient, TestBench) async throws -> Void
) async throws {
    let bench = try await TestBench(scenario, timeScale: timeScale)
    do {
        try await withTaskExecutorPreference(bench.clientLoop) {
            try await body(try await bench.client(), bench)
        }
    } catch {
        await bench.end()
        throw error
    }
    await bench.end()
}

/// A simulator on a loop of its own, and a loop for its clients.
struct TestBench: Sendable {
    let simulator: Simulator
    let address: String
    private let simulatorLoop = EventLoop()
    let clientLoop = EventLoop()

    init(_ scenario: Scenario, timeScale: Double) async throws {
        simulatorLoop.startThread(named: "simulator")
        clientLoop.startThread(named: "clients")
        simulator = Simulator(loop: simulatorLoop, scenario: scenario, timeScale: timeScale)
        address = try await simulator.start()
    }

    /// Another client.
    func client() async throws -> BusClient {
        try await BusClient.connect(to: address, on: clientLoop)
    }

    /// Drives the sensors.
    func perform(_ command: String) async throws {
        let answer = await simulator.perform(command: command)
        if answer != "ok" { throw Refused(command: command, answer: answer) }
    }

    /// Waits until a Connect to any sensor is pending.
    func untilConnecting() async throws {
        let begin = ContinuousClock.now
        while !(await simulator.perform(command: "state")).contains("\"connecting\": true") {
            if begin.duration(to: .now) > BusLog.limit { throw NeverSeen(event: "a pending Connect", events: []) }
            await Task.yield()
        }
    }

    func end() async {
        await simulator.stop()
        simulatorLoop.stop()
        clientLoop.stop()
    }
}

/// A command that was not understood.
struct Refused: Error {
    let command: String
    let answer: String
}
