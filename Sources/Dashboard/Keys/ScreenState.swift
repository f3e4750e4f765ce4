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
    /// Whether the data come from a simulator; every screen says so.
    public var isSimulated = false
    /// The local time's distance from UTC in seconds, positive to the east.
    public var timeZoneOffset = 0
    /// What this screen is about, such as the bed's label; empty when there is nothing to say.
    public var title = ""
    /// A short message to the user; takes the place of the key bar until the next key press.
    public var message: String?
    /// The time that the trends cover.
    public var trendWindow = Duration.seconds(5 * 60)
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
        /// A question.
        case choice(Choice)
    }
}

/// What the user asked for by a key, beyond what only changes the view.
public enum Intent: Hashable, Sendable {
    /// Connect the sensor with this address.
    case connect(address: String)
    /// Disconnect the sensor with this address, and stop trying to reconnect it.
    case disconnect(address: String)
    /// Call the sensor with this address so from now on; by its own name again when the label is blank.
    case rename(address: String, label: String)
    /// Disconnect the sensor with this address, and have everybody forget it.
    case forget(address: String)
    /// Use the adapter with this identifier, such as `hci1`.
    case useAdapter(String)
    /// Pair with the sensor with this address.
    case pair(address: String)
    /// Give the pairing with the sensor with this address an answer.
    case answerPairing(address: String, PairingReply)
    /// Give up the pairing with the sensor with this address.
    case cancelPairing(address: String)
    /// Start or stop looking for sensors.
    case setScanning(Bool)
    /// Acknowledge all alarms.
    case acknowledge
    /// End the program.
    case quit
}
