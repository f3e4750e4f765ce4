import LineSocket
import Vitals

/// Why there is no status of a monitor: none runs, or it does not answer.
package enum NoMonitorError: Error, Hashable {
    /// None runs.
    case none
    /// The last one has crashed.
    case ended(RunningMonitor)
    /// One exists, but its process is stopped.
    case stopped(StoppedProcess)
    /// One exists, but does not answer in time.
    case silent
    /// One has the lock, but no socket was found.
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

    /// The remedy, as a sentence without a full stop.
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

    /// Whether it can end without a new socket, so that another attempt is useful.
    package var mayPass: Bool { runs }

    /// Whether a monitor exists.
    package var runs: Bool {
        switch self {
        case .none, .ended: false
        case .stopped, .silent, .hidden, .failed: true
        }
    }
}
