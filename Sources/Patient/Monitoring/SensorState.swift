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
    /// What earlier runs have left about it; `nil` for nothing, and for a sensor that is not remembered.
    public internal(set) var contact: SensorContact?
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
    /// What a transmitter last reported of itself; `nil` if it has not.
    public internal(set) var transmitter: TransmitterStatus?
    /// The nights that it has stored, as a ring last reported them; `nil` if it has not.
    public internal(set) var nights: SensorNights?
    /// Its newest counts, if it sends counts instead of concentrations of glucose.
    public internal(set) var rawGlucose = RawGlucoseTrail()
    /// How often it measures, as it announces; `nil` if it does not.
    public internal(set) var announcedInterval: AnnouncedInterval?
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

extension PairingState {
    /// Whether the screen must show it, or ask the user, at once.
    public var isOnScreen: Bool {
        if case .needed = self { false } else { true }
    }

    /// Whether it has ended.
    public var isOver: Bool {
        switch self {
        case .succeeded, .failed: true
        default: false
        }
    }
}

extension PairingState {
    /// How long before and after a pairing the end of a link belongs to it.
    static let unsettledTime = Duration.seconds(5)
}

extension SensorState {
    /// Whether the end of its link belongs to a pairing, which is in progress or has just ended.
    func isUnsettledByPairing(at now: Moment) -> Bool {
        guard let pairing, let pairingChanged else { return false }
        return !pairing.isOver || now.since(pairingChanged) < PairingState.unsettledTime
    }

    /// Whether the sensor sends nothing before it is paired.
    public var needsPairing: Bool {
        if case .needed? = pairing { true } else { false }
    }
}

extension SensorState {
    /// The current value of the vital at an index; `nil` without one.
    func sample(at place: Int) -> Sample? {
        let vitals = vitals.span
        guard case .measured(let sample) = vitals[place].condition else { return nil }
        return sample
    }

    /// Why the vital at an index has no value; `nil` if it has one, or the reason is unknown.
    func absence(at place: Int) -> Absence? {
        let vitals = vitals.span
        guard case .noMeasurement(let absence) = vitals[place].condition else { return nil }
        return absence
    }

    /// Whether no alarm about the value of the vital at an index can be open.
    func isQuiet(at place: Int) -> Bool {
        let vitals = vitals.span
        return vitals[place].watch.isQuiet
    }

    /// Whether an alarm about the value of the vital at an index may be open.
    func mayBeOpen(_ kind: AlarmKind, at place: Int) -> Bool {
        let vitals = vitals.span
        return vitals[place].watch.mayBeOpen(kind)
    }

    /// How long the value of the vital at an index has been unchanged, in nanoseconds.
    func flatDuration(at place: Int, _ moment: Moment) -> Int64 {
        let vitals = vitals.span
        return vitals[place].watch.flatDuration(at: moment.monotonic)
    }
}

extension SensorState {
    /// How much the user has to do with a sensor, which is where it is listed.
    package enum Rank: Hashable {
        /// Wanted, or a source of what is known about the patient.
        case wanted
        /// On the air.
        case nearby
        /// Neither, but remembered.
        case remembered
    }

    /// How much the user has to do with it.
    package var rank: Rank {
        if isWanted || memory?.isWanted == true || !vitals.isEmpty && !isForgotten { return .wanted }
        return isNearby ? .nearby : .remembered
    }

    /// Whether disconnecting it would end a measurement: one that comes, or one that is awaited again.
    package var isAtWork: Bool { isConnected || isWanted && !vitals.isEmpty }

    /// Whether it has not been heard for so long that it may be gone.
    package func isFading(at now: Moment) -> Bool {
        rank == .nearby && !isLinkedByOthers && isSilent(for: Self.fadesAfter, at: now)
    }

    private func isSilent(for time: Duration, at now: Moment) -> Bool {
        lastHeard.map { now.since($0) >= time } ?? true
    }

    /// Whether the link to it is another program's; it does not advertise then, and is all the same there.
    package var isLinkedByOthers: Bool { connection?.isForeign == true && connection?.phase == .connected }

    /// Whether a link of ours is up.
    package var isConnected: Bool { isWanted && (connection?.phase == .ready || connection?.phase == .connected) }

    /// Whether it seems to be nearby.
    package func isHeard(at now: Moment) -> Bool {
        isNearby && (isLinkedByOthers || !isSilent(for: Self.goesAfter, at: now))
    }
}

