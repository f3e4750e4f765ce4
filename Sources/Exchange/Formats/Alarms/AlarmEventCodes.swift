import Monitoring

/// What a change of an alarm is in the words of IHE's alarm messages (ACM, PCD-04), which a server of FHIR gets, too.
///
/// Source: IHE Devices, SDPi supplement, gateway for alarms. The attributes are those of ISO/IEEE 11073-10101.
public struct AlarmEventCodes: Hashable, Sendable {
    /// A word of an attribute.
    public struct Attribute: Hashable, Sendable {
        /// Its code and its reference identifier.
        public let code, name: String
        /// Its value.
        public let value: String
    }

    /// The code and the reference identifier of an alarm event.
    public static let event = (code: "196616", name: "MDC_EVT_ALARM")

    /// What has happened to the alarm.
    public let phase: String
    /// Whether its condition holds.
    public let state: String
    /// Whether it is signalled, or how it was silenced.
    public let inactivation: String
    public let priority: String
    /// About the patient, or about the equipment.
    public let type: String

    /// Translates a change.
    public init(_ change: AlarmLogEntry.Change) {
        (phase, state) =
            switch change.state {
            case .active: ("start", "active")
            // It cannot be evaluated, and has not ended.
            case .suspended, .acknowledged: ("update", "active")
            case .alertedAgain: ("continue", "active")
            case .ended, .interrupted: ("end", "inactive")
            case .unanswered: ("update", "inactive")
            case .putAway: ("reset", "inactive")
            }
        inactivation = change.state == .acknowledged ? "alert-acknowledged" : "enabled"
        priority =
            switch change.priority {
            case .high: "PH"
            case .medium: "PM"
            case .low: "PL"
            }
        type = change.alarmClass == .physiological ? "SP" : "ST"
    }

    /// The attributes in the order of the messages.
    public var attributes: [Attribute] {
        [
            Attribute(code: "68481", name: "MDC_ATTR_EVENT_PHASE", value: phase),
            Attribute(code: "68482", name: "MDC_ATTR_ALARM_STATE", value: state),
            Attribute(code: "68483", name: "MDC_ATTR_ALARM_INACTIVATION_STATE", value: inactivation),
            Attribute(code: "68484", name: "MDC_ATTR_ALARM_PRIORITY", value: priority),
            Attribute(code: "68485", name: "MDC_ATTR_ALERT_TYPE", value: type),
        ]
    }
}
