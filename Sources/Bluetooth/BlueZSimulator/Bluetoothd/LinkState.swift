import EventLoops

/// The state of the link to a device.
enum LinkState {
    case down
    /// A `Connect` waits for its answer.
    case connecting(Answer)
    case up(Link)
}

final class Link {
    /// Whether the services are known.
    var isResolved = false
    /// Whether both sides use the key of their bond.
    var isEncrypted = false
    /// Until when the sensor is busy with BlueZ's own reads, in simulated seconds; it does one thing at a time.
    var isBusyUntil = 0.0
    /// The callers that wait for the end of the link; `nil` before a local disconnect.
    var disconnections: [() -> Void]?
    /// Calls that the sensor has not answered yet.
    var operations: [Answer] = []
    /// The timer of the next measurement, while there is a listener.
    var measurement: LoopTimer?
    var isMeasuring = false
}
