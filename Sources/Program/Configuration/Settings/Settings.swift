import Appearance
import Base
import Monitoring
import Vitals

/// All settings of the configuration file, with their defaults.
public struct Settings: Hashable, Sendable {
    /// The settings of the reducer: limits, rules, delays and factors.
    public var monitor = MonitorSettings()
    /// The look of the screen.
    public var screen = Screen()
    public var patient = Patient()
    /// The connected sensors and the adapter.
    public var sensors = Sensors()

    /// How alarms are signalled beyond the screen.
    public var alarms = Alarms()
    /// Parts of the week with other limits and sounds.
    public var schedule = Schedule()
    /// What is recorded, and how long it is kept.
    public var recording = Recording()
    /// Where this bed is published.
    public var ward = Ward()
    public var sending = Sending()

    public init() {}

    /// The look of the screen.
    public struct Screen: Hashable, Sendable {
        public var units = TemperatureUnit.celsius
        public var glucoseUnit = GlucoseConcentrationUnit.milligramsPerDecilitre
        /// The characters to draw with.
        public var glyphs = Glyphs.auto
        /// Whether to use colour.
        public var color = Color.auto
        /// The limit on colours.
        public var colors = Colors.auto
        /// The name of the theme; `auto` for the one that suits the terminal's background.
        public var theme = "auto"
        /// The user's colours, which replace those of the theme.
        public var ownColors: [ThemePlace: Theme.Color] = [:]
        /// The key bindings.
        public var keys = KeyMap.usual
        /// Whether the cursor on the selected row is visible.
        public var isCursorShown = false
        /// Whether the mouse selects and scrolls, which prevents it from selecting text for the clipboard.
        public var usesMouse = false
        /// Whether the terminal's title shows the vital signs in a line.
        public var showsTitle = true
        /// Whether the very first start shows the welcome page.
        public var welcomes = true
        /// The trends' time window at the start.
        public var trendWindow = TrendTime.auto
        /// How often waves are drawn.
        public var waves = WaveRate.ten
        /// The bed's label.
        public var bed = ""

        public init() {}
    }

    /// The set of characters for drawing; `auto` is the finest one that locale and terminal support.
    public enum Glyphs: String, CaseIterable, Hashable, Sendable {
        case auto, braille, blocks, ascii
    }

    /// How many frames a second waves have; `off` for no waves at all.
    public enum WaveRate: String, CaseIterable, Hashable, Sendable {
        case off
        case five = "5"
        case ten = "10"
        case fifteen = "15"

        /// The frames a second; 0 for none.
        public var framesPerSecond: Int { Int(rawValue) ?? 0 }
    }

    /// The time window of the trends; `auto` is the longest of which most is known.
    public enum TrendTime: String, CaseIterable, Hashable, Sendable {
        case auto
        case twoMinutes = "2m"
        case tenMinutes = "10m"
        case hour = "1h"
        case eightHours = "8h"
        case day = "24h"

        /// The window; `nil` for `auto`.
        public var window: TrendWindow? { TrendWindow(rawValue: rawValue) }
    }

    /// Whether to use colour; `auto` means if the terminal supports it and `NO_COLOR` is not set.
    public enum Color: String, CaseIterable, Hashable, Sendable {
        case auto, always, never
    }

    /// The greatest number of colours; `auto` is the terminal's number.
    public enum Colors: String, CaseIterable, Hashable, Sendable {
        case auto, truecolor
        case palette = "256"
        case bright = "16"
        case basic = "8"

        /// The depth; `nil` for no limit.
        public var depth: ColorDepth? {
            switch self {
            case .auto: nil
            case .truecolor: .direct
            case .palette: .palette
            case .bright: .bright
            case .basic: .basic
            }
        }
    }

    /// How alarms are signalled beyond the screen.
    public struct Alarms: Hashable, Sendable {
        /// Whether the desktop shows notifications.
        public var showsNotifications = true
        /// A shell command that receives each change as JSON on its standard input; empty for none.
        public var hook = ""
        /// Whether alarms sound through the computer's sound system.
        public var usesSpeakers = true
        /// The volume in percent.
        public var volume = 80
        /// Whether a tone sounds for each measured pulse value.
        public var hasPulseTone = false
        /// Whether alarms are spoken, and in which language.
        public var speech = Speech.off

        /// Whether alarms are spoken: not at all, in the language of the locale, or in the one with this code.
        public enum Speech: String, CaseIterable, Hashable, Sendable {
            case off, auto
            case english = "en"
            case german = "de"
        }

        public init() {}

        /// The same settings without signals beyond the screen.
        public static var silent: Alarms {
            var alarms = Alarms()
            alarms.showsNotifications = false
            alarms.usesSpeakers = false
            alarms.speech = .off
            return alarms
        }
    }

