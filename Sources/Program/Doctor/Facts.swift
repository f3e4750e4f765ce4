import Base
import Vitals

/// Facts about this computer, as plain values, which the checks evaluate.
public struct Facts: Hashable, Sendable {
    /// The way to bluetoothd.
    public var bluetooth = BluetoothFacts()
    /// The terminal; `nil` where there is none.
    public var terminal: TerminalFacts?
    public var locale = LocaleFacts()
    /// The folders of the user's files.
    public var folders: [FolderFacts] = []
    /// The paths of damaged stores that were set aside.
    public var damagedStores: [String] = []
    /// The remembered sensors.
    public var sensors: [SensorFacts] = []
    /// The names of the sensors that refuse the running monitor again and again.
    public var refusing: [String] = []
    /// The free bytes on the disk of the record, for this user; `nil` if they are not known.
    public var diskRoom: Int64?
    /// The clock; `nil` if it was not compared.
    public var clock: ClockFacts?
    /// Why the user's folders are not known, as a sentence.
    public var folderProblem: String?
    /// The configuration file.
    public var configuration = ConfigurationFact.unknown
    /// Whether a monitor restricts itself to its own files.
    public var confinement = ConfinementFact.unavailable
    /// The alarm signals besides the screen.
    public var signals = SignalFacts()
    /// The ward's broker; `nil` if none is named.
    public var broker: BrokerFacts?

    public init() {}
}

/// A remembered sensor.
public struct SensorFacts: Hashable, Sendable {
    /// The name that is shown.
    public var name: String
    /// When it measured last and its battery, as clauses; none if neither is known.
    public var clauses: [String]
    /// The last battery level in percent; `nil` if it is not known.
    public var battery: Int?

    public init(name: String, clauses: [String], battery: Int?) {
        (self.name, self.clauses, self.battery) = (name, clauses, battery)
    }
}

/// The computer's clock, and what it must not be behind.
public struct ClockFacts: Hashable, Sendable {
    /// The present time by the clock, in milliseconds since 1970 (UTC).
    public var now: Int64
    /// The time of the newest value in the record, in milliseconds since 1970 (UTC); `nil` without one.
    public var newestValue: Int64?

    public init(now: Int64, newestValue: Int64? = nil) { (self.now, self.newestValue) = (now, newestValue) }
}

/// The path to the radio: bus, daemon, adapters and switches.
public struct BluetoothFacts: Hashable, Sendable {
    /// Whether the message bus answers.
    public var bus = Answer.unasked
    /// The bus's address, if the environment sets one.
    public var busAddress: String?
    /// Whether the bus is a simulator's.
    public var isSimulated = false
    /// Whether `org.bluez` has an owner.
    public var daemon = Answer.unasked
    /// Whether bluetoothd is installed.
    public var isDaemonInstalled = true
    /// The version of bluetoothd, such as `5.66`.
    public var version: String?
    /// Whether bluetoothd answers `GetManagedObjects`.
    public var objects = Answer.unasked
    /// Sentences about invalid objects of bluetoothd that Bedside ignores.
    public var ignored: [String] = []
    /// The adapters that bluetoothd reports.
    public var adapters: [AdapterFacts] = []
    /// The adapters that the kernel reports, such as `hci0`; `nil` without Bluetooth support in the kernel.
    public var kernelAdapters: [String]?
    /// The release of the kernel.
    public var kernel = ""
    /// The radio switches of Bluetooth adapters.
    public var switches: [RadioSwitchFacts] = []
    /// The links of connected sensors that can send waves.
    public var waveLinks: [WaveLinkFacts] = []

    public init() {}
}

/// The link of a sensor that can send waves.
public struct WaveLinkFacts: Hashable, Sendable {
    /// The name of the sensor.
    public var name: String
    /// The ATT MTU of the link in octets.
    public var transferUnit: Int

    public init(name: String, transferUnit: Int) {
        // It comes from another program and appears in sentences.
        self.name = sanitized(name, limit: 40)
        self.transferUnit = max(0, transferUnit)
    }
}

/// The result of a call over the bus.
public enum Answer: Hashable, Sendable {
    /// Not asked, because an earlier call failed.
    case unasked
    /// It was answered.
    case yes
    /// The service does not exist; the reason is the bus's.
    case absent(reason: String)
    /// The bus's policy forbids the call.
    case denied(reason: String)
    /// No answer came within this many seconds.
    case timedOut(seconds: Int)
    /// The answer was malformed or an error; the reason is for the user.
    case nonsense(reason: String)
}

