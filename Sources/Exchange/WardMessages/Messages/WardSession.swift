/// The presence of a bed's monitor: the retained message, and the last will.
public struct WardSession: Hashable, Sendable {
    /// The session: one connection of one run of the program to the broker.
    public var session: WardToken
    /// Whether it is present.
    public var state: State
    /// The facts of the session.
    public var facts: WardFacts

    /// Whether a session is present.
    public enum State: Hashable, Sendable {
        /// It publishes.
        case online
        /// It has ended.
        case offline(Reason)
    }

    /// Why a session has ended; the raw value is the word in the message.
    public enum Reason: String, Hashable, Sendable {
        /// The program ended, or publishes no more.
        case closed
        /// The broker lost it; this is the last will.
        case lost
    }

    public init(session: WardToken, state: State, facts: WardFacts) {
        self.session = session
        self.state = state
        self.facts = facts
    }
}

/// The program, computer and data of a session; constant for the whole session.
public struct WardFacts: Hashable, Sendable {
    /// Whether sensors or time are simulated.
    public var isSimulated: Bool
    /// Whether a recording is played.
    public var isReplay: Bool
    /// When the session began, in milliseconds since 1970 (UTC) by the bed's clock.
    public var since: Int64
    /// The program and its version.
    public var program: String
    /// The name of the computer; shown when two of them claim one bed.
    public var host: String
    /// The interval of heartbeats in seconds.
    public var heartbeatSeconds: Int

    public init(
        isSimulated: Bool, isReplay: Bool = false, since: Int64, program: String, host: String,
        heartbeatSeconds: Int = WardTiming.heartbeatSeconds
    ) {
        self.isSimulated = isSimulated
        self.isReplay = isReplay
        self.since = since
        self.program = program
        self.host = host
        self.heartbeatSeconds = heartbeatSeconds
    }
}

/// Identifies a message of a session, with its order and time.
public struct WardStamp: Hashable, Sendable {
    public var session: WardToken
    /// The number of the message among those of a session with a stamp, from 1.
    public var sequence: Int64
    /// The sender's monotonic clock (CLOCK_BOOTTIME) when it sent the message, in milliseconds.
    ///
    /// Only differences between two messages of one session have a meaning elsewhere.
    public var bootMilliseconds: Int64
    /// The sender's wall clock, in milliseconds since 1970 (UTC); shown, and compared for the difference of the clocks,
    /// but not used in calculations.
    public var wallMilliseconds: Int64

    public init(session: WardToken, sequence: Int64, bootMilliseconds: Int64, wallMilliseconds: Int64) {
        self.session = session
        self.sequence = sequence
        self.bootMilliseconds = bootMilliseconds
        self.wallMilliseconds = wallMilliseconds
    }
}

/// The times that both ends use.
public enum WardTiming {
    /// The interval of heartbeats, in seconds.
    public static let heartbeatSeconds = 2
    /// The interval at which the state of each active alarm is repeated.
    public static let alarmRepeat = Duration.seconds(10)
    /// The number of missed heartbeats after which the link counts as lost.
    public static let missedHeartbeats = 3
    /// How long a request is valid.
    public static let requestLifetime = Duration.seconds(10)
    /// How long "I am going" is valid.
    public static let goingLifetime = Duration.seconds(120)
}
