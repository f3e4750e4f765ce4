/// Whether there is a message bus to talk to.
public enum BusState: Codable, Hashable, Sendable {
    /// Connected.
    case connected
    /// The bus was lost or cannot be reached; `reason` is a sentence for the user.
    case lost(reason: String)
    /// A bus of another kind than before answers, with the mark or without it; nothing on it is used.
    case foreign(isMarked: Bool)
}

/// Whether bluetoothd owns `org.bluez` on the bus.
public enum DaemonState: Codable, Hashable, Sendable {
    /// It does.
    case running
    /// It does not.
    case gone
    /// It does, but refuses access; `reason` is a sentence for the user.
    case refused(reason: String)
    /// It does, but gives no valid answer; `reason` is a sentence for the user.
    case unusable(reason: String)
}