    /// The connected sensors and the adapter.
    public struct Sensors: Hashable, Sendable {
        /// Names or addresses of sensors to connect as soon as they are in range; `all` for all vital-sign sensors, at
        /// most 24 of each kind.
        public var connect: [String] = []
        /// The adapter's name, such as `hci1`; `auto` for the first usable one.
        public var adapter = "auto"
        /// The identifier of a Dexcom transmitter, six characters; empty for none.
        public var transmitter = ""
        /// Whether a transmitter may use a new glucose sensor that it has detected.
        public var newGlucoseSensor = NewSensorPolicy.ask
        /// Whether new nights are fetched from a ring.
        public var nights = NightPolicy.ask
        /// Whether the heart rate of a chest strap is forwarded to CORE sensors.
        public var forwardsHeartRate = false
        /// Whether breathing is estimated from the ECG and the acceleration of a chest strap.
        public var estimatesRespiration = false
        /// The signal strength in dBm below which sensors are not listed; `nil` for no limit.
        public var signalFloor: Int?

        public init() {}

        /// The only adapter to use; `nil` for the first usable one.
        public var chosenAdapter: String? { adapter.isEmpty || adapter.lowercased() == "auto" ? nil : adapter }
    }
}

extension SettingTable {
    /// The whole default file, with comments.
    public static var defaultFile: String {
        file(settings, beginning: "The configuration of Bedside: every setting with its default value.")
    }

    /// The file that people begin with: what most of them change, with default values and comments.
    public static var commonFile: String {
        file(
            settings.filter { commonNames.contains($0.name) },
            beginning: """
                The configuration of Bedside: what people change most, with default values. "man bedside.toml" and \
                "bedside config" have every setting.
                """
        )
    }

    /// The settings that people change most.
    static let commonNames: Set = [
        "screen.units", "screen.glucose_unit", "screen.theme", "screen.trend_window", "screen.bed", "patient.name",
        "contacts.people", "sensors.transmitter", "sensors.users", "sensors.forward_heart_rate", "sensors.connect",
        "fever.rule", "fever.threshold", "alarms.sound", "alarms.volume", "alarms.pulse_tone", "alarms.speech",
        "alarms.reminder", "alarms.hook", "recording.enabled", "recording.keep_days", "ward.broker",
        "early_warning.show", "limits.heart_rate.low", "limits.heart_rate.high", "limits.spo2.severe_low",
        "limits.spo2.low", "limits.glucose.low", "limits.glucose.high", "schedule.night.enabled",
    ]

    private static func file(_ settings: [Setting], beginning: String) -> String {
        var lines = (CommentWrapping.lines(of: beginning) + preamble).map(comment)
        for section in sections where settings.contains(where: { $0.section == section.name }) {
            lines.append("")
            lines += CommentWrapping.lines(of: section.explanation).map(comment)
            lines.append("[\(section.name)]")
            for setting in settings where setting.section == section.name {
                lines.append("")
                lines += setting.comment.map(comment)
                lines.append("\(setting.key) = \(setting.defaultValue.literal)")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func comment(_ line: String) -> String { line.isEmpty ? "#" : "# \(line)" }

    private static let preamble = [
        "",
        "What is left out keeps its default value. A # begins a comment. Temperatures are in °C; times are",
        "written like \"500ms\", \"15s\", \"2min\" or \"8h\"; \"off\" switches a limit off. Options on the command",
        "line go before this file. \"bedside config path\" prints its path, and \"bedside config",
        "check\" checks it.",
    ]
}

extension Setting {
    /// The comment above the setting in a file.
    public var comment: [String] {
        CommentWrapping.lines(of: explanation)
            + CommentWrapping.lines(of: "Allowed: \(expectation). Usually: \(defaultValue.literal).")
    }
}

extension ConfigurationDocument {
    /// Writes every setting that differs between two settings, and nothing else.
    ///
    /// The value of an existing key is replaced in place; a missing key is added with its explaining comment.
    public mutating func apply(changesFrom old: Settings, to new: Settings) {
        let order = SettingTable.order(for: new)
        for setting in SettingTable.settings(for: old, new) {
            let value = setting.value(in: new)
            guard value != setting.value(in: old) else { continue }
            set(setting.key, in: setting.section, to: value, comment: setting.comment, order: order)
        }
    }
}

/// Wraps the explanation of a setting into comment lines.
private enum CommentWrapping {
    static let width = 98

    static func lines(of text: String) -> [String] {
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}

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

    /// The chosen theme if it is built in; one that follows the terminal counts as dark.
    public var builtInTheme: Theme? { Theme.named(screen.theme, on: nil) }
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
