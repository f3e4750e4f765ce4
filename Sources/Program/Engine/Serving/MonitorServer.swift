import EventLoops
import Monitoring
import MonitorLink
import Status
import Vitals

/// Serves a monitor to other programs: its status on request, and everything to views, which send requests back.
final class MonitorServer: MonitorSubscriber {
    private let publisher: MonitorPublisher
    private let status: StatusServer
    private let lock: HeldMonitorLock

    /// Creates a server, and opens its socket.
    ///
    /// - Parameters:
    ///   - monitor: The monitor, which keeps this server as its subscriber.
    ///   - command: The name of the monitoring command.
    ///   - lock: The lock of the patient; released when the sensors turn out to be simulated, or the monitor has
    ///     closed.
    ///   - showStatus: Shows the status in this program, too; `nil` for nothing.
    init(
        _ monitor: isolated MonitorEngine, command: String, holding lock: HeldMonitorLock,
        showStatus: ((StatusSummary) -> Void)? = nil
    ) {
        let patient = monitor.settings.patient.name
        let loop = monitor.loop
        let publisher = MonitorPublisher(on: loop, command: command) { [unowned monitor] in
            monitor.assumeIsolated { $0.snapshot }
        } refusal: { [unowned monitor] wish in
            monitor.assumeIsolated { $0.refusal(of: wish) }
        } carryOut: { [unowned monitor] wish in
            monitor.assumeIsolated { $0.carryOut(wish) }
        }
        let status = StatusServer(
            lock, of: patient, on: loop,
            complain: { [weak monitor] sentence in monitor?.assumeIsolated { $0.send(.notice(sentence)) } },
            look: { [weak monitor] in
                monitor?.assumeIsolated {
                    StatusSummary($0.state, patient: patient, provenance: $0.feed.provenance, now: $0.feed.now())
                } ?? StatusSummary(wallMilliseconds: 0)
            })
        publisher.keeps = { [weak status] in status?.keep($0) ?? false }
        status.understands = { [publisher] in publisher.handle($0, from: $1) }
        status.shown = showStatus
        (self.publisher, self.status, self.lock) = (publisher, status, lock)
        status.open(isSimulated: monitor.feed.isSimulated)
    }

    func receive(_ update: MonitorUpdate, from monitor: isolated MonitorEngine) {
        switch update {
        case .input(let input, let effects):
            publisher.publish(input)
            switch update.event?.kind {
            case .reading(let reading) where effects.isEmpty: status.received(reading)
            // RR intervals are not part of the status.
            case .rrIntervals where effects.isEmpty: break
            default: status.changed(isUrgent: effects.contains(where: \.isUrgent))
            }
        case .replaced, .monitorLost:
            publisher.publishSnapshot()
            status.changed()
        case .notice(let sentence), .viewNotice(let sentence): publisher.publish(notice: sentence)
        case .provenance(let provenance):
            if provenance != .unknown { status.open(isSimulated: provenance == .simulated) }
        case .closing:
            publisher.close()
            status.close()
        // Only now may another program monitor the patient: this one writes nothing from here on.
        case .closed: lock.release()
        case .context, .refused, .unavailable, .ready, .replayBegan, .replayEnded, .settingsChanged, .settingsKept,
            .reloading,
            .reloaded,
            .timePassed, .turnEnded:
            break
        }
    }
}

extension MonitorEngine {
    /// Serves other programs until the monitor closes.
    ///
    /// - Parameters:
    ///   - command: The name of the monitoring command.
    ///   - lock: The lock of the patient, released when the monitor has closed.
    ///   - showStatus: Shows the status in this program, too; `nil` for nothing.
    package func serve(
        command: String, holding lock: sending HeldMonitorLock,
        showStatus: (@Sendable (StatusSummary) -> Void)? = nil
    ) {
        subscribe(MonitorServer(self, command: command, holding: lock, showStatus: showStatus))
        publishToWard()
    }
}
