/// A request to a bed; the topic has its name and its number.
public enum WardCommand: Hashable, Sendable {
    /// Send the full picture.
    case birth
    /// Acknowledge an alarm.
    case acknowledge(WardAnswer)
    /// Somebody is going there.
    case going(WardAnswer)
    /// Nobody is going there any more.
    case notGoing(WardAnswer)

    /// The names in topics.
    public enum Name: String, CaseIterable, Hashable, Sendable {
        case birth, acknowledge, going
        case notGoing = "not-going"
    }

    /// The name in the topic.
    public var name: Name {
        switch self {
        case .birth: .birth
        case .acknowledge: .acknowledge
        case .going: .going
        case .notGoing: .notGoing
        }
    }

    /// Who answers which alarm; `nil` for a request that answers none.
    public var answer: WardAnswer? {
        switch self {
        case .birth: nil
        case .acknowledge(let answer), .going(let answer), .notGoing(let answer): answer
        }
    }
}

/// Who answers which alarm, and what was seen.
public struct WardAnswer: Hashable, Sendable {
    /// The greatest length of a name.
    public static let nameLimit = 32

    /// The session that raised the alarm.
    public var session: WardToken
    /// The number of the last message of that session that said something about the alarm.
    public var sequenceSeen: Int64
    /// The alarm.
    public var alarm: Int
    /// Who answers.
    public var who: String
    /// From where.
    public var place: String
    /// When the request expires, on the bed's own clock that never jumps (``WardStamp/bootMilliseconds``).
    ///
    /// The ward adds the lifetime of a request to what that clock shows now, as the messages of the session tell; so no
    /// wall clock decides.
    public var expiresBootMilliseconds: Int64

    public init(
        session: WardToken, sequenceSeen: Int64, alarm: Int, who: String, place: String, expiresBootMilliseconds: Int64
    ) {
        self.session = session
        self.sequenceSeen = sequenceSeen
        self.alarm = alarm
        self.who = who
        self.place = place
        self.expiresBootMilliseconds = expiresBootMilliseconds
    }
}

/// A bed's answer to a request.
public struct WardCommandResult: Hashable, Sendable {
    /// The session that answers.
    public var session: WardToken
    /// Why the request was refused, a clause: "the alarm has worsened since"; `nil` when it was accepted.
    public var refusal: String?

    public init(session: WardToken, refusal: String? = nil) {
        self.session = session
        self.refusal = refusal
    }
}
