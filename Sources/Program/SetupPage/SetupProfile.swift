import Configuration
import Monitoring
import Vitals

/// Who the limits are for; the raw value is the word in a file of answers.
public enum SetupProfile: String, CaseIterable, Hashable, Sendable {
    case adult
    case child
    /// A person under chemotherapy.
    case chemotherapy

    /// Its name.
    var title: String {
        switch self {
        case .adult: "An adult"
        case .child: "A child"
        case .chemotherapy: "Somebody under chemotherapy"
        }
    }

    /// What the profile sets.
    var explanation: String {
        switch self {
        case .adult:
            "The usual limits of Bedside, which makers of bedside monitors ship for adults. The next step shows the numbers."
        case .child:
            """
            Bedside has no limits for children: what is normal depends on the age, and no numbers with a source are at \
            hand. Ask your doctor or ward, and type theirs in the next step.
            """
        case .chemotherapy:
            """
            The usual limits for adults, and fever as the guideline of the IDSA for neutropenia has it: 38.3 °C once, or \
            38.0 °C for an hour. Ask your doctor whom to call, and with which temperature.
            """
        }
    }

    /// The values of the profile's settings, by name; a child's limits must be set by a person, because there is no
    /// source for them.
    ///
    /// Sources: the defaults of `MonitorSettings.Limits` and of `MonitorSettings.Fever`.
    public var values: [String: ConfigurationValue] {
        let names: [String] =
            switch self {
            case .adult: Self.limits
            case .child: []
            case .chemotherapy: Self.limits + SettingTable.settings.filter { $0.section == "fever" }.map(\.name)
            }
        return Dictionary(
            names.compactMap { name in SettingTable.setting(named: name).map { (name, $0.defaultValue) } }
        ) { first, _ in first }
    }

    private static let limits = [Vital.heartRate, .pulseRate, .oxygenSaturation, .bodyTemperature].flatMap { vital in
        LimitKind.allCases.map { "limits.\(vital.rawValue).\($0.rawValue)" }
    }
}

/// When a monitor starts automatically; the raw value is the word in a file of answers.
public enum SetupStart: String, CaseIterable, Hashable, Sendable {
    case login
    /// With the computer, even before a user logs in.
    case boot

    /// Its name.
    var title: String {
        switch self {
        case .login: "Start Bedside when I log in"
        case .boot: "Start it with the computer, too"
        }
    }

    /// What it means.
    var explanation: String {
        switch self {
        case .login:
            """
            A monitor runs in the background from now on and after each login, with alarms and recording; bedside shows \
            it. It ends when you log out.
            """
        case .boot:
            """
            The same, and it goes on without anybody logged in, also after a power cut: systemd calls that lingering. \
            loginctl disable-linger takes it back.
            """
        }
    }
}