/// An adapter as reported by bluetoothd; missing or invalid properties are `nil`.
public struct AdapterFacts: Hashable, Sendable {
    /// Its name, such as `hci0`.
    public var name: String
    /// Its Bluetooth address.
    public var address: String?
    /// Whether it is switched on.
    public var isPowered: Bool?
    /// Its roles, such as `central`.
    public var roles: [String]?

    public init(name: String, address: String? = nil, isPowered: Bool? = nil, roles: [String]? = nil) {
        // They come from another program and appear in sentences.
        self.name = sanitized(name, limit: 40)
        self.address = address.map { sanitized($0, limit: 40) }
        self.isPowered = isPowered
        self.roles = roles
    }
}

/// A radio switch of the kernel (`rfkill`).
public struct RadioSwitchFacts: Hashable, Sendable {
    /// The name of the affected adapter, such as `hci0`.
    public var name: String
    /// Whether it is blocked by software.
    public var isSoftBlocked: Bool
    /// Whether it is blocked by a hardware switch.
    public var isHardBlocked: Bool

    public init(name: String, isSoftBlocked: Bool, isHardBlocked: Bool) {
        self.name = name
        self.isSoftBlocked = isSoftBlocked
        self.isHardBlocked = isHardBlocked
    }
}

/// The terminal of the screen.
public struct TerminalFacts: Hashable, Sendable {
    /// Its type, from `TERM`.
    public var type: String
    /// Whether the terminfo database contains it, with the required capabilities.
    public var isKnown: Bool
    /// The number of colours.
    public var colors: Int
    /// Whether the user disabled colours (`NO_COLOR`).
    public var isColorRefused: Bool
    /// Its width in characters.
    public var columns: Int
    /// Its height in lines.
    public var rows: Int

    public init(type: String, isKnown: Bool, colors: Int, isColorRefused: Bool, columns: Int, rows: Int) {
        self.type = type
        self.isKnown = isKnown
        self.colors = colors
        self.isColorRefused = isColorRefused
        self.columns = columns
        self.rows = rows
    }
}

/// The locale, which determines the characters.
public struct LocaleFacts: Hashable, Sendable {
    /// The locale in the environment, such as `en_US.UTF-8`; empty when it is not set.
    public var name = ""
    /// Whether that locale is installed.
    public var isInstalled = true
    /// Its character set.
    public var codeset = ""
    /// The glyph set in use: braille, blocks or ascii.
    public var glyphs = ""
    /// Sample characters of the chosen glyph set.
    public var sample = ""

    public init() {}
}

/// A folder of the user's files.
public struct FolderFacts: Hashable, Sendable {
    /// The purpose: `state`, `data` or `config`.
    public var purpose: String
    public var path: String
    public var state: State

    /// The state of a folder.
    public enum State: Hashable, Sendable {
        /// It exists and is writable; the permissions are the lowest nine bits of its mode.
        case usable(mode: UInt16)
        /// It does not exist and can be created.
        case missing
        /// It is not writable or cannot be created; the reason is the system's.
        case unusable(reason: String)
    }

    public init(purpose: String, path: String, state: State) {
        self.purpose = purpose
        self.path = path
        self.state = state
    }
}

/// The state of the configuration file.
public enum ConfigurationFact: Hashable, Sendable {
    /// Not checked.
    case unknown
    /// There is no file.
    case absent(path: String)
    case valid(path: String)
    /// It is invalid or unreadable; the first error sentence, and the number of errors.
    case invalid(path: String, sentence: String, count: Int)
}

/// Whether a monitor restricts itself to its own files (Landlock).
public enum ConfinementFact: Hashable, Sendable {
    /// The kernel has no Landlock.
    case unavailable
    /// The user has disabled it by an environment variable.
    case switchedOff(variable: String)
    /// A command for alarms or speech is configured, which needs other files.
    case unsuitable
    /// The monitor restricts itself; the version is that of the kernel's interface.
    case restricts(version: Int)
}

/// The alarm signals besides the screen.
public struct SignalFacts: Hashable, Sendable {
    /// Whether the terminal has a bell.
    public var hasBell = false
    /// Whether the terminal is remote.
    public var isRemote = false
    /// The computer's sound system.
    public var speakers = SpeakerFacts.unasked
    /// Whether alarms should sound through the loudspeaker (`alarms.speakers`).
    public var isSoundWanted = true
    /// Whether the user asked for a test tone.
    public var isToneWanted = false
    /// Whether a program on the session bus shows notifications.
    public var notifications = Answer.unasked

