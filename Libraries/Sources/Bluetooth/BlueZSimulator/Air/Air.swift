import Base
import EventLoops

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

/// The newest events in the simulated world, as short lines.
final class EventLog {
    /// The greatest number of lines.
    static let capacity = 500

    private let clock: SimulationClock
    private var lines: [String] = []

    init(clock: SimulationClock) {
        self.clock = clock
    }

    /// Adds a line, with the simulated time in front.
    func add(_ text: String) {
        if lines.count == Self.capacity { lines.removeFirst() }
        let milliseconds = Int(clock.now * 1000)
        let fraction = String(milliseconds % 1000)
        let zeros = String(repeating: "0", count: 3 - fraction.utf8.count)
        lines.append("\(milliseconds / 1000).\(zeros)\(fraction) \(text)")
    }

    /// The newest lines, the oldest of them first.
    func newest(_ count: Int) -> ArraySlice<String> { lines.suffix(count) }
}

/// The time of the simulated world, scaled by a factor.
final class SimulationClock {
    let loop: EventLoop
    /// The real seconds per simulated second.
    let scale: Double
    private let start: Int64

    init(loop: EventLoop, scale: Double) {
        self.loop = loop
        self.scale = scale
        start = Timestamp.monotonicNow()
    }

    /// Seconds since the beginning.
    var now: Double { Double(Timestamp.monotonicNow() - start) / 1_000_000_000 / scale }

    /// Calls a closure at or soon after a time.
    @discardableResult
    func at(_ seconds: Double, _ handler: @escaping () -> Void) -> LoopTimer {
        loop.schedule(at: start + Int64(min(max(seconds, 0) * scale, 3e9) * 1_000_000_000), handler)
    }

    /// Calls a closure after a delay.
    @discardableResult
    func after(_ seconds: Double, _ handler: @escaping () -> Void) -> LoopTimer {
        at(now + seconds, handler)
    }

    func cancel(_ timer: LoopTimer?) {
        if let timer { loop.cancel(timer) }
    }
}
