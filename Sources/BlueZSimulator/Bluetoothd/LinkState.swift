import EventLoops

/// Whether there is a link to a device.
enum LinkState {
    case down
    /// A `Connect` is pending; it is told how it ends.
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
    /// Who waits for the end of the link, which our own side has begun; `nil` while it has not.
    var disconnections: [() -> Void]?
    /// Calls that the sensor has not answered yet.
    var operations: [Answer] = []
    /// When the next measurement is due, while the sensor has somebody to send it to.
    var measurement: LoopTimer?
    var isMeasuring = false
}
