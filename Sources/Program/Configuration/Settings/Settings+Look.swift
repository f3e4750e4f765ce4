import Appearance
import Base

extension Settings {
    /// The first conflict of keys or colours, and the setting that causes it; `nil` without a conflict.
    ///
    /// - Parameter theme: The theme that the user's colours modify.
    public func fault(onTop theme: Theme) -> (setting: String, reason: String)? {
        if let conflict = screen.keys.conflict {
            return ("\(SettingTable.keySection.name).\(conflict.command.name)", conflict.reason)
        }
        // An unchanged theme has no conflict.
        guard !screen.ownColors.isEmpty, let fault = theme.with(screen.ownColors).fault else { return nil }
        let own = fault.places.first { screen.ownColors[$0] != nil } ?? fault.places.first
        return ("\(SettingTable.themeSection.name).\(own?.name ?? "ground")", fault.reason + "; choose another colour")
    }

    /// The chosen theme if it is built in; `auto` counts as dark.
    public var builtInTheme: Theme? {
        screen.theme == "auto" ? .dark : Theme.builtIn.first { $0.name == screen.theme }?.theme
    }
}

/// A user's theme from a file.
public struct ThemeFile: Hashable, Sendable {
    public let theme: Theme

    /// Reads a theme file: one section, `[theme]`, with colours, and `base` for the theme that they modify.
    ///
    /// - Throws: All errors in the file: unknown names, invalid colours, colours that hide alarms.
    public init(_ document: ConfigurationDocument) throws(ConfigurationErrors) {
        var mistakes: [ConfigurationError] = []
        var settings = Settings()
        var base = Theme.dark
        let section = SettingTable.themeSection.name
        for other in document.sections where other.name != section {
            mistakes.append(
                ConfigurationError(other.position, "a theme's file has the section [\(section)] only"))
        }
        for entry in document.entries where entry.section == section || entry.section.isEmpty {
            do throws(SettingError) {
                if entry.section.isEmpty {
                    mistakes.append(
                        ConfigurationError(
                            entry.keyPosition, "'\(entry.key)' stands in no section; put it below [\(section)]"))
                } else if entry.key == "base" {
                    base = try Self.base(entry.value)
                } else if let setting = SettingTable.setting(entry.key, in: section) {
                    try setting.read(entry.value, into: &settings)
                } else {
                    let keys = ["base"] + SettingTable.theme.map(\.key)
                    let refusal = SettingError(
                        unknown: "key", entry.key, among: keys, expected: "one of \(keys.joined(separator: ", "))")
                    mistakes.append(ConfigurationError(entry.keyPosition, refusal.reason))
                }
            } catch {
                mistakes.append(ConfigurationError(entry.valuePosition, "\(entry.key): \(error.reason)"))
            }
        }
        if mistakes.isEmpty, let fault = settings.fault(onTop: base) {
            let entry = document.entries.first { "\($0.section).\($0.key)" == fault.setting }
            mistakes.append(
                ConfigurationError(
                    entry?.valuePosition ?? TextPosition(line: 1, column: 1),
                    "\(entry?.key ?? fault.setting): \(fault.reason)"))
        }
        if let mistakes = ConfigurationErrors(mistakes) { throw mistakes }
        theme = base.with(settings.screen.ownColors)
    }

    private static func base(_ value: ConfigurationValue) throws(SettingError) -> Theme {
        let names = Theme.builtIn.map(\.name)
        let expectation = names.map { "\"\($0)\"" }.joined(separator: ", ")
        guard case .text(let text) = value else { throw SettingError(expected: "one of \(expectation)", value) }
        if let theme = Theme.builtIn.first(where: { $0.name == text })?.theme { return theme }
        throw SettingError(unknown: "theme", text, among: names, expected: "one of \(expectation)")
    }
}
