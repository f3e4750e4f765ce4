import DBus

/// What is known about the bus: our connection to it, and whether it can be used.
struct BusWatch {
    private(set) var connection: DBusConnection?
    /// What was reported last.
    private(set) var state: BusState?
    /// The identifier of the bus, once it was asked for.
    private(set) var identifier: String?
    private var retry = Backoff(first: .milliseconds(250), last: .seconds(8))

    /// Begins with a connection.
    mutating func use(_ connection: DBusConnection) { self.connection = connection }

    /// Forgets the connection and what is known through it.
    mutating func forget() {
        connection = nil
        identifier = nil
    }

    mutating func recordIdentifier(_ identifier: String?) { self.identifier = identifier }

    /// Records what is reported; returns whether it is news.
    mutating func change(to state: BusState) -> Bool {
        defer { self.state = state }
        return self.state != state
    }

    /// Plans to reach for the bus again; returns after how long.
    mutating func planRetry() -> Duration { retry.next() }

    /// Records that the bus serves us.
    mutating func recordSuccess() { retry.reset() }
}
