import Configuration
import Monitoring
import Vitals

/// Keeps in the configuration file what was changed on the screen.
struct SettingsKeeper {
    private let file: ConfigurationFile?
    /// The settings as they were kept last.
    private var settings: Settings

    /// Makes a keeper; without a file nothing can be kept.
    init(_ file: ConfigurationFile?, _ settings: Settings) {
        self.file = file
        self.settings = settings
    }

    /// Keeps a limit for later starts.
    ///
    /// - Parameter profile: The profile of limits that holds now; its limits stand in sections of their own.
    /// - Returns: What came of it, for the user.
    mutating func keep(_ limit: AlarmLimit, _ kind: LimitKind, of vital: Vital, profile: String?) -> String {
        guard let file else { return "The limit holds until Bedside ends, because there is no configuration file." }
        guard profile == nil else {
            return "The limit holds until Bedside ends; limits of the night are kept in \(file.path) by hand."
        }
        var changed = settings
        changed.monitor.limits[vital]?[kind] = limit
        do throws(ConfigurationFailure) {
            try file.save(changesFrom: settings, to: changed)
        } catch {
            return "The limit was not kept: \(error.sentences.first ?? "the file cannot be written.")"
        }
        settings = changed
        return "Kept in \(file.path)."
    }
}
