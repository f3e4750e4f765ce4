import Monitoring

/// A request to a bed; its topic contains the bed and the name of the request.
public enum WardCommand: Hashable, Sendable {
    /// Send the full picture.
    case birth
    /// Acknowledges an alarm.
    case acknowledge(WardAnswer)
    /// Reports that a person is going to the bed.
    case going(WardAnswer)
    /// Withdraws that report.
    case notGoing(WardAnswer)
    /// Reports whether a screen sounds the bed's alarms.
    case listen(WardListener)

    /// The names in topics.
    public enum Name: String, CaseIterable, Hashable, Sendable {
        case birth, acknowledge, going, listen
        case notGoing = "not-going"
    }

    /// The name in the topic.
    public var name: Name {
        switch self {
        case .birth: .birth
        case .acknowledge: .acknowledge
        case .going: .going
        case .notGoing: .notGoing
        case .listen: .listen
        }
    }

    /// The answer to an alarm; `nil` for any other request.
    public var answer: WardAnswer? {
        switch self {
        case .birth, .listen: nil
        case .acknowledge(let answer), .going(let answer), .notGoing(let answer): answer
        }
    }
}

/// An answer to an alarm, with its author and the seen state.
public struct WardAnswer: Hashable, Sendable {
    /// The greatest length of a name.
    public static let nameLimit = 32

    /// The session that raised the alarm.
    public var session: WardToken
    /// The number of the last message of that session about the alarm.
    public var sequenceSeen: Int64
    public var alarm: Int
    /// The author of the answer.
    public var who: String
    /// The author's place.
    public var place: String
    /// When the request expires, on the bed's own monotonic clock (``WardStamp/bootMilliseconds``).
    ///
    /// The ward adds the lifetime of a request to the present time of that clock, as derived from the messages of the
    /// session; so no wall clock decides.
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

/// A report of a screen that it sounds a bed's alarms, or does not any more.
///
/// It answers the challenge of a heartbeat, so a stored, repeated or guessed report is worth nothing.
public struct WardListener: Hashable, Sendable {
    /// The greatest length of the name.
    public static let nameLimit = PlannedSilence.nameLimit

    /// The session of the bed.
    public var session: WardToken
    /// Identifies the screen, as long as it runs.
    public var screen: WardToken
    /// The screen's name, for users.
    public var name: String
    /// The newest challenge of the bed; `nil` if the screen does not sound its alarms any more.
    public var challenge: WardToken?

    public init(session: WardToken, screen: WardToken, name: String, challenge: WardToken?) {
        self.session = session
        self.screen = screen
        self.name = name
        self.challenge = challenge
    }
}

/// A bed's answer to a request.
public struct WardCommandResult: Hashable, Sendable {
    /// The session that answers.
    public var session: WardToken
    /// Why the request was refused, as a clause: "the alarm has worsened since"; `nil` if it was accepted.
    public var refusal: String?

    public init(session: WardToken, refusal: String? = nil) {
        self.session = session
        self.refusal = refusal
    }
}