/// The signal strength of a sensor.
public struct SignalStrength: Hashable, Sendable {
    /// The strength in dBm.
    public var decibels: Int
    /// When it was received.
    public var heard: Moment
    /// Whether it may have changed since.
    public var isOld: Bool
}

extension SensorState {
    /// The silence after which a sensor in range may be gone, and its signal strength is old: longer than the pauses of
    /// a present one during a scan.
    public static let fadesAfter = Duration.seconds(15)
    /// The silence after which it is gone, and its signal strength is useless.
    public static let goesAfter = Duration.seconds(60)

    /// The last signal strength; `nil` if it is unknown, too old, or from before the link was lost.
    public func strength(at now: Moment) -> SignalStrength? {
        guard let signalStrength, let strengthHeard else { return nil }
        if case .lost(let since) = link, strengthHeard <= since { return nil }
        let age = now.since(strengthHeard)
        guard age < Self.goesAfter else { return nil }
        return SignalStrength(
            decibels: signalStrength, heard: strengthHeard, isOld: age >= Self.fadesAfter)
    }

    /// Records a new signal strength, in dBm.
    ///
    /// Smoothed exponentially with a weight of a quarter: a hand in front of the antenna changes single values by 10 dB
    /// and more, independent of the distance.
    mutating func takeStrength(_ strength: Int, at now: Moment) {
        if self.strength(at: now) == nil { smoothedStrength = nil }
        signalStrength = strength
        strengthHeard = now
        let tenths = min(max(strength, -200), 200) * 10
        smoothedStrength = smoothedStrength.map { $0 + (tenths - $0) / 4 } ?? tenths
    }

    /// Forgets the signal strength of a sensor that is no longer heard.
    mutating func loseStrength() {
        signalStrength = nil
        strengthHeard = nil
        smoothedStrength = nil
    }

    /// Until when a weak signal is valid.
    static func weaknessEnd(heard now: Moment) -> MonotonicTime {
        now.monotonic.advanced(by: fadesAfter)
    }
}

/// The services of the inspected sensor, and the last values of its characteristics.
public struct SensorInspection: Codable, Hashable, Sendable {
    /// The sensor's Bluetooth address.
    public let address: String
    /// Its services, bounded.
    public let services: [SensorService]
    /// What it advertises.
    public internal(set) var advertised = AdvertisedData()
    private var latest: [Int: CharacteristicOctets] = [:]
    /// The last values of all characteristics, the oldest first.
    private var stream: [CharacteristicOctets] = []

    /// The most values of one characteristic that are kept.
    public static let streamLimit = 100
    /// The most octets of all of them together.
    private static let streamOctets = 64 << 10

    init(of address: String, _ services: [SensorService]) {
        self.address = address
        self.services = SensorService.bounded(services)
    }

    /// The last value of a characteristic; `nil` before the first one.
    public func octets(of characteristic: SensorCharacteristic) -> CharacteristicOctets? {
        latest[characteristic.number]
    }

    /// The last values of a characteristic, the newest first, at most ``streamLimit``.
    public func lastValues(of number: Int) -> [CharacteristicOctets] {
        stream.reversed().filter { $0.number == number }
    }

    public func characteristic(_ number: Int) -> SensorCharacteristic? {
        services.lazy.flatMap(\.characteristics).first { $0.number == number }
    }

    /// When the last values of its characteristics arrived.
    public var moments: some Sequence<Moment> { latest.values.lazy.map(\.moment) }

    mutating func record(_ octets: CharacteristicOctets, of address: String) {
        guard address == self.address else { return }
        let isKnown = latest[octets.number] != nil
        guard isKnown || latest.count < SensorService.limit else { return }
        // What was known before is reported again with the services.
        let isNews = latest[octets.number] != octets
        latest[octets.number] = octets
        if isNews { addToStream(octets) }
    }

    private mutating func addToStream(_ octets: CharacteristicOctets) {
        stream.append(octets)
        if stream.count(where: { $0.number == octets.number }) > Self.streamLimit,
            let oldest = stream.firstIndex(where: { $0.number == octets.number })
        {
            stream.remove(at: oldest)
        }
        while stream.reduce(0, { $0 + $1.octets.count + 1 }) > Self.streamOctets { stream.removeFirst() }
    }
}
