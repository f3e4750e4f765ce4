import MonitorLink
import Tracing
import Vitals

/// Collects the trace of one sensor, or of all, and asks the monitor for it again and again.
///
/// So a program that was killed leaves no trace running: the monitor ends it when nobody asks.
package final class TraceRecorder: MonitorSubscriber {
    /// How often it asks.
    private static let interval = Duration.seconds(SensorWish.traceLimit / 2)

    /// The sensor by name or address; `nil` for all.
    private let wanted: String?
    /// The addresses of sensors with that name.
    package private(set) var addresses: Set<String> = []
    private let files: TraceFiles?
    private let print: (String) -> Void
    private var capture: TraceCapture?
    private var lines = ""
    private var askedAt: Moment?
    private var saysSimulated = false
    /// What was traced of each link that there is.
    private var links: [String: [TraceEntry.Service]] = [:]

    /// The most links whose beginning is recognised.
    private static let linkLimit = 256

    /// The most sensors with one name.
    private static let limit = 8

    /// Creates a recorder, which begins with ``begin(_:)``.
    ///
    /// - Parameters:
    ///   - wanted: The sensor by its name, in any case, or by its address; `nil` for all.
    ///   - files: Receives capture and lines; `nil` for none.
    ///   - print: Receives the lines at the end of each turn.
    package init(
        _ wanted: String?, files: TraceFiles? = nil, print: @escaping (String) -> Void = { _ in }
    ) {
        (self.wanted, self.files, self.print) = (wanted?.lowercased(), files, print)
    }

    /// Asks for the trace.
    package func begin(_ monitor: isolated MonitorEngine) {
        let now = monitor.feed.now()
        links = [:]
        if files != nil, capture == nil { capture = TraceCapture(at: now) }
        for sensor in monitor.state.sensors { learn(sensor.identity, monitor) }
        ask(monitor, at: now)
    }

    package var nextDue: Moment? { askedAt?.advanced(by: Self.interval) }

    package func receive(_ update: MonitorUpdate, from monitor: isolated MonitorEngine) {
        switch update {
        case .input:
            switch update.event?.kind {
            case .traced(let entry):
                take(entry, update.event?.moment ?? monitor.feed.now(), isSimulated: monitor.isSimulated)
            case .nearby(let sensor, _, _), .connection(let sensor, _): learn(sensor, monitor)
            default: break
            }
            askAgain(monitor)
        case .timePassed: askAgain(monitor)
        // Another monitor knows nothing of the wish.
        case .replaced(.viewed): begin(monitor)
        case .turnEnded, .closing: flush()
        default: break
        }
    }

    /// Writes what is collected.
    package func flush() {
        let octets = capture?.takeOctets() ?? []
        if octets.isEmpty, lines.isEmpty { return }
        files?.write(octets, lines)
        print(lines)
        lines = ""
    }

    private func take(_ entry: TraceEntry, _ moment: Moment, isSimulated: Bool) {
        guard wanted == nil || addresses.contains(entry.address) || isWanted(entry.address, entry.name),
            isNews(entry)
        else { return }
        if isSimulated, !saysSimulated {
            saysSimulated = true
            capture?.addSimulated(at: moment)
        }
        capture?.add(entry, at: moment)
        lines += TraceText.lines(entry, at: moment, isSimulated: isSimulated)
    }

    /// Whether a step is new: each reader of a monitor's trace lets it begin again for all.
    private func isNews(_ entry: TraceEntry) -> Bool {
        switch entry.kind {
        case .connected:
            guard links[entry.address] == nil else { return false }
            if links.count < Self.linkLimit { links[entry.address] = [] }
        case .discovered(let services):
            guard links[entry.address] != services else { return false }
            links[entry.address]? = services
        case .disconnected: links[entry.address] = nil
        case .advertised, .notified, .asked, .done, .failed: break
        }
        return true
    }

    private func isWanted(_ address: String, _ name: String) -> Bool {
        address.lowercased() == wanted || name.lowercased() == wanted
    }

    private func learn(_ sensor: SensorIdentity, _ monitor: isolated MonitorEngine) {
        guard wanted != nil, !addresses.contains(sensor.address), addresses.count < Self.limit,
            isWanted(sensor.address, sensor.name)
        else { return }
        addresses.insert(sensor.address)
        // A stranger is in the trace of all only while it is connected.
        if askedAt != nil { ask(.sensor(address: sensor.address), monitor) }
    }

    private func askAgain(_ monitor: isolated MonitorEngine) {
        let now = monitor.feed.now()
        if let askedAt, now.since(askedAt) < Self.interval { return }
        ask(monitor, at: now)
    }

    private func ask(_ monitor: isolated MonitorEngine, at now: Moment) {
        askedAt = now
        // A sensor that is not known yet may be connected as soon as it is.
        if addresses.isEmpty { ask(.all, monitor) }
        for address in addresses.sorted() where monitor.state.sensor(address: address) != nil {
            ask(.sensor(address: address), monitor)
        }
    }

    private func ask(_ scope: TraceScope, _ monitor: isolated MonitorEngine) {
        monitor.carryOut(.sensor(.trace(scope, seconds: SensorWish.traceLimit)))
    }
}
