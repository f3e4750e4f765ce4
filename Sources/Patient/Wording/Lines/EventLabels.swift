import Base
import Monitoring
import Vitals

/// The text of an event for lines; `nil` for events that are not reported.
package enum EventLabels {
    /// The result of a connection; repeated attempts and intermediate steps are not reported.
    ///
    /// - Parameters:
    ///   - kind: The kind of the sensor.
    ///   - wasConnected: Whether it was connected before, so that this is a reconnection.
    package static func text(_ connection: ConnectionState, of kind: SensorKind, wasConnected: Bool) -> String? {
        if connection.isForeign {
            return connection.phase == .connected ? "connected by another program" : nil
        }
        let why = SensorLabels.phrases(for: connection.reason)
        switch connection.phase {
        case .connecting: return connection.attempt ?? 1 > 1 ? nil : "connecting"
        case .connected: return nil
        case .ready where connection.hint == .silent: return "connected, but sends nothing; check it"
        case .ready where connection.hint(for: kind) == .notRead: return "connected, but \(SensorLabels.notRead)"
        case .ready: return "connected"
        case .waiting where connection.reason == .asleep: return SensorLabels.asleep
        case .waiting where SensorLabels.awaitsBluetooth(connection): return SensorLabels.waitingForBluetooth
        case .waiting where SensorLabels.isNotHeardYet(connection):
            return ([SensorLabels.waitingToBeHeard] + why.dropFirst()).joined(separator: "; ")
        case .waiting:
            let phrases = connection.hint == .inUse ? ["in use by another device?"] : why
            return ([wasConnected ? "reconnecting" : "not connected yet"] + phrases).joined(separator: "; ")
        case .disconnected where connection.detail != nil:
            return "not used: \(sanitized(connection.detail ?? "", limit: 120))"
        case .disconnected: return (["disconnected"] + why).joined(separator: "; ")
        }
    }

    /// A period: "from 03:10:00 to 03:12:07".
    package static func stretch(_ from: Moment, _ to: Moment, _ time: TimeText) -> String {
        "from \(time.point(from, isExact: true)) to \(time.point(to, isExact: true))"
    }

    /// A period without monitoring.
    ///
    /// - Parameter isReplay: Whether it is a gap in a recording, which has no reason.
    package static func text(_ gap: Gap, _ time: TimeText, isReplay: Bool = false) -> String {
        let stretch = stretch(gap.from, gap.to, time)
        switch gap.reason {
        case .asleep: return "nothing heard \(stretch): the computer slept"
        case .clockSet: return "the clock was set \(stretch)"
        case .daemon: return "nothing heard \(stretch): Bluetooth was not running"
        case .bus: return "nothing heard \(stretch): there was no message bus"
        case .daemonSilent: return "nothing heard \(stretch): Bluetooth did not answer"
        case .busSilent: return "nothing heard \(stretch): the message bus did not answer"
        case .adapter: return "nothing heard \(stretch): the adapter was off or away"
        case .program where isReplay: return "nothing was recorded \(stretch)"
        case .program: return "nothing heard \(stretch): Bedside could not keep up"
        }
    }

    /// The request or the result of a pairing.
    package static func text(_ pairing: PairingState) -> String? {
        switch pairing {
        case .needed(let reason): "wants to be paired: \(reason)"
        case .succeeded: "paired"
        case .failed(let reason): "not paired: \(reason)"
        default: nil
        }
    }

    /// An alarm that entered a state; pending alarms and their ends are not reported.
    ///
    /// An alarm that resumes or changes its priority shows its start.
    package static func text(_ alarm: Alarm, _ time: TimeText) -> String? {
        guard alarm.activeSince != nil || alarm.state == .active else { return nil }
        return switch alarm.state {
        case .pending: nil
        case .active: "ALARM, \(alarm.priority.rawValue) priority\(sinceText(alarm, time)): \(alarm.sentence)"
        case .suspended: "alarm suspended: \(alarm.sentence)"
        case .acknowledged: "alarm acknowledged: \(alarm.sentence)"
        case .ended: alarm.phrase.isOver ? alarm.sentence : "alarm over: \(alarm.sentence)"
        }
    }

    /// An unacknowledged alarm of an earlier run, and until when it is known to have been active.
    package static func unanswered(_ alarm: Alarm, _ time: TimeText) -> String {
        let from = time.point(alarm.activeSince ?? alarm.since, isExact: false)
        let end = alarm.endedAt.map { " to \(time.point($0, isExact: false))" } ?? ""
        return "alarm not acknowledged, \(alarm.priority.rawValue) priority, from \(from)\(end): \(alarm.sentence)"
    }

    private static func sinceText(_ alarm: Alarm, _ time: TimeText) -> String {
        guard let since = alarm.activeSince, time.now.since(since) >= .seconds(1) else { return "" }
        return ", since \(time.clock(since))"
    }
}
