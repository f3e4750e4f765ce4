import Configuration
import Dashboard
import Monitoring
import Vitals

/// The settings while the program runs, and how what was changed on the screen gets into the configuration file.
struct SettingsKeeper {
    private let file: ConfigurationFile?
    /// The settings that hold, and those that were kept last.
    private(set) var desk: SettingsDesk

    /// Makes a keeper; without a file nothing can be kept.
    init(_ file: ConfigurationFile?, _ settings: Settings) {
        self.file = file
        desk = SettingsDesk(settings, document: (try? file?.read())?.document)
    }

    /// Changes a setting until the program ends or it is kept.
    ///
    /// - Throws: Why it cannot be.
    mutating func change(
        _ name: String, _ change: SettingChange
    ) throws(ConfigurationMistake) -> (name: String, value: String) {
        var changed = desk
        let result = try changed.change(name, change)
        if name.hasPrefix("screen.theme") || name.hasPrefix("theme.") {
            do throws(ConfigurationFailure) {
                _ = try ThemeFolder.theme(for: changed.settings.screen)
            } catch {
                throw ConfigurationMistake(TextPosition(line: 1, column: 1), error.sentences.first ?? "")
            }
        }
        desk = changed
        return result
    }

    /// Keeps everything that was changed on the page of settings.
    ///
    /// - Returns: What came of it, for the user.
    mutating func keep() -> String {
        guard let file else { return "Nothing was kept, because there is no configuration file to keep it in." }
        do throws(ConfigurationFailure) {
            try file.save(changesFrom: desk.kept, to: desk.settings)
        } catch {
            return "Nothing was kept: \(error.sentences.first ?? "the file cannot be written.")"
        }
        desk.hasKept()
        return "Kept in \(file.path)."
    }

    /// Keeps a limit for later starts.
    ///
    /// - Parameter profile: The profile of limits that holds now; by night only the value differs from the day's.
    /// - Returns: What came of it, for the user, and whether it was kept.
    mutating func keep(
        _ limit: AlarmLimit, _ kind: LimitKind, of vital: Vital, profile: String?
    ) -> (sentence: String, isKept: Bool) {
        guard let file else {
            return ("The limit holds until Bedside ends, because there is no configuration file.", false)
        }
        var changed = desk.kept
        let day = changed.monitor.limits[vital]?[kind]
        var names = ["limits.\(vital.rawValue).\(kind.rawValue)"]
        if profile == nil {
            changed.monitor.limits[vital]?[kind] = limit
            names += ["\(names[0])_priority", "\(names[0])_delay"]
        } else if limit.priority == day?.priority, limit.delay == day?.delay {
            changed.night.limits[Settings.NightLimit(vital: vital, kind: kind)] = .some(limit.value)
            names = ["night.\(vital.rawValue).\(kind.rawValue)"]
        } else {
            return ("Not kept: by night a limit has the priority and the delay of the day's.", false)
        }
        do throws(ConfigurationFailure) {
            try file.save(changesFrom: desk.kept, to: changed)
        } catch {
            return ("The limit was not kept: \(error.sentences.first ?? "the file cannot be written.")", false)
        }
        for name in names { desk.hasKept(name, in: changed) }
        return ("Kept in \(file.path).", true)
    }
}
