import Base
import EventLoops
import MonitorLink
import LineSocket
import Monitoring
import Sensors
import Vitals

/// Sends a user's request to the running monitor, as a view does, and waits until it is done.
package struct MonitorCaller {
    private let finder: MonitorFinder

    /// Creates a caller.
    ///
    /// - Parameter finder: Finds the intended monitor.
    package init(_ finder: MonitorFinder) {
        self.finder = finder
    }

    /// The answer of a monitor.
    package enum Answer: Hashable {
        /// It was done.
        case done
        /// It was refused; a sentence says why.
        case refused(String)
    }

    /// How many other lines are read before the monitor counts as silent.
    private static let lineLimit = 100_000

    /// Asks for a wish to be carried out.
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
        for path in finder.paths(after: .real) {
            if let answer = try carryOut(wishes, path) { return answer }
        }
        let absence = finder.absence
        if absence.runs { throw absence }
        if !finder.isSimulatedOnly, finder.isOnSimulatedBus {
            return .refused(
                """
                The monitor that runs found simulated sensors on its bus, and records apart from the patient. \
                With --simulate it goes there; end that monitor for the patient's own record.
                """)
        }
        return nil
    }

    private func carryOut(_ wishes: [PatientWish], _ path: String) throws(NoMonitorError) -> Answer? {
        guard try finder.isMeant(path) else { return nil }
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
            case .hello, .input, .alive, .notice: break
            }
        }
        throw .tooSlow
    }
}
