import Vitals

/// Detects a running discovery that finds nothing; a pure state machine.
///
/// Quirk discovery-goes-deaf: some controllers and daemons claim to discover, but report nothing. This looks the same
/// as no sensors nearby, so the discovery is restarted less and less often.
struct SilentDiscovery: Hashable, Sendable {
    /// The first limit of silence.
    static let firstLimit = Duration.seconds(20)
    /// The longest time until the discovery is restarted.
    static let lastLimit = Duration.seconds(300)

    /// Whether the discovery was restarted since anything was heard.
    private(set) var hearsNothing = false
    private var limit = firstLimit
    /// Since when it runs without results; `nil` while none runs.
    private var since: Moment?

    enum Advice: Hashable, Sendable {
        /// Nothing before this moment.
        case wait(until: Moment)
        /// Restart the discovery.
        case restart
    }

    /// Records whether a discovery runs; returns when to ask for advice.
    mutating func isOngoing(_ isDiscovering: Bool, at now: Moment) -> Moment? {
        guard isDiscovering else {
            since = nil
            return nil
        }
        guard since == nil else { return nil }
        since = now
        return now.advanced(by: limit)
    }

    /// Records that a peripheral was heard; returns whether that is new.
    mutating func heard(at now: Moment) -> Bool {
        if since != nil { since = now }
        guard hearsNothing else { return false }
        hearsNothing = false
        limit = Self.firstLimit
        return true
    }

    /// Evaluates whether the discovery still works; `nil` while none runs.
    mutating func evaluate(at now: Moment) -> Advice? {
        guard let since else { return nil }
        let due = since.advanced(by: limit)
        guard due <= now else { return .wait(until: due) }
        hearsNothing = true
        limit = min(limit * 2, Self.lastLimit)
        self.since = now
        return .restart
    }
}
