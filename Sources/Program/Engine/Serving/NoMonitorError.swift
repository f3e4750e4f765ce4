import LineSocket
import Vitals

/// Why there is no status of a monitor: none runs, or it does not answer.
package enum NoMonitorError: Error, Hashable {
    /// None runs.
    case none
    /// The last one has ended, and not as it should.
    case ended(RunningMonitor)
    /// One is there, and its process is stopped.
    case stopped(StoppedProcess)
    /// One is there and does not answer in time.
    case silent
    /// One has the lock, and there is no socket at which it could be asked.
    case hidden(RunningMonitor)
    /// One cannot be reached.
    case failed(LineSocketError)

    /// A short text for a status bar.
    package var text: String {
        switch self {
        case .none: "no monitor"
        case .ended: "monitor has ended"
        case .stopped: "monitor does not answer: stopped"
        case .silent, .hidden, .failed: "monitor does not answer"
        }
    }

    /// What helps, as a sentence without a full stop.
    package var remedy: String {
        switch self {
        case .none: "Start one with: bedside"
        case .ended(let monitor):
            "It was bedside \(monitor.command), process \(monitor.process). Start one with: bedside"
        case .stopped(let stopped): "Let it go on with: kill -CONT \(stopped.process)"
        case .silent, .failed: "It does not show what is so now; look at the monitor itself"
        case .hidden(let monitor): "It is bedside \(monitor.command), process \(monitor.process)"
        }
    }

    /// Whether it can end without a socket appearing, so that it is worth another look.
    package var mayPass: Bool { runs }

    /// Whether there is a monitor.
    package var runs: Bool {
        switch self {
        case .none, .ended: false
        case .stopped, .silent, .hidden, .failed: true
        }
    }
}
