import DBus

/// The state of the daemon: its owner, whether it is usable, and whether its objects are known.
struct DaemonWatch {
    /// The unique name of the daemon that all objects come from.
    private(set) var owner: String?
    /// Counts the owners, so that an answer to a question about a former one is recognised.
    private(set) var epoch = 0
    /// What was reported last.
    private(set) var state: DaemonState?
    private var retry = Backoff(first: .milliseconds(500), last: .seconds(8))
    /// The signals that came since the objects were asked for; `nil` when they have been answered.
    private var heldSignals: [ObjectSignal]?

    /// Whether the objects were asked for and not answered yet.
    var awaitsObjects: Bool { heldSignals != nil }

    /// Begins with another daemon, whose objects are not known yet.
    mutating func adopt(_ owner: String) {
        self.owner = owner
        heldSignals = []
    }

    /// Forgets the daemon.
    mutating func forget() {
        epoch += 1
        owner = nil
        heldSignals = nil
        retry.reset()
    }

    /// Forgets what was reported, because the bus is gone.
    mutating func forgetState() { state = nil }

    /// Records what is reported; returns whether it is news.
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

    /// Ignores the answer that is on its way.
    mutating func abandonQuestion() { epoch += 1 }

    /// Plans to ask for the objects again; returns after how long.
    ///
    /// What is held belongs to an answer that has not come; the next one is newer than all of it.
    mutating func planQuestion() -> Duration {
        heldSignals = []
        return retry.next()
    }

    /// The objects are known; returns the signals that came meanwhile.
    mutating func objectsCame() -> [ObjectSignal] {
        defer { heldSignals = nil }
        return heldSignals ?? []
    }
}
