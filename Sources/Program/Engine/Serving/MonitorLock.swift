import Configuration
import EventLoops
import UserFiles
import Vitals

/// Decides whether this program monitors a patient: only one may, so that nothing is recorded twice, and no alarm is
/// acknowledged in one program and sounds in another.
///
/// The lock decides, not a socket or a process number: it ends with the process that holds it, in whatever way that
/// ends.
package enum MonitorLock {
    /// This program monitors, as long as the hold lives.
    case ours(HeldMonitorLock)
    /// Another program monitors; what is known of it.
    case taken(by: RunningMonitor?)

    /// How long to wait for a program that is just ending, in milliseconds.
    private static let timeout = 500

    /// Claims a patient.
    ///
    /// If no lock can be created, as in a read-only folder, monitoring continues: monitoring twice is better than not at
    /// all.
    ///
    /// - Parameters:
    ///   - patient: The patient; `nil` for the unnamed patient.
    ///   - command: The name of the monitoring command.
    package static func make(for patient: PatientName?, command: String) -> MonitorLock {
        do throws(UserFileError) {
            let place = MonitorPaths(of: patient, in: try UserDirectories.current())
            let monitor = RunningMonitor(command: command, socket: place.socket)
            do throws(UserFileError) {
                return .ours(HeldMonitorLock(try FileLock(for: place.lock, timeout: timeout), monitor))
            } catch {
                guard case .busy = error else { throw error }
                return .taken(by: FileLock.content(for: place.lock).flatMap(RunningMonitor.init(note:)))
            }
        } catch {
            return .ours(HeldMonitorLock(warning: "It cannot be made sure that only one Bedside monitors: \(error)"))
        }
    }

    /// The message to the user when another program monitors.
    ///
    /// - Parameter isShown: Whether this program becomes a view of it instead of ending.
    package static func sentence(_ patient: PatientName?, _ monitor: RunningMonitor?, isShown: Bool = false) -> String {
        var text = patient.map { "The patient '\($0)' is monitored already" } ?? "The patient is monitored already"
        if let monitor {
            let since = Moment(monotonicNanoseconds: 0, wallMilliseconds: monitor.since)
            text += ", by bedside \(monitor.command), process \(monitor.process), since \(since.localClock)"
        }
        if isShown { return "\(text). This is a view of it." }
        if let stopped = monitor?.stopped { return "\(text). \(stopped.consequence) Nothing was started." }
        let other = patient == nil ? "--patient NAME" : "another name"
        return """
            \(text). It goes on, and nothing was started. See it with: bedside, bedside watch --view or bedside status. For another patient: \(other).
            """
    }
}

/// Holds the claim to a patient.
package final class HeldMonitorLock {
    /// A sentence for the user if the lock could not be created.
    package let warning: String?
    private var lock: FileLock?
    private var monitor: RunningMonitor?

    package init(_ lock: consuming FileLock, _ monitor: RunningMonitor) {
        lock.leave(note: monitor.note)
        self.monitor = monitor
        self.lock = consume lock
        warning = nil
    }

    /// Holds no lock, because none is possible or needed.
    package init(warning: String? = nil) {
        self.warning = warning
    }

    /// Notes the monitor's new socket in the lock.
    package func socketMoved(to path: String) {
        monitor?.socket = path
        if let monitor { _ = lock?.leave(note: monitor.note) }
    }

    /// Releases the lock and removes the note: a remaining note means that the monitor runs or has crashed.
    package func release() {
        _ = lock?.leave(note: [])
        lock = nil
        monitor = nil
    }
}
