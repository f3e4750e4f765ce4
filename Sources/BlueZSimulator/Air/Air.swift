/// Everything that is not bluetoothd: the sensors, and the radio that hears them.
final class Air {
    let clock: SimulationClock
    let peripherals: [SimulatedPeripheral]
    let adapter: AdapterDescription
    let noise: Noise
    var isAdapterPlugged: Bool
    var filtersDuplicates: Bool

    init(_ scenario: Scenario, clock: SimulationClock) {
        self.clock = clock
        noise = Noise(seed: scenario.seed)
        let noise = noise
        peripherals = scenario.sensors.enumerated().map { index, sensor in
            SimulatedPeripheral(sensor, noise: noise.stream(index), period: scenario.period)
        }
        adapter = scenario.adapter
        isAdapterPlugged = scenario.adapter.isPlugged
        filtersDuplicates = scenario.adapter.filtersDuplicates
    }
}
