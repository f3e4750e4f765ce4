import Appearance
import Base
import Monitoring
import Vitals
import Wording

/// What the screen shows of the state, and how: the part of the program's state that only concerns the viewer.
public struct ScreenState: Hashable, Sendable {
    /// What is known of the session besides the patient's state.
    public var session = SessionFacts()
    /// Which sensors are listed, in which order, and which one is selected.
    public var list = SensorList()
    /// Whether the user wants sensors looked for, as the program does from the start.
    ///
    /// The adapter may differ: a scan pauses while a connection is made, and other programs scan, too.
    public var isScanWanted = true
    /// The unit of temperatures.
    public var units = DisplayUnits()

    /// The unit of temperatures.
    var temperatureUnit: TemperatureUnit {
        get { units.temperature }
        set { units.temperature = newValue }
    }
    /// The characters that may be used.
    public var glyphs = GlyphSet.braille
    /// Which key does what.
    public var keys = KeyMap.usual
    /// Which stretch of time the trends show.
    public var trends = TrendView()
    /// What the page of the last days shows.
    public var days = DaysView()
    /// Every setting for its page, as the program knows them.
    public var settings = SettingsView()
    /// Messages, questions and input on the screen.
    public var dialogs = Dialogs()
    /// Which page covers vitals and sensors.
    var pages = Pages()
    /// What keeps alarms from being heard, seen or recorded, found with ``layout``, which depends on it.
    var notices = Notices()
    /// How the screen is divided, by ``prepare(for:size:at:)`` for the next frame.
    var layout = ScreenLayout(columns: 0, rows: 0)

    public init() {}

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
        /// The patient's record: labs, medication, symptoms, vitals and notes.
        case record
        /// Whom to call.
        case contacts
        /// The last days at a glance.
        case days
        /// The settings.
        case settings
        /// Everything about the selected sensor.
        case sensor
        /// The RR intervals of the selected sensor.
        case rhythm
    }
}
