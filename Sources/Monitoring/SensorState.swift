import SaturatingArithmetic
import Vitals

/// One sensor's row: what it is, how it is connected, and what it says about each vital.
public struct SensorState: Codable, Hashable, Sendable {
    /// Which sensor, by a name that no other one has (`MonitorState.setName(row:as:)`).
    public internal(set) var identity: SensorIdentity
    /// Which sensor, by the name that events give it.
    var reportedIdentity: SensorIdentity
    /// A number that is the sensor's own for the life of the state; sensors first seen earlier have lower ones.
    public let ordinal: Int
    /// Where it is on its way to streaming; `nil` when no connect was ever tried.
    public internal(set) var connection: ConnectionState?
    /// When ``connection`` last entered its phase.
    public internal(set) var connectionSince: Moment?
    /// Whether it is heard on the air, and so can be offered for connecting.
    public internal(set) var isNearby = false
    /// What the user has said about it, as far as it outlives the program.
    public internal(set) var memory: RememberedSensor?
    /// Whether the user wants nothing known of it any more; what it told is still the patient's history.
    public internal(set) var isForgotten = false
    /// The newest signal strength in dBm.
    public internal(set) var signalStrength: Int?
    /// When ``signalStrength`` was heard.
    public internal(set) var strengthHeard: Moment?
    /// Until when the weak-signal alarm may go by it, in nanoseconds of the monotonic clock; `nil` while there is none.
    var weakUntil: Int64?
    /// The signal strength in tenths of a dBm without its flutter; what a list is ordered by.
    public internal(set) var smoothedStrength: Int?
    /// The services that it advertises or has, as UUIDs.
    public internal(set) var services: [String] = []
    /// The battery level in percent, 0 to 100.
    public internal(set) var battery: Int?
    /// When anything last came from it: advertisement, reading, battery level, even malformed octets.
    public internal(set) var lastHeard: Moment?
    /// When it last told a vital's value or absence.
    public internal(set) var lastReading: Moment?
    /// How many times it sent octets that its characteristic does not allow.
    public internal(set) var malformedCount = 0
    /// The newest of these.
    public internal(set) var lastMalformed: MalformedOctets?
    /// When the newest of them came, in nanoseconds of the monotonic clock, the oldest first.
    private var malformedTimes: [Int64] = []
    /// How often the link to it was lost.
    var dropCount = DropCount()
    /// What became of the connections to it, the oldest first.
    public internal(set) var history = ConnectionHistory()
    /// How far the pairing with it is; `nil` when none was needed or asked for.
    public internal(set) var pairing: PairingState?
    /// What it says about each vital that it has ever spoken of, in the order of first mention.
    public internal(set) var vitals: [SensorVital] = []
    /// Whether its link can be relied on to bring readings.
    var link: Link = .unknown
    /// When time alone changes the condition of a vital next, in nanoseconds of the monotonic clock.
    var deadline: Int64?

    init(identity: SensorIdentity, ordinal: Int) {
        self.identity = identity
        reportedIdentity = identity
        self.ordinal = ordinal
    }

    /// How many times the link to it was lost (not counting the user's and the computer's own doing).
    public var drops: Int { dropCount.total }

    /// How many of them were within the hour before a moment; at most `DropCount.limit` are told.
    public func dropsInLastHour(at now: Moment) -> Int { dropCount.withinHour(before: now) }

    /// Whether a connection of ours exists or is being worked on.
    public var isWanted: Bool {
        guard let connection, !connection.isForeign else { return false }
        return connection.phase != .disconnected
    }

    /// Whether its link is up, and it has not told any value or absence on it yet.
    public var isAwaitingValue: Bool {
        guard case .up(let since) = link else { return false }
        return lastReading.map { $0 < since } ?? true
    }

    /// Whether the row has nothing to tell once its radio is no longer heard.
    var isForgettable: Bool {
        vitals.isEmpty && battery == nil && !isWanted && memory == nil
    }

    /// Whether its values come several times each, which other programs that listen to it cause.
    public var sendsCopies: Bool { vitals.contains { $0.copies.areExpected } }

    /// What the sensor says about a vital; `nil` when it never spoke of it.
    public func condition(of vital: Vital) -> VitalCondition? {
        place(of: vital).map { vitals[$0].condition }
    }

    mutating func heard(at moment: Moment) {
        lastHeard = max(lastHeard ?? moment, moment)
    }

    /// Notes that malformed octets came.
    ///
    /// - Returns: How many came within so many nanoseconds; no more than `most` are counted.
    mutating func countMalformed(at moment: Moment, within window: Int64, atMost most: Int) -> Int {
        let time = moment.monotonicNanoseconds
        malformedTimes.append(time)
        malformedTimes.removeFirst(max(0, malformedTimes.count - most))
        malformedTimes.removeAll { time.subtractingSaturated($0) > window }
        return malformedTimes.count
    }

    /// Why it gives no measurement and what to do, or `nil` when no banner is due.
    ///
    /// When its vitals are absent for different reasons, the first vital's reason speaks.
    public var banner: Banner? {
        guard let first = vitals.lazy.compactMap(\.condition.absence).first else { return nil }
        let concerned = vitals.filter { $0.condition.absence?.reason == first.reason }
        return Banner(absence: first, vitals: concerned.map(\.vital))
    }

    /// The link as far as readings are concerned, which is coarser than the phases of connecting.
    enum Link: Codable, Hashable, Sendable {
        /// Nothing is known: readings come without a connection, or none was ever made.
        case unknown
        /// Subscribed since then.
        case up(since: Moment)
        /// Lost since then, and not by the user's wish.
        case lost(since: Moment)
        /// The user does not want it, since then.
        case notWanted(since: Moment)
    }
}
