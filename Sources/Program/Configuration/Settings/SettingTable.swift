/// All settings, in the order of the default file.
public enum SettingTable {
    /// The sections with their descriptions.
    public static let sections: [(name: String, explanation: String)] =
        [
            ("screen", "How the screen looks."),
            ("patient", "The patient, where this computer monitors more than one."),
            ("contacts", "Whom to call; shown with a fever and on a page, and never dialled."),
            ("sensors", "Which sensors are connected."),
            ("freshness", "When a value that is not renewed counts as stale or lost."),
            ("fever", "When a body temperature is fever."),
            ("alarms", "How alarms are heard, seen and answered."),
            ("views", "What views of this monitor may do."),
            ("recording", "What is recorded, and for how long it is kept."),
            ("ward", "Where this bed is published for a ward, by MQTT."),
            (
                "early_warning",
                "The bands of NEWS2; there is never a total, because at most four of seven parameters are measured."
            ),
        ] + limitSections + [("technical", "When the equipment raises an alarm.")] + nightSections
        + [themeSection, keySection]

    /// A description of the file.
    public static let summary = """
        The settings are in bedside/bedside.toml below $XDG_CONFIG_HOME, or below ~/.config where that is not set. The \
        file is TOML 1.0: [sections], lines of "key = value", and comments that begin with #. What is left out keeps its \
        default value. A file that is wrong is refused with line, column and reason, and nothing starts: limits that \
        differ from the intended ones would be worse than a short delay. bedside --no-config starts at once with the \
        usual settings. Options on the command line go before the file.
        """

    public static let settings: [Setting] =
        screen + patient + contacts + sensors + freshness + fever + alarms + views + recording + ward + earlyWarning
        + limits
        + technical
        + night
        + theme
        + keys

    /// The rules between settings.
    static let rules: [SettingRule] =
        freshnessRules + feverRules + alarmRules + limitRules + technicalRules + nightRules

    /// The setting of a key in a section; `nil` when there is none.
    public static func setting(_ key: String, in section: String) -> Setting? {
        settings.first { $0.key == key && $0.section == section }
    }

    /// The setting with a name such as `limits.spo2.low`; `nil` when there is none.
    public static func setting(named name: String) -> Setting? {
        settings.first { $0.name == name }
    }

    /// The sections with their keys, for ``ConfigurationDocument/set(_:in:to:comment:order:)``.
    public static var order: [(section: String, keys: [String])] {
        sections.map { section in (section.name, settings.filter { $0.section == section.name }.map(\.key)) }
    }
}
