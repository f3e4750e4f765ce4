import EventLoops

/// Whether there is a link to a device.
enum LinkState {
    case down
    /// A `Connect` is pending and waits for its answer.
    case connecting(Answer)
    case up(Link)
}

/// A link to a device.
final class Link {
    /// Whether the services are known.
    var isResolved = false
    /// Whether both sides use the key of their bond.
    var isEncrypted = false
    /// The sensor does one thing after another: until when it is busy with BlueZ's own reading, in simulated seconds.
    var isBusyUntil = 0.0
    /// The callers that wait for the end of the link; `nil` before a local disconnect.
    var disconnections: [() -> Void]?
    /// Calls that the sensor has not answered yet.
    var operations: [Answer] = []
    /// When the next measurement is due, while the sensor has somebody to send it to.
    var measurement: LoopTimer?
    var isMeasuring = false
}
