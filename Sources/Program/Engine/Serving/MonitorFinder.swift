import Base
import EventLoops
import Formats
import Glibc
import LineSocket
import MonitorLink
import Monitoring
import Status
import UserFiles
import Vitals

/// Finds a patient's monitor by its lock and its socket, and asks it.
package struct MonitorFinder: Sendable {
    /// The monitors that are accepted.
    package enum Accepted: Sendable {
        /// Only the patient's.
        case real
        /// Only those of simulated sensors.
        case simulated
        /// The patient's, or else one of simulated sensors.
        case any
    }

    /// The patient; `nil` for the unnamed patient.
    package let patient: PatientName?
    /// The user's folders.
    package let directories: UserDirectories
    /// The accepted monitors.
    package let accepted: Accepted

    package init(of patient: PatientName?, in directories: UserDirectories, accepting accepted: Accepted = .any) {
        (self.patient, self.directories, self.accepted) = (patient, directories, accepted)
    }

    // MARK: Lock

    /// The path of the monitor's lock file.
    ///
    /// The lock is beside the data it protects and not in the session's folder, because a user may be logged in twice.
    package var lock: String { "\(directories.of(patient).state)/monitor" }

    /// The patient's monitor by the note in its lock, running or crashed; `nil` after a regular end.
    package var lastMonitor: RunningMonitor? { FileLock.content(for: lock).flatMap(RunningMonitor.init(note:)) }

    /// The holder of the lock, by its note; `nil` when the lock is free.
    package var holder: RunningMonitor? { FileLock.isHeld(for: lock) ? lastMonitor : nil }

    // MARK: Sockets

    /// The folder of the sockets: the session's, or one in the state folder without a session, as after `su` or in a
    /// cron job.
    package var socketFolder: String { directories.runtime ?? fallbackFolder }

    private var fallbackFolder: String { "\(directories.state)/run" }

    /// The path of the monitor's socket.
    package var socket: String { "\(socketFolder)/\(patient.map { "patient-\($0)" } ?? "monitor").sock" }

    /// The path of the socket of a monitor of simulated sensors; each process has another one.
    package func simulatedSocket(process: pid_t = getpid()) -> String {
        "\(socketFolder)/\(Self.simulatedPrefix)\(process).sock"
    }

    /// The path of a socket after the session's folder was removed.
    package func fallback(for socket: String) -> String {
        "\(fallbackFolder)/\(splitPath(socket).name)"
    }

    /// The possible paths of the monitor's socket: it may have been started in another session, with another folder.
    package var sockets: [String] {
        let noted = lastMonitor?.socket
        return [socket] + (noted.map { $0 == socket ? [] : [$0] } ?? [])
    }

    /// The sockets of monitors of simulated sensors, the newest first.
    package var simulatedSockets: [String] {
        let folders = [socketFolder] + (directories.runtime == nil ? [] : [fallbackFolder])
        return folders.flatMap(Self.simulatedSockets(in:)).sorted { ($0.made, $0.path) > ($1.made, $1.path) }.map(
            \.path)
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

    /// The sockets to try, in order.
    ///
    /// A simulated monitor never replaces a patient's monitor that does not answer or has crashed.
    ///
    /// - Parameters:
    ///   - provenance: The provenance of the previously followed monitor's data; `.unknown` before the first report.
    ///   - isView: Whether a simulated monitor that was found is not left for the patient's.
    package func paths(after provenance: Provenance = .unknown, isView: Bool = false) -> [String] {
        if accepted == .simulated { return simulatedSockets }
        let mayBeReal = !isView || provenance != .simulated
        let mayBeSimulated = accepted == .any && provenance != .real && !(mayBeReal && lastMonitor != nil)
        return (mayBeReal ? sockets : []) + (mayBeSimulated ? simulatedSockets : [])
    }

    // MARK: Status

    /// Asks the patient's monitor, or else the newest one of simulated sensors, and waits for the answer.
    ///
    /// - Throws: ``NoMonitorError``.
    package func ask() throws(NoMonitorError) -> StatusSummary {
        for path in paths() {
            if let summary = try ask(path), isMeant(summary) { return summary }
        }
        throw absence
    }

    /// Whether a monitor that was started as this patient's measures simulated sensors, because it found a simulator's
    /// bus; a monitor that was started with `--simulate` is separate on purpose.
    var isOnSimulatedBus: Bool {
        simulatedSockets.contains { path in
            guard (try? isMeant(path)) == true, let process = try? LineSocketClient(path: path).process,
                let command = try? PrivateFile.read("/proc/\(process)/cmdline")
            else { return false }
            return !command.split(separator: 0).contains { $0.starts(with: Array("--simulate".utf8)) }
        }
    }

    /// Whether the intended monitor listens at a socket.
    ///
    /// - Throws: ``NoMonitorError`` where one listens that does not answer.
    func isMeant(_ path: String) throws(NoMonitorError) -> Bool {
        try ask(path).map { isMeant($0) } ?? false
    }

    /// - Returns: `nil` when no monitor listens, or one that is ending.
    private func ask(_ path: String) throws(NoMonitorError) -> StatusSummary? {
        var listener: pid_t?
        do throws(LineSocketError) {
            let client = try LineSocketClient(path: path)
            listener = client.process
            // No answer would come.
            if listener.map(RunningMonitor.isStopped) == true { throw LineSocketError.tooSlow }
            try client.send(StatusQuestion.once.line)
            guard let summary = StatusDecoder.summary(try client.readLine()) else { throw LineSocketError.tooSlow }
            return summary
        } catch {
            switch error {
            case .noListener, .closed: return nil
            case .tooSlow: throw .silence(of: listener)
            default: throw .failed(error)
            }
        }
    }

    /// Whether an answer comes from the intended monitor: simulated monitors include their patient.
    package func isMeant(_ summary: StatusSummary) -> Bool { summary.patient == patient?.text }

    /// Why no monitor listens at a socket.
    package var absence: NoMonitorError {
        guard accepted != .simulated, let last = lastMonitor else { return .none }
        guard let holder else { return .ended(last) }
        return holder.isStopped ? .stopped(holder.process) : .hidden(holder)
    }
}

extension MonitorFinder {
    /// The answer of a monitor.
    package enum Answer: Hashable {
        /// It was done.
        case done
        /// It was refused; a sentence says why.
        case refused(String)
    }

    /// How many other lines are read before the monitor counts as silent.
    private static let lineLimit = 100_000

    /// Asks the monitor to carry out a wish, as a view does, and waits until it is done.
    ///
    /// - Returns: `nil` if no monitor runs.
    /// - Throws: ``NoMonitorError`` if one runs and cannot be asked.
    package func carryOut(_ wish: PatientWish) throws(NoMonitorError) -> Answer? { try carryOut([wish]) }

    /// Asks for several wishes in order, up to the first refused one.
    ///
    /// - Returns: `nil` if no monitor runs.
    /// - Throws: ``NoMonitorError`` if one runs and cannot be asked.
    package func carryOut(_ wishes: [PatientWish]) throws(NoMonitorError) -> Answer? {
        // Never a simulated monitor in place of a patient's.
        for path in paths(after: .real) {
            if let answer = try carryOut(wishes, path) { return answer }
        }
        let absence = self.absence
        if absence.runs { throw absence }
        if accepted != .simulated, isOnSimulatedBus {
            return .refused(
                """
                The monitor that runs found simulated sensors on its bus, and records apart from the patient. \
                With --simulate it goes there; end that monitor for the patient's own record.
                """)
        }
        return nil
    }

    private func carryOut(_ wishes: [PatientWish], _ path: String) throws(NoMonitorError) -> Answer? {
        guard try isMeant(path) else { return nil }
        do throws(LineSocketError) {
            return try converse(wishes, try LineSocketClient(path: path))
        } catch {
            switch error {
            case .noListener, .closed: return nil
            case .tooSlow: throw .silent
            default: throw .failed(error)
            }
        }
    }

    private func converse(
        _ wishes: [PatientWish], _ client: LineSocketClient
    ) throws(LineSocketError) -> Answer {
        try client.send(LinkCoder.endedLine(ViewerLine.attach(form: LinkForm.current)))
        var waiting = wishes[...]
        for _ in 0..<Self.lineLimit {
            guard let line = try? LinkCoder.value(MonitorLine.self, try client.readLine()) else {
                return .refused("The monitor sent an unknown message; it may be of another version.")
            }
            switch line {
            case .hello(let hello) where hello.form != LinkForm.current:
                return .refused("The monitor, \(hello.name), is of another version. Start it anew.")
            case .snapshot(let snapshot):
                // The monitor's answer is known without asking it.
                for wish in wishes {
                    if let refusal = snapshot.state.refusal(of: .patient(wish), at: .now()) {
                        return .refused(refusal.description)
                    }
                }
                guard let first = waiting.first else { return .done }
                try client.send(LinkCoder.endedLine(ViewerLine.wish(.patient(first))))
            case .input(.wish(let done, at: _)) where done == waiting.first:
                waiting.removeFirst()
                guard let next = waiting.first else { return .done }
                try client.send(LinkCoder.endedLine(ViewerLine.wish(.patient(next))))
            case .refused(let reason): return .refused("The monitor \(sanitized(reason, limit: 80)).")
            case .hello, .input, .waves, .alive, .notice: break
            }
        }
        throw .tooSlow
    }
}

/// Why there is no status of a monitor: none runs, or it does not answer.
package enum NoMonitorError: Error, Hashable {
    /// None runs.
    case none
    /// The last one has crashed.
    case ended(RunningMonitor)
    /// One exists, but its process is stopped.
    case stopped(pid_t)
    /// One exists, but does not answer in time.
    case silent
    /// One has the lock, but no socket was found.
    case hidden(RunningMonitor)
    /// One cannot be reached.
    case failed(LineSocketError)

    /// The error for a process that listens and does not answer.
    package static func silence(of listener: pid_t?) -> Self {
        listener.flatMap { RunningMonitor.isStopped($0) ? .stopped($0) : nil } ?? .silent
    }

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
        case .stopped(let process): "Let it go on with: kill -CONT \(process)"
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
