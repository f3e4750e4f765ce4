import Vitals

/// The state of a ward's broker, as seen from this computer.
public struct BrokerFacts: Hashable, Sendable {
    public var address: String
    /// Whether the connection is encrypted.
    public var isEncrypted: Bool
    /// Whether it is on this computer.
    public var isLocal: Bool
    /// Whether this computer publishes a bed.
    public var hasBed: Bool
    /// The error in the settings, as a sentence; `nil` for none.
    public var settingsProblem: String?
    /// The result of connecting.
    public var connection = Connection.unasked
    /// The certificates for the connection.
    public var certificates: [CertificateFacts] = []
    /// The files that only this user may be able to read.
    public var secrets: [SecretFacts] = []
    /// The result of publishing for this computer's bed.
    public var own = Publication.unasked
    /// The result of publishing for another bed.
    public var foreign = Publication.unasked
    /// How far other clocks are ahead of this one, in milliseconds, by their names.
    public var clocks: [String: Int64] = [:]
    /// Topics with retained messages that should not be retained.
    public var leftovers: [String] = []
    /// The time, in seconds since 1970 (UTC).
    public var now: Int64

    /// Creates the facts of a broker that was not contacted.
    public init(address: String, isEncrypted: Bool, isLocal: Bool, hasBed: Bool, now: Int64) {
        (self.address, self.isEncrypted, self.isLocal) = (address, isEncrypted, isLocal)
        (self.hasBed, self.now) = (hasBed, now)
    }

    /// The result of connecting to a broker.
    public enum Connection: Hashable, Sendable {
        /// Not tried.
        case unasked
        /// The broker accepts the connection.
        case accepted
        /// The broker refuses the connection, or cannot be reached; the reason is a phrase.
        case failed(reason: String)
        /// The broker does not answer within this many seconds.
        case timedOut(seconds: Int)
    }

    /// The result of publishing a message.
    public enum Publication: Hashable, Sendable {
        /// Not tried.
        case unasked
        /// The broker refuses the message.
        case refused
        /// The broker accepts the message, but does not deliver it to this computer.
        case silent
        /// The broker delivers the message to this computer.
        case echoed
        /// The broker answers nothing.
        case unanswered
    }
}

/// The expiry of a certificate.
public struct CertificateFacts: Hashable, Sendable {
    /// The owner: "the broker", "this computer", "the authority".
    public var owner: String
    /// Its file; `nil` for a certificate sent by the broker.
    public var path: String?
    /// Its expiry, or why it is not known.
    public var end: Result<End, Reason>

    /// The end of a certificate.
    public struct End: Hashable, Sendable {
        /// The time in seconds since 1970 (UTC).
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

/// A file that only this user may be able to read.
public struct SecretFacts: Hashable, Sendable {
    public var path: String
    /// The problem, as a phrase; `nil` for none.
    public var problem: String?

    public init(path: String, problem: String? = nil) {
        (self.path, self.problem) = (path, problem)
    }
}
