import EventLoops
import Formats
import Glibc
import LineSocket
import Status
import UserFiles
import Vitals

/// Finds the intended monitor and asks it.
package struct MonitorFinder {
    /// The patient; `nil` for the unnamed patient.
    package let patient: PatientName?
    /// Whether only a monitor of simulated sensors is accepted.
    package let isSimulatedOnly: Bool
    /// The user's folders.
    package let directories: UserDirectories

    /// Creates a finder.
    package init(patient: PatientName?, isSimulatedOnly: Bool, directories: UserDirectories) {
        (self.patient, self.isSimulatedOnly, self.directories) = (patient, isSimulatedOnly, directories)
    }

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
        MonitorPaths.simulatedSockets(directories).contains { path in
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
            if listener.flatMap(StoppedProcess.init) != nil { throw LineSocketError.tooSlow }
            try client.send(StatusQuestion.once.line)
            guard let summary = StatusDecoder.summary(try client.readLine()) else { throw LineSocketError.tooSlow }
            return summary
        } catch {
            switch error {
            case .noListener, .closed: return nil
            case .tooSlow: throw listener.flatMap(StoppedProcess.init).map { .stopped($0) } ?? .silent
            default: throw .failed(error)
            }
        }
    }

    /// Whether an answer comes from the intended monitor: simulated monitors include their patient.
    package func isMeant(_ summary: StatusSummary) -> Bool { summary.patient == patient?.text }

    /// Why no monitor listens at a socket.
    package var absence: NoMonitorError {
        let place = MonitorPaths(of: patient, in: directories)
        guard !isSimulatedOnly, let last = place.lastMonitor else { return .none }
        guard let holder = place.holder else { return .ended(last) }
        return holder.stopped.map { .stopped($0) } ?? .hidden(holder)
    }

    /// The sockets to try, in order.
    ///
    /// A simulated monitor never replaces a patient's monitor that does not answer or has crashed.
    ///
    /// - Parameter provenance: The provenance of the previously followed monitor's data.
    package func paths(after provenance: Provenance = .unknown) -> [String] {
        let simulated = MonitorPaths.simulatedSockets(directories)
        if isSimulatedOnly { return simulated }
        let place = MonitorPaths(of: patient, in: directories)
        return place.sockets + (provenance == .real || place.lastMonitor != nil ? [] : simulated)
    }
}
