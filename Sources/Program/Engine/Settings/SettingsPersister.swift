import Appearance
import Base
import Configuration
import Monitoring
import Vitals

/// The settings while the program runs, and how changes on the screen reach the configuration file.
struct SettingsPersister {
    let file: ConfigurationFile?
    /// The present settings and the last saved ones.
    private(set) var desk: SettingsStore

    /// Creates a persister; without a file it stores nothing.
    init(_ file: ConfigurationFile?, _ settings: Settings) {
        self.file = file
        desk = SettingsStore(settings, document: (try? file?.read())?.document)
    }

    /// Why the last change skipped a custom theme; `nil` when it did not.
    private(set) var skippedTheme: String?

    /// Changes a setting until the program ends or it is saved.
    ///
    /// - Throws: Why it cannot be changed.
    mutating func change(
        _ name: String, _ change: SettingChange
    ) throws(ConfigurationError) -> (name: String, value: String) {
        skippedTheme = nil
        if name == "screen.theme", case .step(let count) = change { return try stepTheme(by: count) }
        var changed = desk
        let result = try changed.change(name, change)
        if SettingTable.setting(named: name)?.isOfTheTheme == true {
            do throws(ConfigurationFileError) {
                _ = try ThemeFolder.theme(for: changed.settings.screen)
            } catch {
                throw ConfigurationError(TextPosition(line: 1, column: 1), error.sentences.first ?? "")
            }
        }
        desk = changed
        return result
    }

    /// Selects the next theme: first the built-in ones, then the user's; skips invalid ones.
    private mutating func stepTheme(by count: Int) throws(ConfigurationError) -> (name: String, value: String) {
        let names = ThemeFolder.allNames
        var index = names.firstIndex(of: desk.settings.screen.theme) ?? 0
        var warning: String?
        for _ in names {
            index = ((index + count) % names.count + names.count) % names.count
            do throws(ConfigurationError) {
                let result = try change("screen.theme", .text(names[index]))
                skippedTheme = warning
                return result
            } catch {
                warning = warning ?? "The theme \(names[index]) was passed over: \(error.reason)"
            }
        }
        throw ConfigurationError(TextPosition(line: 1, column: 1), "no theme can be used with these colours")
    }

    /// Saves all changes from the page of settings.
    ///
    /// - Returns: The result, as a sentence for the user.
    mutating func keep() -> String {
        guard let file else { return "Nothing was kept, because there is no configuration file to keep it in." }
        do throws(ConfigurationFileError) {
            try file.save(changesFrom: desk.kept, to: desk.settings)
        } catch {
            return "Nothing was kept: \(error.sentences.first ?? "the file cannot be written.")"
        }
        desk.hasKept()
        return "Kept in \(file.path)."
    }

    /// The result of saving.
    struct Kept {
        /// The message for the user.
        var sentence: String
        /// The new settings of the reducer; `nil` when nothing was saved.
        var settings: MonitorSettings?
    }

    /// Saves a limit or rule of a vital in the settings.
    ///
    /// - Parameter entry: The entry of the schedule in force, for which the limit is saved; `nil` where none is.
    mutating func keep(_ setting: LimitSetting, of vital: Vital, in entry: String?) -> Kept {
        guard let file else {
            return Kept(sentence: "It holds until it is taken back (R): there is no configuration file to keep it in.")
        }
        var changed = desk.kept
        changed.set(setting, of: vital, in: entry)
        do throws(ConfigurationFileError) {
            try file.save(changesFrom: desk.kept, to: changed)
        } catch {
            return Kept(sentence: "The limit was not kept: \(error.sentences.first ?? "the file cannot be written.")")
        }
        desk.hasKept(changed)
        let part = setting.name.limit == nil ? nil : entry
        let words = part.map { " for \($0)" } ?? ""
        return Kept(sentence: "Kept\(words) in \(file.path).", settings: desk.settings.monitorSettings)
    }
}
