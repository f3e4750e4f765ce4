import Configuration
import Vitals

/// The steps of the first evening, in their order.
public enum SetupStep: Int, CaseIterable, Hashable, Sendable {
    /// What this computer lacks.
    case look
    /// The sensors to connect, and their names.
    case sensors
    /// The bed and the patient.
    case patient
    /// The units of values.
    case units
    /// Who the limits are for.
    case profile
    case limits
    /// Desktop, sound and bell.
    case alarms
    /// Whether a monitor starts by itself.
    case start
    /// What will be written.
    case review

    var title: String {
        switch self {
        case .look: "This computer"
        case .sensors: "Sensors"
        case .patient: "Bed or patient"
        case .units: "Units"
        case .profile: "Who is monitored"
        case .limits: "Limits"
        case .alarms: "Alarms"
        case .start: "Start by itself"
        case .review: "Write it"
        }
    }

    /// The settings in the step.
    var fields: [SetupField] {
        switch self {
        case .patient: [SetupField("screen.bed"), SetupField("patient.name")]
        case .units: [SetupField("screen.units"), SetupField("screen.glucose_unit")]
        case .limits: SetupField.limits
        case .alarms:
            [
                SetupField("alarms.notifications", title: "Show on the desktop"),
                SetupField("alarms.speakers", title: "Sound by loudspeaker"), SetupField("alarms.volume"),
            ]
        case .look, .sensors, .profile, .start, .review: []
        }
    }
}

/// A question in a step: a setting, or several settings with the same value.
struct SetupField: Hashable {
    /// The names of the settings; the first one is shown.
    let settings: [String]
    /// Its name; `nil` for that of the setting.
    let title: String?

    init(_ settings: String..., title: String? = nil) {
        (self.settings, self.title) = (settings, title)
    }

    /// The limits in the step; heart rate and pulse rate have the same.
    static let limits: [SetupField] =
        [("severe_low", "Pulse dangerous below"), ("low", "Pulse low below"), ("high", "Pulse high above")].map(rate)
        + [rate("severe_high", "Pulse dangerous above")]
        + [
            SetupField("limits.spo2.severe_low", title: "SpO₂ dangerous below"),
            SetupField("limits.spo2.low", title: "SpO₂ low below"),
            SetupField("limits.body_temperature.low", title: "Temperature low below"),
            SetupField("limits.body_temperature.high", title: "Temperature high above"),
            SetupField("fever.threshold", title: "Fever from"),
            SetupField("fever.sustained_threshold", title: "Fever if it lasts, from"),
        ]

    private static func rate(_ key: String, _ title: String) -> SetupField {
        SetupField("limits.heart_rate.\(key)", "limits.pulse_rate.\(key)", title: title)
    }
}

/// The user's answer in a step, beyond the existing settings.
public struct SetupAnswer: Hashable, Sendable {
    /// The values of settings, by name.
    public var values: [String: ConfigurationValue]
    /// The sensors that were chosen, named or removed.
    public var sensors: [RememberedSensor]
    /// Who the limits are for.
    public var profile: SetupProfile?
    /// When a monitor starts automatically.
    public var start: SetupStart?

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - values: The values of settings, by name.
    ///   - sensors: The sensors that were chosen, named or removed.
    ///   - profile: Who the limits are for.
    ///   - start: When a monitor starts automatically.
    public init(
        values: [String: ConfigurationValue] = [:], sensors: [RememberedSensor] = [], profile: SetupProfile? = nil,
        start: SetupStart? = nil
    ) {
        (self.values, self.sensors, self.profile, self.start) = (values, sensors, profile, start)
    }
}
