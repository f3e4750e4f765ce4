import Monitoring
import Base
import Vitals
import WardMessages

/// The choices of the ward screen's user.
public struct WardSettings: Hashable, Sendable {
    /// Whether simulated beds and replays are shown; they are refused otherwise.
    public var showsSimulated = false
    /// Whether alarms at beds may be acknowledged from here.
    public var mayAcknowledge = false
    /// The user's name, for answers to alarms.
    public var who = "ward"
    /// The place of the screen, for answers to alarms.
    public var place = "ward"
    /// The name of this screen's computer, which beds show while it sounds for them.
    public var computer = "ward screen"
    /// When values become stale and lost.
    public var freshness = MonitorSettings.Freshness()

    public init() {}

    /// The greatest number of beds.
    public static let mostBeds = 256

    /// The interval by which a value's freshness is evaluated; a message may contain any.
    func interval(_ milliseconds: Int64, of vital: Vital) -> Int64 {
        let interval = max(milliseconds.multipliedSaturated(by: 1_000_000), freshness.shortestInterval.nanoseconds)
        let longest = freshness.longestInterval.nanoseconds
        if interval <= longest { return interval }
        return vital.traits.pace == .fiveMinutes
            ? min(interval, max(longest, Duration.seconds(300).nanoseconds)) : longest
    }
}

/// The connection of the ward screen to the broker.
public enum BrokerLink: Hashable, Sendable {
    /// It was never connected.
    case connecting
    /// It is connected.
    case connected
    /// It is lost; with a clause for the reason: "the broker does not answer".
    case lost(String)
}

/// An effect of a message, of an answer, or of passing time.
public enum WardEffect: Hashable, Sendable {
    /// Publish this request.
    case publish(WardTopic, WardCommand)
    /// An alarm began, changed or ended, or a user answered one.
    case logged(WardLogEntry)
    /// An unexpected event, for the log: a sentence.
    case warning(String)
}
