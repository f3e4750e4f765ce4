import Appearance
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
    /// Other limits for the night.
    public var night = Night()
    /// What is recorded, and how long it is kept.
    public var recording = Recording()
    /// The contacts by the number in their setting; ``monitor`` has them in order.
    var contactPlaces: [Int: Contact] = [:]
    /// Where this bed is published.
    public var ward = Ward()

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
        public var trendWindow = TrendWindow.tenMinutes
        /// The bed's label.
        public var bed = ""

        public init() {}
    }

    /// The set of characters for drawing; `auto` is the finest one that locale and terminal support.
    public enum Glyphs: String, CaseIterable, Hashable, Sendable {
        case auto, braille, blocks, ascii
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
        /// Whether the heart rate of a chest strap is forwarded to CORE sensors.
        public var forwardsHeartRate = false
        /// The signal strength in dBm below which sensors are not listed; `nil` for no limit.
        public var signalFloor: Int?

        public init() {}

        /// The only adapter to use; `nil` for the first usable one.
        public var chosenAdapter: String? { adapter.isEmpty || adapter.lowercased() == "auto" ? nil : adapter }
    }
}
