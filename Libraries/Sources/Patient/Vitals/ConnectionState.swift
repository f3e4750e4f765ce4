/// The state of a sensor's connection, up to streaming.
public struct ConnectionState: Codable, Hashable, Sendable {
    /// The step.
    public var phase: Phase
    /// The reason, for `disconnected` and `waiting`.
    public var reason: DisconnectReason?
    /// The number of the attempt, from 1, for `connecting` and `waiting`.
    public var attempt: Int?
    /// The time of the next attempt, for `waiting`.
    public var retryAt: Moment?
    /// Whether it is, or was, the link of another program, which Bedside ignores unless the user wants the sensor.
    public var isForeign: Bool
    /// Further information for the user.
    public var hint: Hint?
    /// Why the sensor cannot be used, as a sentence; `nil` for no further details.
    public var detail: String?

    public init(
        phase: Phase, reason: DisconnectReason? = nil, attempt: Int? = nil, retryAt: Moment? = nil,
        isForeign: Bool = false, hint: Hint? = nil, detail: String? = nil
    ) {
        self.phase = phase
        self.reason = reason
        self.attempt = attempt
        self.retryAt = retryAt
        self.isForeign = isForeign
        self.hint = hint
        self.detail = detail
    }

    /// Further information for the user; the raw value is the word in `bedside watch --json`.
    public enum Hint: String, CaseIterable, Codable, Hashable, Sendable {
        /// Connected and subscribed twice, but no value arrives.
        case silent
        /// The sensor has refused several times in a row, as sensors do that are connected to another device.
        case inUse = "in_use"
        /// Connected, but Bedside does not read this kind of sensor yet.
        case notRead = "not_read"
    }

    /// The hint to show for this state and a kind of sensor.
    public func hint(for kind: SensorKind) -> Hint? {
        phase == .ready && !isForeign && !kind.isRead ? hint ?? .notRead : hint
    }

    /// The phase; the raw value is the word in `bedside watch --json`.
    public enum Phase: String, Codable, Hashable, Sendable {
        /// A connect is under way.
        case connecting
        /// The link is up; services are not resolved yet.
        case connected
        /// Services are resolved and the characteristics are subscribed to.
        case ready
        /// Not connected, and no attempt will be made.
        case disconnected
        /// Not connected; another attempt will be made at `retryAt`.
        case waiting
    }

    /// Why a connection ended or failed; the raw value is the word in `bedside watch --json`.
    public enum DisconnectReason: String, Codable, Hashable, Sendable {
        /// The user ended it.
        case user
        /// The link was lost, or the sensor ended it; BlueZ does not report which.
        case linkLost = "link_lost"
        /// The link could not be established, or the sensor must be paired.
        case refused
        /// The sensor did not respond, or its services were not resolved, in time.
        case timeout
        /// The adapter, bluetoothd or the message bus is missing.
        case adapter, daemon, bus
        /// BlueZ no longer knows the sensor; it must be discovered again.
        case removed
        /// It has transferred its records, and sleeps until the next measurement.
        case asleep
        /// Any other reason.
        case unknown
    }
}

/// The user's answer to a question of a pairing (``PairingState``).
public enum PairingReply: Codable, Hashable, Sendable {
    /// Yes: the digits are the same, or the sensor may be paired.
    case yes
    /// No; the pairing ends.
    case no
    /// The digits that the sensor shows, or its PIN code.
    case text(String)
}

/// The state of a pairing with a sensor, and the required input of the user.
///
/// Source: BlueZ, `org.bluez.Agent1`; the texts come from the air or from BlueZ and are sanitized.
public enum PairingState: Codable, Hashable, Sendable {
    /// The sensor must be paired first; `reason` is a sentence for the user.
    case needed(reason: String)
    /// A pairing that the user asked for is in progress.
    case started
    /// Six digits that the user types on the sensor; `entered` is how many it has received so far.
    case passkey(String, entered: Int)
    /// A PIN code that the user types on the sensor.
    case pinCode(String)
    /// Six digits that the user compares with those on the sensor, and confirms.
    case confirmPasskey(String)
    /// The user is asked whether to pair at all.
    case authorize
    /// The user must type the six digits that the sensor shows.
    case passkeyWanted
    /// The user must type the PIN code of the sensor.
    case pinCodeWanted
    /// The sensor is paired.
    case succeeded
    /// The pairing failed; `reason` is a sentence for the user with the remedy.
    case failed(reason: String)
}

/// A link to a sensor that Bedside made, so that a later run recognises it if this one is killed.
///
/// It names the daemon and the client, because another daemon, or the same one after a restart, has other links.
public struct OwnedLink: Codable, Hashable, Sendable {
    /// The sensor's Bluetooth address in upper-case hexadecimal with colons.
    public var address: String
    /// The identifier of the message bus, new at each start of the bus.
    public var bus: String
    /// The unique name of the Bluetooth service on that bus.
    public var daemon: String
    /// The unique name of the program that made the link.
    public var client: String

    /// Creates a record of a link.
    public init(address: String, bus: String, daemon: String, client: String) {
        (self.address, self.bus, self.daemon, self.client) = (address, bus, daemon, client)
    }
}
