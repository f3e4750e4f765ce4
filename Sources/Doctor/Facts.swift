import Vitals

/// What was found out about this computer, as plain values: the doctor judges them without looking anything up.
public struct Facts: Hashable, Sendable {
    /// The way to bluetoothd.
    public var bluetooth = BluetoothFacts()
    /// The terminal; `nil` where there is none.
    public var terminal: TerminalFacts?
    /// The locale.
    public var locale = LocaleFacts()
    /// The folders of the user's files.
    public var folders: [FolderFacts] = []
    /// Why the user's folders are not known, in a sentence.
    public var folderProblem: String?
    /// The configuration file.
    public var configuration = ConfigurationFact.unknown
    /// What can make itself heard or seen besides the screen.
    public var signals = SignalFacts()

    /// Makes facts of which nothing is known.
    public init() {}
}

/// What stands between Bedside and the air.
public struct BluetoothFacts: Hashable, Sendable {
    /// Whether the message bus answers.
    public var bus = Answer.unasked
    /// Where the bus is, when the environment says another place than the usual one.
    public var busAddress: String?
    /// Whether the bus is a simulator's.
    public var isSimulated = false
    /// Whether somebody owns `org.bluez`.
    public var daemon = Answer.unasked
    /// Whether the program of bluetoothd is on this computer.
    public var isDaemonInstalled = true
    /// The version of bluetoothd, such as `5.66`.
    public var version: String?
    /// Whether bluetoothd answers a harmless question.
    public var objects = Answer.unasked
    /// What of bluetoothd's objects Bedside has to ignore, in sentences.
    public var ignored: [String] = []
    /// The adapters that bluetoothd shows.
    public var adapters: [AdapterFacts] = []
    /// The adapters that the kernel shows, such as `hci0`; `nil` when it has no Bluetooth at all.
    public var kernelAdapters: [String]?
    /// The release of the kernel.
    public var kernel = ""
    /// The radio switches of Bluetooth adapters.
    public var switches: [RadioSwitchFacts] = []

    /// Makes facts of which nothing is known.
    public init() {}
}

/// How a question over the bus ended.
public enum Answer: Hashable, Sendable {
    /// It was not asked, because something before it failed.
    case unasked
    /// It was answered.
    case yes
    /// There is nobody who could answer; the reason is the bus's.
    case absent(reason: String)
    /// The bus's policy does not let us ask.
    case denied(reason: String)
    /// Nothing came within this many seconds.
    case timedOut(seconds: Int)
    /// What came makes no sense, or is an error; the reason is for people.
    case nonsense(reason: String)
}

/// An adapter as bluetoothd shows it; what it does not tell, or not as it should, is `nil`.
public struct AdapterFacts: Hashable, Sendable {
    /// Its name, such as `hci0`.
    public var name: String
    /// Its Bluetooth address.
    public var address: String?
    /// Whether it is switched on.
    public var isPowered: Bool?
    /// What it can be, such as `central`.
    public var roles: [String]?

    /// Makes facts about an adapter.
    public init(name: String, address: String? = nil, isPowered: Bool? = nil, roles: [String]? = nil) {
        // They come from another program, and stand in sentences.
        self.name = sanitized(name, limit: 40)
        self.address = address.map { sanitized($0, limit: 40) }
        self.isPowered = isPowered
        self.roles = roles
    }
}

/// A radio switch of the kernel (`rfkill`).
public struct RadioSwitchFacts: Hashable, Sendable {
    /// What it switches, such as `hci0`.
    public var name: String
    /// Whether it is blocked by software.
    public var isSoftBlocked: Bool
    /// Whether it is blocked by a switch or a key of the computer.
    public var isHardBlocked: Bool

    /// Makes facts about a switch.
    public init(name: String, isSoftBlocked: Bool, isHardBlocked: Bool) {
        self.name = name
        self.isSoftBlocked = isSoftBlocked
        self.isHardBlocked = isHardBlocked
    }
}

/// The terminal that the screen would have.
public struct TerminalFacts: Hashable, Sendable {
    /// Its type, from `TERM`.
    public var type: String
    /// Whether the system's descriptions of terminals have it, with what a screen needs.
    public var isKnown: Bool
    /// How many colours it has.
    public var colors: Int
    /// Whether the user wants no colours (`NO_COLOR`).
    public var isColorRefused: Bool
    /// Its width in characters.
    public var columns: Int
    /// Its height in lines.
    public var rows: Int

    /// Makes facts about a terminal.
    public init(type: String, isKnown: Bool, colors: Int, isColorRefused: Bool, columns: Int, rows: Int) {
        self.type = type
        self.isKnown = isKnown
        self.colors = colors
        self.isColorRefused = isColorRefused
        self.columns = columns
        self.rows = rows
    }
}

/// The locale that decides about characters.
public struct LocaleFacts: Hashable, Sendable {
    /// What the environment asks for, such as `en_US.UTF-8`; empty when it asks for nothing.
    public var name = ""
    /// Whether the system has that locale.
    public var isInstalled = true
    /// Its character set.
    public var codeset = ""
    /// The glyph set that is drawn with: braille, blocks or ascii.
    public var glyphs = ""
    /// Characters of that glyph set to look at.
    public var sample = ""

    /// Makes facts of which nothing is known.
    public init() {}
}

/// A folder of the user's files.
public struct FolderFacts: Hashable, Sendable {
    /// What it is for: `state`, `data` or `config`.
    public var purpose: String
    /// Its path.
    public var path: String
    /// How it stands.
    public var state: State

    /// How a folder stands.
    public enum State: Hashable, Sendable {
        /// It is there and can be written to; the permissions are the lowest nine bits of its mode.
        case usable(mode: UInt16)
        /// It is not there, and can be made.
        case missing
        /// It cannot be written to, or not be made; the reason is the system's.
        case unusable(reason: String)
    }

    /// Makes facts about a folder.
    public init(purpose: String, path: String, state: State) {
        self.purpose = purpose
        self.path = path
        self.state = state
    }
}

/// How the configuration file stands.
public enum ConfigurationFact: Hashable, Sendable {
    /// It was not looked at.
    case unknown
    /// There is none.
    case absent(path: String)
    /// It is right.
    case valid(path: String)
    /// It is wrong, or cannot be read; the first sentence that tells why, and how many there are.
    case invalid(path: String, sentence: String, count: Int)
}

/// What can make itself heard or seen besides the screen.
public struct SignalFacts: Hashable, Sendable {
    /// Whether the terminal has a bell.
    public var hasBell = false
    /// Whether the terminal is at the other end of a network.
    public var isRemote = false
    /// Whether somebody on the session bus shows notifications.
    public var notifications = Answer.unasked

    /// Makes facts of which nothing is known.
    public init() {}
}
