import AlarmSignals
import Base
import Monitoring
import Vitals

extension DesktopNotification {
    /// The desktop notification of an alarm; `nil` for none.
    ///
    /// - Parameters:
    ///   - alarm: The present alarm.
    ///   - context: What the notification must say of the session.
    init?(_ alarm: AlarmReport, _ context: SessionContext) {
        let standing: String
        switch alarm.state {
        case .pending: return nil
        case .active: standing = "Active"
        case .suspended where alarm.isAcknowledged:
            standing = "Acknowledged, and suspended: it cannot be evaluated now"
        case .suspended: standing = "Suspended: it cannot be evaluated now, and is not acknowledged"
        case .acknowledged: standing = "Acknowledged"
        case .ended:
            guard alarm.isLatched else { return nil }
            standing = "Over, but not acknowledged"
        }
        self.init(
            summary: (context.isSimulated ? "SIMULATED: " : "") + (context.patient.map { "\($0): " } ?? "")
                + alarm.text,
            body: "\(standing). \(alarm.priority.rawValue.capitalizedFirst) priority, from Bedside.",
            urgency: alarm.isAcknowledged ? .low : Urgency(alarm.priority))
    }

    /// The desktop notification of an alarm that is still unacknowledged.
    init?(again alarm: Alarm, at moment: Moment, _ context: SessionContext) {
        self.init(AlarmReport(alarm), context)
        let minutes = max(0, moment.since(alarm.activeSince ?? alarm.since).components.seconds / 60)
        body = "Not acknowledged for \(minutes) min. " + body
    }
}

extension DesktopNotification.Urgency {
    /// The urgency for a priority.
    init(_ priority: AlarmPriority) {
        switch priority {
        case .high: self = .critical
        case .medium: self = .normal
        case .low: self = .low
        }
    }
}
