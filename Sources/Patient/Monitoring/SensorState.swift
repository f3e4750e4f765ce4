import Vitals

/// One sensor's row: its identity, its connection, and its condition for each vital.
public struct SensorState: Codable, Hashable, Sendable {
    /// The sensor, by a unique name (`MonitorState.setName(row:as:)`).
    public internal(set) var identity: SensorIdentity
    /// The sensor, by the name in its events.
    var reportedIdentity: SensorIdentity
    /// The sensor's number for the life of the state; sensors first seen earlier have lower numbers.
    public let ordinal: Int
    /// The phase of its connection; `nil` if no connection was ever tried.
    public internal(set) var connection: ConnectionState?
    /// When ``connection`` last entered its phase.
    public internal(set) var connectionSince: Moment?
    /// Whether it is in range, so that it can be offered for connecting.
    public internal(set) var isNearby = false
    /// The user's choices about it that outlive the program.
    public internal(set) var memory: RememberedSensor?
    /// Whether the user has forgotten it; its values remain in the patient's history.
    public internal(set) var isForgotten = false
    /// The newest signal strength in dBm.
    public internal(set) var signalStrength: Int?
    /// When ``signalStrength`` was received.
    public internal(set) var strengthHeard: Moment?
    /// Until when the weak-signal alarm may use it; `nil` for none.
    var weakUntil: MonotonicTime?
    /// The smoothed signal strength in tenths of a dBm; lists are ordered by it.
    public internal(set) var smoothedStrength: Int?
    /// Its last advertised temperature; see ``beacon(at:)``.
    var beacon: Beacon?
    /// The services that it advertises or has, as UUIDs.
    public internal(set) var services: [String] = []
    /// The battery level in percent, 0 to 100.
    public internal(set) var battery: Int?
    /// When anything last arrived from it: advertisement, reading, battery level, even malformed data.
    public internal(set) var lastHeard: Moment?
    /// When it last sent a vital's value or absence.
    public internal(set) var lastReading: Moment?
    /// When it could be heard again, after nothing could be received.
    var heardAgain: Moment?
    /// The number of malformed values.
    public internal(set) var malformedCount = 0
    /// The newest malformed value.
    public internal(set) var lastMalformed: MalformedOctets?
    /// The times of the newest malformed values, the oldest first.
    private var malformedTimes: [MonotonicTime] = []
    /// The number of lost links.
    var dropCount = DropCount()
    /// The history of its connections, the oldest first.
    public internal(set) var history = ConnectionHistory()
    /// The state of pairing with it; `nil` if none was needed or requested.
    public internal(set) var pairing: PairingState?
    /// When the state of pairing last changed.
    var pairingChanged: Moment?
    /// Its state for each vital that it has ever reported, in the order of the first report.
    public internal(set) var vitals: [SensorVital] = []
    /// Its newest RR intervals.
    public internal(set) var rhythm = RRSeries()
    /// Whether its link brings readings.
    var link: Link = .unknown
    /// When time alone next changes the condition of a vital.
    var deadline: MonotonicTime?

    init(identity: SensorIdentity, ordinal: Int) {
        self.identity = identity
        reportedIdentity = identity
        self.ordinal = ordinal
    }

    /// The number of lost links (except by the user or this computer).
    public var drops: Int { dropCount.total }

    /// The number of lost links within the hour before a moment; at most `DropCount.limit`.
    public func dropsInLastHour(at now: Moment) -> Int { dropCount.withinHour(before: now) }

    /// Whether a connection of ours exists or is being worked on.
    public var isWanted: Bool {
        guard let connection, !connection.isForeign else { return false }
        return connection.phase != .disconnected
    }

    /// Whether it was connected and subscribed to since Bedside began.
    public var wasConnected: Bool {
        isLinkUp
            || history.entries.contains { entry in
                switch entry.kind {
                case .connected, .ended: true
                case .connectedByOthers, .failed: false
                }
            }
    }

    /// Whether its link is up, and can be heard, without any value or absence yet.
    public var isAwaitingValue: Bool {
        guard case .up(let since) = link else { return false }
        return lastReading.map { $0 < max(since, heardAgain ?? since) } ?? true
    }

    /// Whether its link has come up since its last value.
    public var isConnectedAgain: Bool {
        guard case .up(let since) = link else { return false }
        return lastReading.map { $0 < since } ?? false
    }

    /// Whether the row can be dropped once the sensor is no longer heard.
    var isForgettable: Bool {
        vitals.isEmpty && battery == nil && !isWanted && memory == nil
    }

    /// Whether each of its values arrives several times, because other programs listen to it, too.
    public var sendsCopies: Bool { vitals.contains { $0.copies.areExpected } }

    /// The sensor's condition of a vital; `nil` if it never reported it.
    public func condition(of vital: Vital) -> VitalCondition? {
        place(of: vital).map { vitals[$0].condition }
    }

    mutating func heard(at moment: Moment) {
        lastHeard = max(lastHeard ?? moment, moment)
    }

    /// Records malformed data.
    ///
    /// - Returns: The number within `window`, at most `most`.
    mutating func countMalformed(at moment: Moment, within window: Duration, atMost most: Int) -> Int {
        let time = moment.monotonic
        malformedTimes.append(time)
        malformedTimes.removeFirst(max(0, malformedTimes.count - most))
        malformedTimes.removeAll { time.since($0) > window }
        return malformedTimes.count
    }

    /// The reason of a missing measurement and its remedy, or `nil` without one.
    ///
    /// If its vitals are absent for different reasons, the first vital's reason is used.
    public var banner: Banner? {
        guard let first = vitals.lazy.compactMap(\.condition.absence).first else { return nil }
        let concerned = vitals.filter { $0.condition.absence?.reason == first.reason }
        return Banner(absence: first, vitals: concerned.map(\.vital))
    }

    /// A body temperature in a sensor's advertisement; no reading, and never evaluated.
    public struct Beacon: Codable, Hashable, Sendable {
        /// The body temperature in degrees Celsius.
        public let bodyTemperature: VitalValue
        /// When it was received.
        public let moment: Moment

        /// How long it is shown.
        static let lifetime = Duration.seconds(30)
    }

    /// The advertised temperature of the last 30 seconds; `nil` while there is a link, which provides readings.
    public func beacon(at now: Moment) -> Beacon? {
        guard let beacon, isNearby, !isLinkUp, now.since(beacon.moment) <= Beacon.lifetime else { return nil }
        return beacon
    }

    /// The link as it matters for readings, coarser than the phases of connecting.
    enum Link: Codable, Hashable, Sendable {
        /// Unknown: readings arrive without a connection, or none was ever made.
        case unknown
        /// Subscribed since then.
        case up(since: Moment)
        /// Lost since then, and not by the user's wish.
        case lost(since: Moment)
        /// Not wanted by the user since then.
        case notWanted(since: Moment)
    }
}
