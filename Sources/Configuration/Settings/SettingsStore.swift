import Dashboard
import Monitoring
import Vitals

/// The settings as they are changed while the program runs: what holds, where it comes from, what is not kept yet.
public struct SettingsStore: Hashable, Sendable {
    /// The settings that hold.
    public private(set) var settings: Settings
    /// The settings as the file and the command line gave them, or as they were kept last.
    public private(set) var kept: Settings
    private var inFile: Set<String>
    private let byOption: Set<String>

    /// Begins with some settings.
    ///
    /// - Parameters:
    ///   - settings: What the program starts with.
    ///   - document: The configuration file, if there is one; its settings without those of the command line count as
    ///     the file's.
    public init(_ settings: Settings, document: ConfigurationDocument? = nil) {
        (self.settings, kept) = (settings, settings)
        let file = document.flatMap { try? Settings($0) } ?? Settings()
        inFile = Set((document?.entries ?? []).map { "\($0.section).\($0.key)" })
        byOption = Set(
            SettingTable.settings.filter { $0.value(in: settings) != $0.value(in: file) }.map(\.name))
    }

    /// Changes a setting.
    ///
    /// - Returns: What was changed and what it is now.
    /// - Throws: Why it cannot be: a value that is not allowed, or one that contradicts another setting.
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

    /// Takes note that everything was kept.
    public mutating func hasKept() {
        inFile.formUnion(changedNames)
        kept = settings
    }

    /// Takes note that other settings were kept beside those that hold; where they differ from what was kept, they hold
    /// from now on.
    public mutating func hasKept(_ other: Settings) {
        for setting in SettingTable.settings where setting.value(in: other) != setting.value(in: kept) {
            let literal = setting.value(in: other).literal
            try? setting.set(literal, in: &settings)
            inFile.insert(setting.name)
        }
        kept = other
    }

    /// The settings that differ from what was kept.
    public var changedNames: [String] {
        SettingTable.settings.filter { $0.value(in: settings) != $0.value(in: kept) }.map(\.name)
    }

    /// Every setting for the screen.
    public var items: [SettingItem] {
        let changed = Set(changedNames)
        return SettingTable.settings.map { setting in
            var stepped = settings
            let value = setting.value(in: settings)
            let source: SettingItem.Source =
                changed.contains(setting.name)
                ? .changed
                : byOption.contains(setting.name) && value != setting.defaultValue
                    ? .option : inFile.contains(setting.name) ? .file : .usual
            return SettingItem(
                section: setting.section, key: setting.key, explanation: setting.explanation,
                expectation: setting.expectation, value: Self.text(value), usual: Self.text(setting.defaultValue),
                source: source, isChoice: !setting.choices.isEmpty, hasSteps: setting.step(&stepped, by: 1),
                isAtOnce: setting.isAtOnce)
        }
    }

    /// A value as people type it: a text without its quotes, where it needs none.
    private static func text(_ value: ConfigurationValue) -> String {
        guard case .text(let text) = value, !text.isEmpty, ConfigurationNumber(text) == nil,
            text.unicodeScalars.first.map({ LineScanner.isName($0) }) ?? false
        else { return value.literal }
        return text
    }
}
