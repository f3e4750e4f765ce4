import Vitals

/// Notices a discovery that goes on and finds nothing; a pure state machine.
///
/// Quirk discovery-goes-deaf: some controllers and daemons say that they discover, and report nothing any more.
/// Where nothing is on the air that cannot be told apart, so the discovery is begun anew less and less often.
struct SilentDiscovery: Hashable, Sendable {
    /// How long nothing may be heard at first.
    static let firstLimit = Duration.seconds(20)
    /// The longest time until the discovery is begun anew once more.
    static let lastLimit = Duration.seconds(300)

    /// Whether the discovery was begun anew since anything was heard.
    private(set) var hearsNothing = false
    private var limit = firstLimit
    /// Since when it goes on without anything being heard; `nil` while none goes on.
    private var since: Moment?

    /// What is to be done.
    enum Advice: Hashable, Sendable {
        /// Nothing before this moment.
        case wait(until: Moment)
        /// Begin the discovery anew.
        case restart
    }

    /// A discovery goes on from now on, or none does; answers when to ask for advice.
    mutating func isOngoing(_ isDiscovering: Bool, at now: Moment) -> Moment? {
        guard isDiscovering else {
            since = nil
            return nil
        }
        guard since == nil else { return nil }
        since = now
        return now.advanced(by: limit)
    }

    /// Something was heard; answers whether that is news.
    mutating func heard(at now: Moment) -> Bool {
        if since != nil { since = now }
        guard hearsNothing else { return false }
        hearsNothing = false
        limit = Self.firstLimit
        return true
    }

    /// Judges whether the discovery still hears; `nil` while none goes on.
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
