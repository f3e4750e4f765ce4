/// The simulated surroundings of bluetoothd: the sensors and the radio.
final class Air {
    let clock: SimulationClock
    let peripherals: [SimulatedPeripheral]
    let adapter: AdapterDescription
    let noise: Noise
    var isAdapterPlugged: Bool
    var filtersDuplicates: Bool
    /// Whether the adapter is blocked by rfkill.
    var isAdapterBlocked = false
    /// The duration of a packet, in seconds.
    var latency = Air.usualLatency
    /// The log of events, for tests.
    let log: EventLog
    /// The counts of radio operations.
    var counts: [String: Int] = [:]

    /// The packet latency of the real observations that the simulator reproduces, in seconds.
    static let usualLatency = 0.02

    init(_ scenario: Scenario, clock: SimulationClock) {
        self.clock = clock
        log = EventLog(clock: clock)
        noise = Noise(seed: scenario.seed)
        let noise = noise
        peripherals = scenario.sensors.enumerated().map { index, sensor in
            SimulatedPeripheral(sensor, noise: noise.stream(index), period: scenario.period)
        }
        adapter = scenario.adapter
        isAdapterPlugged = scenario.adapter.isPlugged
        filtersDuplicates = scenario.adapter.filtersDuplicates
    }

    /// The duration of an operation that was observed to take `seconds`, scaled by the latency.
    func packets(_ seconds: Double) -> Double { seconds * latency / Self.usualLatency }

    /// Counts a radio operation.
    func count(_ what: String) { counts[what, default: 0] += 1 }
}
