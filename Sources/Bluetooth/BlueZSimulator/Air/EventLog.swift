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