    public init() {}
}

/// The state of the computer's sound system.
public enum SpeakerFacts: Hashable, Sendable {
    /// Not asked.
    case unasked
    /// There is a default output.
    case opened
    /// It has accepted a test tone.
    case played
    /// The microphone heard the tone, this much above the silence before.
    case heard(decibels: Int)
    /// The tone was played, but the microphone did not hear it.
    case notHeard
    /// The tone was played, and the microphone delivers nothing but zeros.
    case muted
    /// The tone was played, but there is no microphone; the reason is a phrase.
    case noMicrophone(reason: String)
    /// There is no default output; the reason is a phrase.
    case unavailable(reason: String)
}

/// The state of a ward's broker, as seen from this computer.
public struct BrokerFacts: Hashable, Sendable {
    public var address: String
    /// Whether the connection is encrypted.
    public var isEncrypted: Bool
    /// Whether it is on this computer.
    public var isLocal: Bool
    /// Whether this computer publishes a bed.
    public var hasBed: Bool
    /// The error in the settings, as a sentence; `nil` for none.
    public var settingsProblem: String?
    /// The result of connecting.
    public var connection = Connection.unasked
    /// The certificates for the connection.
    public var certificates: [CertificateFacts] = []
    /// The files that only this user may be able to read.
    public var secrets: [SecretFacts] = []
    /// The result of publishing for this computer's bed.
    public var own = Publication.unasked
    /// The result of publishing for another bed.
    public var foreign = Publication.unasked
    /// How far other clocks are ahead of this one, in milliseconds, by their names.
    public var clocks: [String: Int64] = [:]
    /// Topics with retained messages that should not be retained.
    public var leftovers: [String] = []
    /// The time, in seconds since 1970 (UTC).
    public var now: Int64

    /// Creates the facts of a broker that was not contacted.
    public init(address: String, isEncrypted: Bool, isLocal: Bool, hasBed: Bool, now: Int64) {
        (self.address, self.isEncrypted, self.isLocal) = (address, isEncrypted, isLocal)
        (self.hasBed, self.now) = (hasBed, now)
    }

    /// The result of connecting to a broker.
    public enum Connection: Hashable, Sendable {
        /// Not tried.
        case unasked
        /// The broker accepts the connection.
        case accepted
        /// The broker refuses the connection, or cannot be reached; the reason is a phrase.
        case failed(reason: String)
        /// The broker does not answer within this many seconds.
        case timedOut(seconds: Int)
    }

    /// The result of publishing a message.
    public enum Publication: Hashable, Sendable {
        /// Not tried.
        case unasked
        /// The broker refuses the message.
        case refused
        /// The broker accepts the message, but does not deliver it to this computer.
        case silent
        /// The broker delivers the message to this computer.
        case echoed
        /// The broker answers nothing.
        case unanswered
    }
}

/// The expiry of a certificate.
public struct CertificateFacts: Hashable, Sendable {
    /// The owner: "the broker", "this computer", "the authority".
    public var owner: String
    /// Its file; `nil` for a certificate sent by the broker.
    public var path: String?
    /// Its expiry, or why it is not known.
    public var end: Result<End, Reason>

    /// The end of a certificate.
    public struct End: Hashable, Sendable {
        /// The time in seconds since 1970 (UTC).
        public var seconds: Int64
        /// The day in UTC, such as `2026-11-25`.
        public var day: String

        public init(seconds: Int64, day: String) { (self.seconds, self.day) = (seconds, day) }
    }

    /// A reason, as a phrase.
    public struct Reason: Error, Hashable, Sendable {
        /// The phrase.
        public var text: String

        public init(_ text: String) { self.text = text }
    }

    public init(owner: String, path: String? = nil, end: Result<End, Reason>) {
        (self.owner, self.path, self.end) = (owner, path, end)
    }
}

/// A file that only this user may be able to read.
public struct SecretFacts: Hashable, Sendable {
    public var path: String
    /// The problem, as a phrase; `nil` for none.
    public var problem: String?

    public init(path: String, problem: String? = nil) {
        (self.path, self.problem) = (path, problem)
    }
}
