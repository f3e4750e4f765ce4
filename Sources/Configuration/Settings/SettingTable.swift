/// All settings, in the order in which the default file shows them.
public enum SettingTable {
    /// The sections with what they are about.
    static let sections: [(name: String, explanation: String)] = [
        ("screen", "How the screen looks."),
        ("sensors", "Which sensors are connected."),
        ("freshness", "When a value that is not renewed counts as stale or lost."),
        ("fever", "When a body temperature is fever."),
        ("technical", "When the equipment deserves an alarm."),
    ]

    /// The settings.
    public static let settings: [Setting] = screen + sensors + freshness + fever + technical

    /// What must hold between settings.
    static let rules: [SettingRule] = freshnessRules + feverRules + technicalRules

    /// The setting of a key in a section, or `nil` when there is none.
    public static func setting(_ key: String, in section: String) -> Setting? {
        settings.first { $0.key == key && $0.section == section }
    }

    /// The setting with a name such as `limits.spo2.low`, or `nil` when there is none.
    public static func setting(named name: String) -> Setting? {
        settings.first { $0.name == name }
    }

    /// The sections with their keys, for ``ConfigurationDocument/set(_:in:to:comment:order:)``.
    public static var order: [(section: String, keys: [String])] {
        sections.map { section in (section.name, settings.filter { $0.section == section.name }.map(\.key)) }
    }
}
