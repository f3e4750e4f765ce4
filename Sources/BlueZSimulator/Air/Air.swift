/// Everything that is not bluetoothd: the sensors, and the radio that hears them.
final class Air {
    let clock: SimulationClock
    let peripherals: [SimulatedPeripheral]
    let adapter: AdapterDescription
    let noise: Noise
    var isAdapterPlugged: Bool
    var filtersDuplicates: Bool
    /// Whether the adapter is blocked by rfkill.
    var isAdapterBlocked = false
    /// Seconds that a packet takes.
    var latency = Air.usualLatency
    /// What happened, for tests that ask.
    let log: EventLog
    /// How often the radio did what.
    var counts: [String: Int] = [:]

    /// The latency with which everything was observed that is imitated, in seconds.
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

    /// The seconds that something takes which was observed to take `seconds`, all of it in packets.
    func packets(_ seconds: Double) -> Double { seconds * latency / Self.usualLatency }

    /// Counts something that the radio did.
    func count(_ what: String) { counts[what, default: 0] += 1 }
}
