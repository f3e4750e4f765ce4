import Configuration
import MonitorLink
import Monitoring
import Vitals

/// What the engine sends its subscribers.
///
/// What is large and rare is stored indirectly, because an update is as large as its largest case.
package enum MonitorUpdate: Sendable {
    /// An input was folded into the state, with these effects.
    case input(MonitorInput, [Effect])
    /// Time has passed without changing the state, because it is that of a viewed monitor.
    case timePassed
    /// A part of what is known was replaced as a whole.
    case replaced(Replacement)
    /// The viewed monitor was lost, with these effects.
    case monitorLost(MonitorLoss, [Effect])
    /// The viewed monitor refuses views, for the reason in the sentence.
    case refused(String)
    /// A request needs the viewed monitor, which is lost.
    indirect case unavailable(ViewerLine)
    /// A sentence for the user of this monitor and of its views.
    case notice(String)
    /// A sentence for the users of views only.
    case viewNotice(String)
    /// It is known whether the data are simulated, or that it will never be.
    case provenance(Provenance)
    /// The store is open and the sensors are being looked for.
    case ready
    /// The playback of a recording begins.
    case replayBegan(ReplayFeed)
    /// The recording is over.
    case replayEnded(ReplayFeed)
    /// A setting was changed while the program runs.
    indirect case settingsChanged(from: Settings)
    /// Settings that hold already were kept, so that the page of settings shows them otherwise.
    case settingsKept
    /// The settings are being read again.
    case reloading
    /// The settings were read again, or failed to be, with a sentence.
    case reloaded(String, succeeded: Bool)
    /// One turn of the loop is over: everything that came together was sent.
    case turnEnded
    /// The engine closes; nothing is monitored any more.
    case closing
    /// The engine has closed: everything is written and delivered.
    case closed

    /// What was replaced as a whole.
    package enum Replacement: Sendable {
        /// The state, by that of the viewed monitor with this name.
        case viewed(String?)
        /// The trends continue from this patient's records since then, in milliseconds since 1970.
        case trends(recordedSince: Int64?)
        /// The alarm log.
        case log
    }

    /// The event that was folded; `nil` for what came without one: an answer of somebody's, or that time passed.
    package var event: MonitorEvent? {
        guard case .input(.event(let event), _) = self else { return nil }
        // A pattern, because comparing two kinds costs as much as writing a line of one.
        if case .tick = event.kind { return nil }
        return event
    }
}
