import Vitals

/// A ward's broker, as this computer sees it.
public struct BrokerFacts: Hashable, Sendable {
    public var address: String
    /// Whether the connection is encrypted.
    public var isEncrypted: Bool
    /// Whether it is on this computer.
    public var isLocal: Bool
    /// Whether this computer publishes a bed.
    public var hasBed: Bool
    /// What is wrong with the settings, in a sentence; `nil` for nothing.
    public var settingsProblem: String?
    /// Whether it lets this computer in.
    public var connection = Connection.unasked
    /// The certificates for the connection.
    public var certificates: [CertificateFacts] = []
    /// The files that only this user may read.
    public var secrets: [SecretFacts] = []
    /// What comes of a message of this computer's own bed.
    public var own = Publication.unasked
    /// What comes of a message of another bed.
    public var foreign = Publication.unasked
    /// How far the clocks of others are ahead of this one, in milliseconds, by what they are called.
    public var clocks: [String: Int64] = [:]
    /// Topics whose messages the broker has kept, though nobody should keep them.
    public var leftovers: [String] = []
    /// The time, in seconds since 1970 (UTC).
    public var now: Int64

    /// Creates facts of a broker that was not asked anything.
    public init(address: String, isEncrypted: Bool, isLocal: Bool, hasBed: Bool, now: Int64) {
        (self.address, self.isEncrypted, self.isLocal) = (address, isEncrypted, isLocal)
        (self.hasBed, self.now) = (hasBed, now)
    }

    /// Whether a broker lets a client in.
    public enum Connection: Hashable, Sendable {
        /// Not asked.
        case unasked
        /// It does.
        case accepted
        /// It does not, or cannot be reached; the reason is a phrase.
        case failed(reason: String)
        /// It does not answer within so many seconds.
        case timedOut(seconds: Int)
    }

    /// What comes of a message that is published.
    public enum Publication: Hashable, Sendable {
        /// None was published.
        case unasked
        /// The broker refuses it.
        case refused
        /// The broker takes it, and it does not come back.
        case silent
        /// It comes back to this computer, which reads along.
        case echoed
        /// The broker answers nothing.
        case unanswered
    }
}

/// When a certificate ends.
public struct CertificateFacts: Hashable, Sendable {
    /// Whose it is: "the broker", "this computer", "the authority".
    public var owner: String
    /// Its file; `nil` for one that was shown.
    public var path: String?
    /// Its end, or why it is not known.
    public var end: Result<End, Reason>

    /// The end of a certificate.
    public struct End: Hashable, Sendable {
        /// In seconds since 1970 (UTC).
        public var seconds: Int64
        /// The day in UTC, such as `2026-11-25`.
        public var day: String

        public init(seconds: Int64, day: String) { (self.seconds, self.day) = (seconds, day) }
    }

    /// A reason, as a phrase.
    public struct Reason: Error, Hashable, Sendable {
        /// The phrase.
        public var text: String

        public init(_ text: String) { self.text = text }
    }

    public init(owner: String, path: String? = nil, end: Result<End, Reason>) {
        (self.owner, self.path, self.end) = (owner, path, end)
    }
}

/// A file that only this user may read.
public struct SecretFacts: Hashable, Sendable {
    public var path: String
    /// What is wrong with it, as a phrase; `nil` for nothing.
    public var problem: String?

    public init(path: String, problem: String? = nil) {
        (self.path, self.problem) = (path, problem)
    }
}
