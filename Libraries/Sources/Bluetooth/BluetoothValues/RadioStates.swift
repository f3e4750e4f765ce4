/// Whether the message bus can be used.
public enum BusState: Codable, Hashable, Sendable {
    /// Connected.
    case connected
    /// Connected, but it has not answered for a while; messages sent since then may wait in it.
    case silent
    /// The bus was lost or cannot be reached; `reason` is a sentence for the user.
    case lost(reason: String)
    /// A bus of the other kind answers, with or without the mark; nothing on it is used.
    case foreign(isMarked: Bool)

    /// Whether there is a connection, even to a bus that does not answer.
    public var isConnected: Bool { self == .connected || self == .silent }
}

/// The state of the Bluetooth daemon on the bus.
public enum DaemonState: Codable, Hashable, Sendable {
    /// It owns `org.bluez`.
    case running
    /// A program owns it, but has not answered for a while; values that sensors sent since then may wait in it.
    case silent
    /// No program owns `org.bluez`.
    case gone
    /// It refuses access; `reason` is a sentence for the user.
    case refused(reason: String)
    /// It gives no valid answer; `reason` is a sentence for the user.
    case unusable(reason: String)

    /// Whether its objects can be used, as soon as it answers.
    public var isRunning: Bool { self == .running || self == .silent }
}
