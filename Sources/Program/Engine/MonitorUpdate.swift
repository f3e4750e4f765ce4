import Configuration
import Monitoring
import MonitorLink
import Vitals

/// An update for the subscribers of the engine.
///
/// Large and rare contents are stored indirectly, because an update is as large as its largest case.
package enum MonitorUpdate: Sendable {
    /// The state was updated for an input, with these effects.
    case input(MonitorInput, [Effect])
    /// Time has passed without changing the state, because it is that of a viewed monitor.
    case timePassed
    /// A part of the engine's data was replaced as a whole.
    case replaced(Replacement)
    /// The viewed monitor was lost, with these effects.
    case monitorLost(MonitorLoss, [Effect])
    /// The viewed monitor refuses views, for the reason in the sentence.
    case refused(String)
    /// A request needs the viewed monitor, which is lost.
    indirect case unavailable(Wish)
    /// A sentence for the user of this monitor and of its views.
    case notice(String)
    /// A sentence for the users of views only.
    case viewNotice(String)
    /// What every output must know has changed.
    case context(SessionContext)
    /// It became known whether the data are simulated, or that this will never be known.
    case provenance(Provenance)
    /// The store is open and the sensors are being looked for.
    case ready
    /// The playback of a recording begins.
    case replayBegan(any PlaybackFeed)
    /// The recording is over.
    case replayEnded(any PlaybackFeed)
    /// A setting was changed while the program runs.
    indirect case settingsChanged(from: Settings)
    /// The present settings were saved, so that the page of settings shows them as saved.
    case settingsKept
    /// The settings are being read again.
    case reloading
    /// The settings were read again, or that failed; with a sentence.
    case reloaded(String, succeeded: Bool)
    /// The turn of the loop has ended: all updates of it were sent.
    case turnEnded
    /// The engine closes; monitoring has ended.
    case closing
    /// The engine has closed: everything is written and delivered.
    case closed

    /// The replaced part.
    package enum Replacement: Sendable {
        /// The state was replaced by that of the viewed monitor with this name.
        case viewed(String?)
        /// The trends continue from this patient's records since that time, in milliseconds since 1970.
        case trends(recordedSince: Int64?)
        /// The alarm log.
        case log
    }

    /// The handled event; `nil` for an update without one: an acknowledgement, or the passing of time.
    package var event: MonitorEvent? {
        guard case .input(.event(let event), _) = self else { return nil }
        // A pattern, because comparing two kinds costs as much as writing a line about one.
        if case .tick = event.kind { return nil }
        return event
    }
}

/// A subscriber of a monitor: a screen, lines of text, a journal, views over the socket, the status.
///
/// It is called on the engine's thread, within the call that changed the state, and must not block.
package protocol MonitorSubscriber: AnyObject {
    /// Handles an update.
    ///
    /// - Parameter monitor: The engine, whose state contains the update already.
    func receive(_ update: MonitorUpdate, from monitor: isolated MonitorEngine)

    /// When the subscriber needs to be called even if nothing happens; `nil` for never.
    var nextDue: Moment? { get }
}

extension MonitorSubscriber {
    package var nextDue: Moment? { nil }
}

extension Effect {
    /// Whether it must be shown without delay: an alarm begins, worsens, resumes, or alerts again.
    package var isUrgent: Bool {
        switch self {
        case .alarm(let alarm, _): alarm.state == .active
        case .alarmAgain: true
        default: false
        }
    }
}

extension MonitorEvent {
    /// The time to which the state advances before an event of a recording: a gap is a single step, as in the original
    /// run.
    var timeBefore: Moment {
        if case .gap(let gap) = kind { min(gap.from, moment) } else { moment }
    }
}
