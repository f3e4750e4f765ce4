import Monitoring
import Base
import Vitals
import WardMessages

/// What the user of a ward screen chooses.
public struct WardSettings: Hashable, Sendable {
    /// Whether simulated beds and replays are shown; they are refused otherwise.
    public var showsSimulated = false
    /// Whether alarms at beds may be acknowledged from here.
    public var mayAcknowledge = false
    /// Who sits at the screen, for answers to alarms.
    public var who = "ward"
    /// Where the screen is, for answers to alarms.
    public var place = "ward"
    /// When values are stale and lost.
    public var freshness = MonitorSettings.Freshness()

    public init() {}

    /// The greatest number of beds.
    public static let mostBeds = 256

    /// The interval by which a value is judged; a message may name any.
    func interval(_ milliseconds: Int64, of vital: Vital) -> Int64 {
        let longest = vital == .glucose ? max(freshness.longestInterval, .seconds(300)) : freshness.longestInterval
        let interval = milliseconds.multipliedSaturated(by: 1_000_000)
        return min(max(interval, freshness.shortestInterval.nanoseconds), longest.nanoseconds)
    }
}

/// The connection of the ward screen to the broker.
public enum BrokerLink: Hashable, Sendable {
    /// It was never there yet.
    case connecting
    /// It stands.
    case connected
    /// It is lost; a clause says why: "the broker does not answer".
    case lost(String)
}

/// A consequence of a message, of an answer, or of passing time.
public enum WardEffect: Hashable, Sendable {
    /// Publish this request.
    case publish(WardTopic, WardCommand)
    /// An alarm began, changed or ended, or somebody answered one.
    case logged(WardLogEntry)
    /// Something that should not happen, for the log: a sentence.
    case warning(String)
}
