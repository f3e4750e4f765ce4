import Base
import DBus

/// The state of the daemon: its owner, whether it is usable, and whether its objects are known.
struct DaemonWatch {
    /// The unique name of the daemon that owns all objects.
    private(set) var owner: String?
    /// Counts the owners, so that an answer of a former one is recognised.
    private(set) var epoch = 0
    /// The last reported state.
    private(set) var state: DaemonState?
    private var retry = Backoff(first: .milliseconds(500), last: .seconds(8))
    /// The signals since the objects were requested; `nil` once they are known.
    private var heldSignals: [ObjectSignal]?

    /// Whether the objects were requested and no answer has come.
    var awaitsObjects: Bool { heldSignals != nil }

    /// Begins with another daemon, whose objects are not known yet.
    mutating func adopt(_ owner: String) {
        self.owner = owner
        heldSignals = []
    }

    /// Forgets the daemon and everything known about it.
    mutating func forget() {
        epoch += 1
        owner = nil
        heldSignals = nil
        retry.reset()
    }

    /// Forgets the reported state, because the bus is lost.
    mutating func forgetState() { state = nil }

    /// Records a state to report; returns whether it is new.
    mutating func change(to state: DaemonState) -> Bool {
        defer { self.state = state }
        return self.state != state
    }

    /// Holds a signal until the objects are known; returns whether there was space.
    mutating func hold(_ signal: ObjectSignal) -> Bool {
        heldSignals?.append(signal)
        guard let count = heldSignals?.count, count > InputBounds.heldSignals else { return true }
        heldSignals = []
        return false
    }

    /// Ignores the answer that is still to come.
    mutating func abandonQuestion() { epoch += 1 }

    /// Plans the next request for the objects; returns the delay.
    ///
    /// The held signals belong to the missing answer; the next answer is newer than all of them.
    mutating func planQuestion() -> Duration {
        heldSignals = []
        return retry.next()
    }

    /// Records that the objects are known; returns the signals that came meanwhile.
    mutating func objectsCame() -> [ObjectSignal] {
        defer { heldSignals = nil }
        return heldSignals ?? []
    }
}

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
