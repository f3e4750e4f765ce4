import Glibc
import UserFiles
import Vitals

/// Where the running monitor of a patient is found.
package struct MonitorPaths {
    /// The path of the monitor's lock file.
    package let lock: String
    /// The path of the monitor's socket.
    package let socket: String

    /// The paths of a patient's monitor.
    ///
    /// The lock is beside the data it protects and not in the session's folder, because a user may be logged in twice.
    ///
    /// - Parameter patient: The patient; `nil` for the unnamed patient.
    package init(of patient: PatientName?, in directories: UserDirectories) {
        let own = patient.map { directories.inside(Self.folder(of: $0)) } ?? directories
        lock = "\(own.state)/monitor"
        socket = "\(Self.socketFolder(directories))/\(patient.map { "patient-\($0)" } ?? "monitor").sock"
    }

    /// The patient's monitor by the note in its lock, running or crashed; `nil` after a regular end.
    package var lastMonitor: RunningMonitor? { FileLock.content(for: lock).flatMap(RunningMonitor.init(note:)) }

    /// The possible paths of its socket: the monitor may have been started in another session, with another folder.
    package var sockets: [String] {
        let noted = lastMonitor?.socket
        return [socket] + (noted.map { $0 == socket ? [] : [$0] } ?? [])
    }

    /// The holder of the lock, by its note; `nil` when the lock is free.
    package var holder: RunningMonitor? {
        guard FileLock.isHeld(for: lock) else { return nil }
        return lastMonitor
    }

    /// The folder of a patient's files, below the user's folder.
    package static func folder(of patient: PatientName) -> String { "patients/\(patient)" }

    /// The folder of the sockets: the session's, or one in the state folder without a session, as after `su` or in a
    /// cron job.
    package static func socketFolder(_ directories: UserDirectories) -> String {
        directories.runtime ?? "\(directories.state)/run"
    }

    /// The path of a socket after the session's folder was removed.
    package static func fallback(for socket: String, in directories: UserDirectories) -> String {
        let name = socket.lastIndex(of: "/").map { String(socket[socket.index(after: $0)...]) } ?? socket
        return "\(directories.state)/run/\(name)"
    }

    /// The socket of one of possibly many monitors of simulated sensors.
    package static func simulatedSocket(_ directories: UserDirectories, process: pid_t = getpid()) -> String {
        "\(socketFolder(directories))/\(simulatedPrefix)\(process).sock"
    }

    /// The sockets of monitors of simulated sensors, the newest first.
    package static func simulatedSockets(_ directories: UserDirectories) -> [String] {
        let folders = [socketFolder(directories)] + (directories.runtime == nil ? [] : ["\(directories.state)/run"])
        return folders.flatMap(simulatedSockets(in:)).sorted { ($0.made, $0.path) > ($1.made, $1.path) }.map(\.path)
    }

    private static func simulatedSockets(in folder: String) -> [(path: String, made: Int)] {
        (FolderListing.names(in: folder) ?? []).compactMap { name in
            guard name.hasPrefix(simulatedPrefix), name.hasSuffix(".sock") else { return nil }
            var status = stat()
            let path = "\(folder)/\(name)"
            return lstat(path, &status) == 0 ? (path, status.st_mtim.tv_sec) : nil
        }
    }

    private static let simulatedPrefix = "simulated-"
}
