import MonitorLink
import Monitoring

/// What a feed reports besides events.
package enum FeedReport: Sendable {
    /// A sentence for the user.
    case notice(String)
    /// Everything that the viewed monitor knows.
    indirect case snapshot(MonitorSnapshot)
    /// An input that the viewed monitor has folded into its state.
    case input(MonitorInput)
    /// The viewed monitor cannot be relied on.
    case lost(MonitorLoss)
    /// The viewed monitor refuses views, for the reason in the sentence.
    case refused(String)
    /// Nothing more will happen.
    case ended
}

/// Why a viewed monitor cannot be relied on.
package struct MonitorLoss: Hashable, Sendable {
    /// The monitor's short name.
    package var name: String
    /// The reason, as a clause that follows the name.
    package var reason: String
    /// Whether there was a monitor before, so that there are values, which are old now.
    package var hadMonitor: Bool

    /// The loss as a clause for an alarm.
    package var clause: String { "\(name) \(reason)\(hadMonitor ? "; values are old" : "")" }
}
