/// The content and the events of a simulated world.
///
/// A scenario comes from a JSON5 file (``load(path:)``), from a text (``init(json5:file:)``), or is built in
/// (``wardEvening``, ``steady``). The article "Writing scenarios" lists every field.
public struct Scenario: Sendable {
    /// The title.
    public let title: String
    let adapter: AdapterDescription
    let sensors: [SensorDescription]
    /// The events in the order of their times.
    let events: [ScenarioEvent]
    /// The period of curves and events, in seconds; `nil` without repetition.
    let period: Double?
    let seed: UInt64

    init(
        title: String, adapter: AdapterDescription, sensors: [SensorDescription], events: [ScenarioEvent],
        period: Double?, seed: UInt64
    ) {
        self.title = title
        self.adapter = adapter
        self.sensors = sensors
        self.events = events.sorted { $0.seconds < $1.seconds }
        self.period = period
        self.seed = seed
    }
}

/// The local radio of a scenario.
struct AdapterDescription: Hashable, Sendable {
    var address = "00:1B:DC:00:00:01"
    var name = "Bedside simulator"
    var isPowered = true
    /// Whether there is an adapter from the beginning.
    var isPlugged = true
    /// Whether the controller reports a device only once in a scan, as most do.
    var filtersDuplicates = true
    /// Whether it has the property `PowerState`, as in newer versions of BlueZ.
    var hasPowerState = false
}

/// Why a scenario cannot be played; its description is one sentence with file, line and field.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The name of the file, or of the text.
    public let file: String
    /// The line, from 1; `nil` when the file could not be read at all.
    public let line: Int?
    /// The path of the field, such as `sensors[1].heartRate.value`; empty for the whole text.
    public let field: String
    /// The error and the remedy.
    public let reason: String

    /// The file, the line, the field and what is wrong.
    public var description: String {
        let place = line.map { "\(file):\($0)" } ?? file
        return field.isEmpty ? "\(place): \(reason)" : "\(place): \(field): \(reason)"
    }
}
