import Base
import DBus

/// The state of the bus: the connection, and whether it can be used.
struct BusWatch {
    private(set) var connection: DBusConnection?
    /// The last reported state.
    private(set) var state: BusState?
    /// The identifier of the bus, once it is known.
    private(set) var identifier: String?
    private var retry = Backoff(first: .milliseconds(250), last: .seconds(8))

    mutating func use(_ connection: DBusConnection) { self.connection = connection }

    /// Forgets the connection and everything known through it.
    mutating func forget() {
        connection = nil
        identifier = nil
    }

    mutating func recordIdentifier(_ identifier: String?) { self.identifier = identifier }

    /// Records a state to report; returns whether it is new.
    mutating func change(to state: BusState) -> Bool {
        defer { self.state = state }
        return self.state != state
    }

    /// Plans the next attempt to connect; returns the delay.
    mutating func planRetry() -> Duration { retry.next() }

    /// Records that the bus works.
    mutating func recordSuccess() { retry.reset() }
}
