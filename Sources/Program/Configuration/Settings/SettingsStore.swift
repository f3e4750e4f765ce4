import Appearance
import Base
import Monitoring
import Vitals

/// The settings while the program runs, with their source and the unsaved changes.
public struct SettingsStore: Hashable, Sendable {
    /// The settings in force.
    public private(set) var settings: Settings
    /// The settings as loaded or last saved.
    public private(set) var kept: Settings
    private var inFile: Set<String>
    private let byOption: Set<String>

    /// Begins with the settings of the start.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - document: The configuration file, if there is one; command-line options are not counted as changes to it.
    public init(_ settings: Settings, document: ConfigurationDocument? = nil) {
        (self.settings, kept) = (settings, settings)
        let file = document.flatMap { try? Settings($0) } ?? Settings()
        inFile = Set((document?.entries ?? []).map { "\($0.section).\($0.key)" })
        byOption = Set(
            SettingTable.settings(for: settings, file).filter { $0.value(in: settings) != $0.value(in: file) }.map(
                \.name))
    }

    /// Changes a setting.
    ///
    /// - Returns: The changed setting and its new value.
    /// - Throws: For a value that is not allowed, or contradicts another setting.
    @discardableResult
    public mutating func change(
        _ name: String, _ change: SettingChange
    ) throws(ConfigurationError) -> (name: String, value: String) {
        guard let setting = SettingTable.setting(named: name) else {
            throw ConfigurationError(TextPosition(line: 1, column: 1), "there is no setting \(name)")
        }
        var changed = settings
        switch change {
        case .text(let text): try setting.set(text, in: &changed)
        case .step(let count): setting.step(&changed, by: count)
        case .usual: try setting.set(setting.defaultValue.literal, in: &changed)
        }
        if let contradiction = changed.contradiction {
            throw ConfigurationError(TextPosition(line: 1, column: 1), contradiction)
        }
        settings = changed
        return (setting.name, setting.value(in: changed).literal)
    }

    /// Records that all changes were saved.
    public mutating func hasKept() {
        inFile.formUnion(changedNames)
        kept = settings
    }

    /// Records that other settings were saved; where they differ from the last saved ones, they take effect.
    public mutating func hasKept(_ other: Settings) {
        for setting in SettingTable.settings(for: other, kept) where setting.value(in: other) != setting.value(in: kept)
        {
            let literal = setting.value(in: other).literal
            try? setting.set(literal, in: &settings)
            inFile.insert(setting.name)
        }
        kept = other
    }

    /// The unsaved settings.
    public var changedNames: [String] {
        SettingTable.settings(for: settings, kept).filter { $0.value(in: settings) != $0.value(in: kept) }.map(\.name)
    }

    /// All settings, for the screen.
    public var items: [SettingItem] {
        let changed = Set(changedNames)
        return SettingTable.settings(for: settings).map { setting in
            var stepped = settings
            let value = setting.value(in: settings)
            let source: SettingItem.Source =
                changed.contains(setting.name)
                ? .changed
                : byOption.contains(setting.name) && value != setting.defaultValue
                    ? .option : inFile.contains(setting.name) ? .file : .usual
            return SettingItem(
                section: setting.section, key: setting.key, heading: setting.heading, title: setting.title,
                explanation: setting.explanation, expectation: setting.shownExpectation,
                value: setting.typed(value, in: settings),
                shownValue: setting.shown(value), usual: setting.shown(setting.defaultValue), source: source,
                isChoice: !setting.choices.isEmpty, hasSteps: setting.step(&stepped, by: 1),
                isAtOnce: setting.isAtOnce)
        }
    }
}
