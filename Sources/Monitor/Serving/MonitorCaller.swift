import EventLoops
import MonitorLink
import MonitorSocket
import Monitoring
import Sensors
import Vitals

/// Asks the running monitor to do what a user wants, as a view does, and waits until it has done so.
package struct MonitorCaller {
    private let finder: MonitorFinder

    /// Creates a caller.
    ///
    /// - Parameter finder: Which monitor is meant.
    package init(_ finder: MonitorFinder) {
        self.finder = finder
    }

    /// What a monitor answers.
    package enum Answer: Hashable {
        /// It has done so.
        case done
        /// It refuses; a sentence says why.
        case refused(String)
    }

    /// How many lines are read before a monitor that sends others counts as silent.
    private static let lineLimit = 100_000

    /// Asks for an action.
    ///
    /// - Returns: `nil` where no monitor runs.
    /// - Throws: ``NoMonitorError`` where one runs and cannot be asked.
    package func perform(_ action: UserAction) throws(NoMonitorError) -> Answer? {
        // Never a simulated monitor in place of a patient's.
        for path in finder.paths(after: .real) {
            if let answer = try perform(action, path) { return answer }
        }
        let absence = finder.absence
        if absence.runs { throw absence }
        return nil
    }

    private func perform(_ action: UserAction, _ path: String) throws(NoMonitorError) -> Answer? {
        guard try finder.isMeant(path) else { return nil }
        do throws(MonitorSocketError) {
            return try converse(action, try MonitorSocketClient(path: path))
        } catch {
            switch error {
            case .noListener, .closed: return nil
            case .tooSlow: throw .silent
            default: throw .failed(error)
            }
        }
    }

    private func converse(
        _ action: UserAction, _ client: MonitorSocketClient
    ) throws(MonitorSocketError) -> Answer {
        try client.send(LinkCoder.endedLine(ViewerLine.attach(form: LinkForm.current)))
        for _ in 0..<Self.lineLimit {
            guard let line = try? LinkCoder.value(MonitorLine.self, try client.readLine()) else {
                return .refused("The monitor sent an unknown message; it may be of another version.")
            }
            switch line {
            case .hello(let hello) where hello.form != LinkForm.current:
                return .refused("The monitor, \(hello.name), is of another version. Start it anew.")
            case .snapshot(let snapshot):
                // What the monitor would answer is known without it.
                if let refusal = snapshot.state.refusal(of: .action(action), at: .now()) {
                    return .refused(refusal.description)
                }
                try client.send(LinkCoder.endedLine(ViewerLine.action(action)))
            case .input(.action(action, at: _)): return .done
            case .refused(let reason): return .refused("The monitor \(sanitized(reason, limit: 80)).")
            case .hello, .input, .alive, .notice: break
            }
        }
        throw .tooSlow
    }
}
