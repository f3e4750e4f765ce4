import Monitoring
import Vitals

/// What the screen shows of the state, and how: the part of the program's state that only concerns the viewer.
public struct ScreenState: Hashable, Sendable {
    /// The address of the selected sensor; the first sensor when it is `nil`.
    public var selection: String?
    /// Whether devices are listed too that are no sensors as far as we know: phones, loudspeakers, televisions.
    public var showsOtherDevices = false
    /// The signal strength in dBm that a sensor must have to be listed, if the user has shown no interest in it.
    public var strengthFloor: Int?
    /// The text that name, address or kind of a listed sensor must contain; empty for all.
    public internal(set) var filter = ""
    /// Whether the user wants sensors looked for, as the program does from the start.
    ///
    /// What the adapter does is another matter: a scan pauses while a connection is made, and other programs scan, too.
    public var isScanWanted = true
    /// Whether the help covers the screen.
    public var isHelpShown = false
    /// The unit of temperatures.
    public var temperatureUnit = TemperatureUnit.celsius
    /// The characters that may be used.
    public var glyphs = GlyphSet.braille
    /// The monitor that this is only a view of, such as `bedside record, process 4711`; `nil` when it is the monitor.
    public var viewedMonitor: String?
    /// Whether the data come from a simulator; every screen says so.
    public var isSimulated = false
    /// Where the playing of a recording is, which every screen says; `nil` when the present is shown.
    public var replay: ReplayStatus?
    /// The local time's distance from UTC, with its changes within the last days, by which times are read that are typed.
    public var timeZone = LocalTimeZone(offset: 0)
    /// The local time's distance from UTC in seconds, positive to the east.
    public var timeZoneOffset: Int {
        get { timeZone.offset }
        set { timeZone.offset = newValue }
    }
    /// Whose vital signs these are; `nil` for the one patient that has no name.
    public var patient: PatientName?
    /// What this screen is about, such as the bed's label; empty when there is nothing to say.
    public var title = ""
    /// A short message to the user; takes the place of the key bar until the next key press.
    public var message: String?
    /// Which stretch of time the trends show.
    public var trends = TrendView()
    /// Trends of the past that were loaded because those in memory are too coarse or too short; `nil` for none.
    public var pastTrends: PastTrends?
    /// Whether what of the past is shown is being loaded.
    public var pastReading = PastReading.idle
    /// What of sound is possible here; every screen says so.
    public var soundMeans = SoundMeans.bellOnly
    /// Whether readings are being recorded.
    public var recording = RecordingMark.unknown
    /// Which key does what.
    public var keys = KeyMap.usual
    /// The newest part of the alarm log.
    public var log = AlarmLog()
    /// Every setting for its page, as the program knows them.
    public var settings = SettingsView()
    /// Whether this is the very first start, which is greeted.
    public var showsWelcome = false
    /// Whether there is a configuration file that is not read; every screen says so.
    public var ignoresConfiguration = false
    /// The page that covers vitals and sensors; `nil` for none.
    public internal(set) var page: Page?
    /// Whether a page was opened from the distance view, which comes back when it is closed.
    var returnsToDistance = false
    /// The row that is selected on the page of alarms; the first when it is `nil` or has gone.
    var selectedAlarm: AlarmItem.ID?
    /// What of the alarm log is shown, and from where on.
    var logView = AlarmLogView()
    /// The limit that is selected on the page of limits.
    var selectedLimit = LimitPlace()
    /// The row that is selected on the page of manual entries.
    var selectedEntry = EntryItem.kind(.bodyTemperature)
    /// How many lines of the page of one sensor are scrolled past, and how many can be seen.
    var sensorPageTop = 0
    var sensorPageRows = 0
    /// How many lines of the help are scrolled past.
    var helpTop = 0
    /// What stands above the line in which something is typed or asked: why it was refused, what the answer brings.
    var explanation: String?
    /// The order and the place of the listed sensors.
    var list = SensorList()
    /// What is typed or asked in place of the key bar.
    var inputLine: InputLine?

    /// What is typed of an answer that a pairing wants.
    var pairingPrompt: TextPrompt?
    /// What pairings came to, by address, where the user has closed it.
    var closedPairings: [String: PairingState] = [:]

    /// Makes the state that a screen starts with.
    public init() {}

    /// What can take the place of the key bar; all keys go there meanwhile.
    enum InputLine: Hashable, Sendable {
        /// The filter, which works while it is typed.
        case filter(TextPrompt)
        /// A new name for the sensor with an address.
        case rename(address: String, TextPrompt)
        /// A text that entries of the alarm log must contain, which works while it is typed.
        case logFilter(TextPrompt)
        /// A limit.
        case limit(LimitPlace, TextPrompt)
        /// Something that is entered by hand.
        case entry(ManualDraft)
        /// A text that settings must contain, which works while it is typed.
        case settingsFilter(TextPrompt)
        /// The value of the setting with a name.
        case setting(String, TextPrompt)
        /// A question.
        case choice(Choice)
    }

    /// What can cover vitals and sensors; the alarm lines stay.
    public enum Page: Hashable, Sendable {
        /// Nothing but alarms and numbers, for eyes far away; covers header and keys too.
        case distance
        /// Every alarm, suspicion, snooze and pause, to answer one by one.
        case alarms
        /// What became of alarms, and what people did about them.
        case log
        /// The limits of the vitals.
        case limits
        /// What is measured and typed by hand.
        case entries
        /// The settings.
        case settings
        /// Everything about the selected sensor.
        case sensor
    }
}
