/// Where a sensor is on its way to streaming.
public struct ConnectionState: Codable, Hashable, Sendable {
    /// The step.
    public var phase: Phase
    /// Why, for `disconnected` and `waiting`.
    public var reason: DisconnectReason?
    /// The number of the attempt, from 1, for `connecting` and `waiting`.
    public var attempt: Int?
    /// When the next attempt will be made, for `waiting`.
    public var retryAt: Moment?
    /// Whether it is, or was, the link of another program, which brings us nothing unless the user wants the sensor.
    public var isForeign: Bool
    /// What else a person should know.
    public var hint: Hint?

    /// Makes a state.
    public init(
        phase: Phase, reason: DisconnectReason? = nil, attempt: Int? = nil, retryAt: Moment? = nil,
        isForeign: Bool = false, hint: Hint? = nil
    ) {
        self.phase = phase
        self.reason = reason
        self.attempt = attempt
        self.retryAt = retryAt
        self.isForeign = isForeign
        self.hint = hint
    }

    /// What else a person should know; the raw value is the word in `bedside watch --json`.
    public enum Hint: String, CaseIterable, Codable, Hashable, Sendable {
        /// Connected and subscribed to, twice over, and yet no value comes.
        case silent
        /// The sensor has refused several times in a row, as those do that talk to another device already.
        case inUse = "in_use"
        /// Connected, and yet no value will come, because Bedside does not read this kind of sensor yet.
        case notRead = "not_read"
    }

    /// What a person should know about this state of a sensor of a kind.
    public func hint(for kind: SensorKind) -> Hint? {
        phase == .ready && !isForeign && !kind.isRead ? hint ?? .notRead : hint
    }

    /// The steps; the raw value is the word in `bedside watch --json`.
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
        /// The user asked for it.
        case user
        /// The link was lost, or the sensor ended it; BlueZ does not tell which.
        case linkLost = "link_lost"
        /// The link could not be established, or the sensor wants to be paired.
        case refused
        /// The sensor, or its services, did not come in time.
        case timeout
        /// What is needed is not there: the adapter, bluetoothd or the message bus.
        case adapter, daemon, bus
        /// BlueZ does not know the sensor any more, and it has to be heard first.
        case removed
        /// Anything else.
        case unknown
    }
}
