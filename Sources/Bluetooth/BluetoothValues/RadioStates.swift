/// Whether the message bus can be used.
public enum BusState: Codable, Hashable, Sendable {
    /// Connected.
    case connected
    /// The bus was lost or cannot be reached; `reason` is a sentence for the user.
    case lost(reason: String)
    /// A bus of the other kind answers, with or without the mark; nothing on it is used.
    case foreign(isMarked: Bool)
}

/// The state of the Bluetooth daemon on the bus.
public enum DaemonState: Codable, Hashable, Sendable {
    /// It owns `org.bluez`.
    case running
    /// No program owns `org.bluez`.
    case gone
    /// It refuses access; `reason` is a sentence for the user.
    case refused(reason: String)
    /// It gives no valid answer; `reason` is a sentence for the user.
    case unusable(reason: String)
}
