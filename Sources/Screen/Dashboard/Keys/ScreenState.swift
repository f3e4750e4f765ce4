import Appearance
import Base
import Monitoring
import Vitals
import Wording

/// What the screen shows of the state, and how: the part of the program's state that only concerns the viewer.
public struct ScreenState: Hashable, Sendable {
    /// Facts of the session besides the patient's state.
    public var session = SessionFacts()
    /// The listed sensors, their order, and the selected one.
    public var list = SensorList()
    /// Whether the user wants a scan, as the program does from the start.
    ///
    /// The adapter's state may differ: a scan pauses while a connection is made, and other programs scan, too.
    public var isScanWanted = true
    /// The unit of temperatures.
    public var units = DisplayUnits()

    var temperatureUnit: TemperatureUnit {
        get { units.temperature }
        set { units.temperature = newValue }
    }
    /// The permitted characters.
    public var glyphs = GlyphSet.braille
    /// The keys of the commands.
    public var keys = KeyMap.usual
    /// The period of the trends.
    public var trends = TrendView()
    /// The content of the page of the last days.
    public var days = DaysView()
    /// Every setting for its page.
    public var settings = SettingsView()
    /// Messages, questions and input on the screen.
    public var dialogs = Dialogs()
    /// The page that covers vitals and sensors.
    var pages = Pages()
    /// Whatever keeps alarms from being heard, seen or recorded; determined together with ``layout``, which depends on
    /// it.
    var notices = Notices()
    /// The division of the screen, from ``prepare(for:size:at:)`` for the next frame.
    var layout = ScreenLayout(columns: 0, rows: 0)

    public init() {}
}
