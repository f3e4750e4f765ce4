import Base
import Configuration
import EventLoops
import Glibc
import JSON
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
            let place = MonitorFinder(of: patient, in: try UserDirectories.current())
            let monitor = RunningMonitor(command: command, socket: place.socket)
            do throws(UserFileError) {
                return .ours(HeldMonitorLock(try FileLock(for: place.lock, timeout: timeout), monitor))
            } catch {
                guard case .busy = error else { throw error }
                return .taken(by: place.lastMonitor)
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
        if let monitor, monitor.isStopped {
            return "\(text). \(RunningMonitor.stopConsequence(monitor.process)) Nothing was started."
        }
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

/// The program that monitors a patient, from the note in its lock.
package struct RunningMonitor: Hashable, Sendable {
    package var process: pid_t
    /// Its command, such as `dashboard`.
    package var command: String
    /// The time of its start, in milliseconds since 1970 (UTC).
    package var since: Int64
    /// The path of its socket.
    package var socket: String

    /// Whether its process was stopped by a signal or a debugger.
    package var isStopped: Bool { Self.isStopped(process) }

    /// Describes this process.
    package init(command: String, socket: String) {
        process = getpid()
        self.command = command
        since = Timestamp.now().wallMilliseconds
        self.socket = socket
    }

    /// Reads a note; `nil` when it is invalid.
    package init?(note: [UInt8]) {
        guard let value = try? JSON5Parser.parse(note), let process = value["pid"]?.whole.flatMap(pid_t.init(exactly:)),
            let command = value["command"]?.text, let since = value["since_ms"]?.whole.map({ Int64($0) }),
            let socket = value["socket"]?.text
        else { return nil }
        (self.process, self.command, self.since, self.socket) = (process, sanitized(command), since, socket)
    }

    /// The note to write.
    package var note: [UInt8] {
        var json = JSONWriter(capacity: 256)
        json.beginObject()
        json.key("pid")
        json.integer(process)
        json.key("command")
        json.string(command)
        json.key("since_ms")
        json.integer(since)
        json.key("socket")
        json.string(socket)
        json.endObject()
        json.newline()
        return json.bytes
    }

    /// Whether a process was stopped by a signal or a debugger; not one that does not exist or is unknown to the system.
    package static func isStopped(_ process: pid_t) -> Bool {
        // proc_pid_stat(5): the state follows the name, which is in parentheses and may contain any character.
        guard process > 0, let bytes = try? PrivateFile.read("/proc/\(process)/stat", limit: 4096),
            let end = bytes.lastIndex(of: UInt8(ascii: ")")), end + 2 < bytes.count
        else { return false }
        return [UInt8(ascii: "T"), UInt8(ascii: "t")].contains(bytes[end + 2])
    }

    /// What it means for the patient that the monitor's process is stopped, and the remedy.
    package static func stopConsequence(_ process: pid_t) -> String {
        """
        It is stopped: it measures nothing, records nothing and gives no alarm. Let it go on with: kill -CONT \(process) \
        (or fg in its shell). To end it: kill -TERM \(process); kill -CONT \(process).
        """
    }
}
