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

    /// What came of keeping something.
    struct Kept {
        /// What to tell the user.
        var sentence: String
        /// The settings of the reducer that hold from now on; `nil` when nothing was kept.
        var settings: MonitorSettings?
    }

    /// Keeps a rule about the values of a vital in the settings.
    ///
    /// - Parameter isNight: Whether the limits of the night hold now, so that a limit is kept for them.
    mutating func keep(_ setting: LimitSetting, of vital: Vital, isNight: Bool) -> Kept {
        guard let file else {
            return Kept(sentence: "It holds until it is taken back (R): there is no configuration file to keep it in.")
        }
        var changed = settings
        changed.set(setting, of: vital, isNight: isNight)
        do throws(ConfigurationFailure) {
            try file.save(changesFrom: settings, to: changed)
        } catch {
            return Kept(sentence: "The limit was not kept: \(error.sentences.first ?? "the file cannot be written.")")
        }
        settings = changed
        let hours = isNight && setting.name.limit != nil ? " for the night" : ""
        return Kept(sentence: "Kept\(hours) in \(file.path).", settings: changed.monitorSettings)
    }
}
