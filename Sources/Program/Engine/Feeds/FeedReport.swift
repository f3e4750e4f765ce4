import MonitorLink
import Monitoring

/// A report of a feed, other than an event.
package enum FeedReport: Sendable {
    /// A sentence for the user.
    case notice(String)
    /// A snapshot of the viewed monitor.
    indirect case snapshot(MonitorSnapshot)
    /// An input that the viewed monitor has handled.
    case input(MonitorInput)
    /// The viewed monitor cannot be relied on.
    case lost(MonitorLoss)
    /// The viewed monitor refuses views, for the reason in the sentence.
    case refused(String)
    /// The feed has ended.
    case ended
}

/// Why a viewed monitor is unreliable.
package struct MonitorLoss: Hashable, Sendable {
    /// The monitor's short name.
    package var name: String
    /// The reason, as a clause that follows the name.
    package var reason: String
    /// Whether it was connected before, so that there are old values.
    package var hadMonitor: Bool

    /// The loss as a clause for an alarm.
    package var clause: String { "\(name) \(reason)\(hadMonitor ? "; values are old" : "")" }
}
