import Base
import Vitals

extension MonitorState {
    /// A peripheral was heard on the air.
    mutating func heard(_ sensor: SensorIdentity, signalStrength: Int?, services: [String]) -> [Effect] {
        let (found, made) = row(for: sensor, as: .heard)
        guard let row = found else { return made }
        table[row].isNearby = true
        table[row].heard(at: now)
        var effects = made
        if let signalStrength {
            table[row].takeStrength(signalStrength, at: now)
            effects += evaluateSignal(row: row, strength: signalStrength, heard: now)
        }
        if !services.isEmpty, table[row].services != services { table[row].services = services }
        return effects
    }

    /// Handles a temperature in a sensor's advertisement.
    mutating func takeBeacon(_ sensor: SensorIdentity, _ temperature: VitalValue) {
        guard let row = table.row(of: sensor.address), !table[row].isLinkUp else { return }
        table[row].beacon = SensorState.Beacon(bodyTemperature: temperature, moment: now)
    }

    /// A peripheral is no longer heard.
    mutating func gone(_ sensor: SensorIdentity) -> [Effect] {
        guard let row = table.row(of: sensor.address) else { return [] }
        return gone(row: row)
    }

    /// Handles a sensor that the user named, assigned or chose, now or in an earlier run.
    mutating func remembered(_ sensor: RememberedSensor) -> [Effect] {
        let importance = sensor.isWanted == true ? RowImportance.rememberedAndWanted : .remembered
        let (found, effects) = row(for: sensor.identity, as: importance)
        guard let row = found else { return effects }
        let assigned = table[row].memory?.assignedVitals ?? []
        table[row].memory = sensor
        table[row].contact = contacts[sensor.address]
        table[row].isForgotten = false
        chooseSources(of: assigned.symmetricDifference(sensor.assignedVitals))
        return effects
    }

    /// Takes over what earlier runs have left about the remembered sensors.
    ///
    /// Nothing is evaluated, because it says nothing about the present.
    mutating func recall(_ contacts: [String: SensorContact], at moment: Moment) -> [Effect] {
        let effects = advance(to: moment)
        self.contacts = contacts
        showContacts()
        return effects + settle()
    }

    /// Forgets what remembered sensors have measured, because it was another patient; batteries stay.
    mutating func forgetMeasurementsOfContacts() {
        for address in contacts.keys { contacts[address]?.measurement = nil }
        showContacts()
    }

    private mutating func showContacts() {
        for row in sensors.indices where table[row].memory != nil {
            table[row].contact = contacts[table[row].identity.address]
        }
    }

    /// Handles a sensor that the user forgot; its row stays only for the patient's values that it has sent.
    mutating func forgotten(_ sensor: SensorIdentity) -> [Effect] {
        contacts[sensor.address] = nil
        guard let row = table.row(of: sensor.address) else { return [] }
        table[row].memory = nil
        table[row].contact = nil
        table[row].isForgotten = true
        chooseSources(of: Set(table[row].vitals.map(\.vital)))
        var effects: [Effect] = []
        if table[row].reportedIdentity != sensor { effects += rename(row: row, sensor) }
        if !table[row].isNearby, table[row].isForgettable { return effects + forget(row: row) }
        return effects + endAlarmsOfForgottenSensors()
    }

    /// Ends answered, suspended alarms of forgotten sensors, because these are not expected to measure again.
    mutating func endAlarmsOfForgottenSensors() -> [Effect] {
        var effects: [Effect] = []
        for sensor in sensors where sensor.isForgotten && !sensor.isWanted {
            effects += board.endAnsweredAlarms(of: sensor.ordinal, now)
        }
        return effects
    }

    /// A sensor reported its battery level.
    mutating func batteryReported(_ sensor: SensorIdentity, percent: Int) -> [Effect] {
        guard (0...100).contains(percent) else { return [] }
        let (found, effects) = row(for: sensor, as: .past)
        guard let row = found else { return effects }
        table[row].heard(at: now)
        table[row].battery = percent
        return effects + evaluateBattery(row: row)
    }

    /// A thermometer announced how often it measures.
    mutating func intervalAnnounced(_ sensor: SensorIdentity, _ announced: AnnouncedInterval) -> [Effect] {
        guard AnnouncedInterval.range.contains(announced.seconds) else { return [] }
        let (found, effects) = row(for: sensor, as: .past)
        guard let row = found else { return effects }
        table[row].heard(at: now)
        table[row].announce(announced, limits: limits)
        return effects
    }

    /// A transmitter reported itself, and the sensor that it is on.
    mutating func transmitterReported(_ sensor: SensorIdentity, _ status: TransmitterStatus) -> [Effect] {
        guard status.isCoherent else { return [] }
        let (found, effects) = row(for: sensor, as: .past)
        guard let row = found else { return effects }
        table[row].heard(at: now)
        table[row].transmitter = status
        return effects
    }

    /// A ring reported its stored nights.
    mutating func nightsReported(_ sensor: SensorIdentity, _ nights: SensorNights) -> [Effect] {
        guard nights.isCoherent else { return [] }
        let (found, effects) = row(for: sensor, as: .past)
        guard let row = found else { return effects }
        table[row].heard(at: now)
        table[row].nights = nights
        return effects
    }

    /// A sensor sent malformed data.
    mutating func malformed(_ sensor: SensorIdentity, _ octets: MalformedOctets) -> [Effect] {
        let (found, effects) = row(for: sensor, as: .past)
        guard let row = found else { return effects }
        table[row].heard(at: now)
        table[row].malformedCount += 1
        table[row].lastMalformed = octets
        return effects + evaluateMalformed(row: row)
    }

    /// Handles a change of the bus connection; without it, no sensor can be heard.
    mutating func busChanged(_ bus: BusState) -> [Effect] {
        environment.bus = bus
        var effects: [Effect] = []
        if !bus.isConnected {
            environment.daemon = nil
            effects += forgetTheAir()
        }
        return effects + evaluateEnvironment()
    }

    /// Handles a start or end of bluetoothd; everything that it had heard is lost with it.
    mutating func daemonChanged(_ daemon: DaemonState) -> [Effect] {
        environment.daemon = daemon
        var effects: [Effect] = []
        if !daemon.isRunning { effects += forgetTheAir() }
        return effects + evaluateEnvironment()
    }

    /// Handles an added, changed or removed adapter.
    mutating func adapterChanged(_ adapter: AdapterStatus) -> [Effect] {
        let before = environment.adapter?.power
        environment.adapter = adapter
        return adapter.power != before ? evaluateEnvironment() : []
    }

    /// The pairing with a sensor progressed.
    mutating func pairingChanged(_ sensor: SensorIdentity, _ pairing: PairingState) -> [Effect] {
        let (found, effects) = row(for: sensor, as: .attempted)
        guard let row = found else { return effects }
        table[row].heard(at: now)
        // A sensor ends the link of an unpaired client, and every pairing begins with a new link.
        if !pairing.isOver { table[row].dropCount.takeBack(youngerThan: PairingState.unsettledTime, at: now) }
        table[row].pairing = pairing
        table[row].pairingChanged = now
        return effects
    }

    private mutating func forgetTheAir() -> [Effect] {
        environment.adapter = nil
        environment.adapters = []
        var effects: [Effect] = []
        for row in sensors.indices.reversed() where table[row].isNearby { effects += gone(row: row) }
        return effects
    }

    private mutating func gone(row: Int) -> [Effect] {
        table[row].isNearby = false
        let effects = signalUnknown(row: row)
        guard !table[row].isForgettable else { return effects + forget(row: row) }
        if !table[row].isWanted { table[row].loseStrength() }
        return effects
    }
}

extension MonitorState {
    /// The connection to a sensor changed its phase.
    mutating func connectionChanged(_ sensor: SensorIdentity, _ connection: ConnectionState) -> [Effect] {
        let (found, made) = row(for: sensor, as: connection.importance)
        guard let row = found else { return connection.phase == .ready ? made + reportDropped(sensor) : made }
        let before = table[row].connection
        if before?.phase != connection.phase { table[row].connectionSince = now }
        table[row].connection = connection
        if before?.phase != connection.phase || before?.attempt != connection.attempt {
            table[row].history.record(connection, after: before, at: now)
        }
        // Another program's link brings no readings, so its loss loses nothing.
        guard !connection.isForeign else {
            table[row].heard(at: now)
            return made
        }
        if connection.phase != .ready { table[row].rhythm.interrupt() }
        switch connection.phase {
        case .connected:
            table[row].heard(at: now)
        case .ready:
            table[row].heard(at: now)
            // Connecting a forgotten sensor makes it known again.
            table[row].isForgotten = false
            // BlueZ reports no signal strength for a connected sensor.
            return made + signalUnknown(row: row) + linkUp(row: row, since: now)
        case .connecting:
            // A new connection attempt means that the previous link is lost, even without a report. A transmitter that
            // advertises every few minutes has lost nothing in between.
            if before?.reason == .asleep, table[row].identity.kind == .continuousGlucose { return made }
            if table[row].isLinkUp { return made + linkDown(row: row, reason: nil, hadLink: true) }
        case .disconnected, .waiting:
            let hadLink = (before?.phase == .ready || before?.phase == .connected) && before?.isForeign == false
            let effects = linkDown(row: row, reason: connection.reason, hadLink: hadLink)
            // Its vitals are free now, even if its link was lost before.
            if connection.phase == .disconnected { chooseSources(of: Set(table[row].vitals.map(\.vital))) }
            return made + effects
        }
        return made
    }

    /// The sensor is subscribed to: its expected vitals are watched from now on.
    mutating func linkUp(row: Int, since: Moment) -> [Effect] {
        guard !table[row].isLinkUp else { return [] }
        for vital in table[row].identity.kind.streamedVitals {
            _ = table[row].place(of: vital, limits: limits)
        }
        return setLink(.up(since: since), row: row)
    }

    private mutating func linkDown(row: Int, reason: ConnectionState.DisconnectReason?, hadLink: Bool) -> [Effect] {
        countDrop(row: row, reason: reason, hadLink: hadLink)
        // Its silence counts, not the end of a link that it needs only for seconds.
        if reason == .asleep, table[row].identity.kind == .continuousGlucose { return [] }
        switch (table[row].link, reason) {
        case (.notWanted, .user): return []
        case (_, .user): return setLink(.notWanted(since: now), row: row)
        case (.up, _), (.unknown, .linkLost): return setLink(.lost(since: now), row: row)
        // A failed attempt to connect loses no existing values.
        case (.lost, _), (.notWanted, _), (.unknown, _): return []
        }
    }

    /// Counts a lost link that the radio or the sensor caused.
    ///
    /// When the adapter is removed, BlueZ first reports its links as lost, and the adapter some milliseconds later.
    private mutating func countDrop(row: Int, reason: ConnectionState.DisconnectReason?, hadLink: Bool) {
        // A sensor that ends the link of an unpaired client reports that itself; nothing was lost.
        if hadLink, reason?.isDrop ?? true, !table[row].isUnsettledByPairing(at: now) {
            table[row].dropCount.add(at: now)
        } else if reason == .adapter {
            table[row].dropCount.takeBack(youngerThan: .seconds(1), at: now)
        }
    }

    private mutating func setLink(_ link: SensorState.Link, row: Int) -> [Effect] {
        table[row].link = link
        // Only on a link can the question be answered; on the next one the transmitter asks again.
        if !table[row].isLinkUp {
            table[row].transmitter?.newSensor = nil
            table[row].nights?.interrupt()
        }
        for place in table[row].vitals.indices { table[row].vitals[place].linkChanged() }
        return refresh(row: row) + evaluateTechnicalAlarms(row: row)
    }
}

extension SensorState {
    /// Whether the sensor is subscribed to.
    var isLinkUp: Bool {
        if case .up = link { true } else { false }
    }
}

extension SensorKind {
    /// The vitals that a sensor of this kind sends continuously once it is subscribed to, so that silence is a fault.
    ///
    /// A thermometer is missing: it may measure on request only.
    var streamedVitals: [Vital] {
        switch self {
        case .core: [.bodyTemperature]
        case .heartRateStrap: [.heartRate]
        case .oximeter: [.oxygenSaturation, .pulseRate]
        case .continuousGlucose: [.glucose]
        case .thermometer, .bloodPressure, .glucose, .weightScale, .other, .manual: []
        }
    }
}

extension SensorKind {
    /// The vitals expected from a sensor of this kind, continuously or on request.
    public var usualVitals: [Vital] { self == .thermometer ? [.bodyTemperature] : streamedVitals }
}

extension ConnectionState.DisconnectReason {
    /// Whether the radio or the sensor caused it, rather than the user or this computer.
    var isDrop: Bool {
        switch self {
        case .linkLost, .timeout, .removed, .unknown, .refused: true
        case .user, .adapter, .daemon, .bus, .asleep: false
        }
    }
}

// Chooses the sensor of a vital when several measure it.
extension MonitorState {
    /// Chooses the source of a vital after one sensor's standing has changed: the best one; among equals the present
    /// source, then the one first seen.
    ///
    /// A vital never moves automatically from its sensor to another one of the same kind, because a second strap nearby
    /// may be worn by another person.
    mutating func chooseSource(changed: Int, _ change: SensorState.Change) {
        let vital = change.vital
        let after = table.list.span[changed].claim(to: vital, change.after.rank)
        let present = vitals.span[vital.index].sourceOrdinal
        if present == table.list.span[changed].ordinal {
            // Only a source that has become worse can be overtaken by an unchanged one.
            guard after < table.list.span[changed].claim(to: vital, change.before.rank) else { return }
            return chooseSource(of: vital)
        }
        if let present, let row = table.row(ordinal: present) {
            if let claim = table.list.span[row].claim(to: vital), after <= claim { return }
            guard mayTake(vital, row: changed, from: row) else { return }
        }
        handle(vital, from: changed)
    }

    /// Chooses the sources of vitals after the user has changed an assignment.
    mutating func chooseSources(of vitals: Set<Vital>) {
        for vital in vitals { chooseSource(of: vital) }
    }

    private mutating func chooseSource(of vital: Vital) {
        let present = vitals.span[vital.index].sourceOrdinal
        let holder = present.flatMap { table.row(ordinal: $0) }
        var best = holder
        var bestClaim = best.flatMap { table.list.span[$0].claim(to: vital) }
        for row in sensors.indices where row != best {
            guard let claim = table.list.span[row].claim(to: vital), bestClaim.map({ claim > $0 }) ?? true else {
                continue
            }
            if let holder, !mayTake(vital, row: row, from: holder) { continue }
            best = row
            bestClaim = claim
        }
        if let best, table.list.span[best].ordinal != present { handle(vital, from: best) }
    }

    private func mayTake(_ vital: Vital, row: Int, from holder: Int) -> Bool {
        table.list.span[row].identity.kind != table.list.span[holder].identity.kind
            || !table.list.span[holder].holds(vital) || table.list.span[row].isAssigned(vital)
    }

    /// A sensor of the same kind that measures a vital while its source does not; it becomes the source only if the
    /// user assigns it.
    public func substitute(for vital: Vital) -> SensorState? {
        guard !self[vital].standing.hasValue, let source = self[vital].source else { return nil }
        return sensors.first { sensor in
            sensor.identity.kind == source.kind && sensor.identity.address != source.address
                && sensor.rank(of: vital).map { $0 >= .stale } ?? false
        }
    }

    private mutating func handle(_ vital: Vital, from row: Int) {
        guard let place = table.list.span[row].place(of: vital) else { return }
        vitals[vital.index].sourceOrdinal = table[row].ordinal
        vitals[vital.index].source = table[row].identity
        publish(row: row, place: place)
    }
}

/// A sensor's claim to be the source of a vital.
///
/// Having a value counts first, then the user's assignment, then how current the value is. So a sensor of another kind
/// replaces the assigned sensor while that has no value.
struct SourceClaim: Hashable, Comparable {
    var rank: Standing.Rank
    var isAssigned: Bool

    static func < (lhs: SourceClaim, rhs: SourceClaim) -> Bool { lhs.order < rhs.order }

    private var order: (Int, Int, Int) {
        let isWished = isAssigned && rank > .notConnected
        return (rank >= .stale ? 1 : 0, isWished ? 1 : 0, rank.rawValue)
    }
}

extension SensorState {
    /// Whether the user has assigned it as the source of a vital.
    public func isAssigned(_ vital: Vital) -> Bool {
        memory?.assignedVitals.contains(vital) == true
    }

    /// Whether no other sensor of its kind may replace it as a vital's source: it has streamed the vital, and the user
    /// has neither disconnected nor forgotten it.
    func holds(_ vital: Vital) -> Bool {
        guard !isForgotten, connection == nil || isWanted, let place = place(of: vital) else { return false }
        return vitals.span[place].lastSample != nil && !vitals.span[place].isOnRequest
    }

    /// Its claim to a vital by its standing; `nil` if it never reported it.
    func claim(to vital: Vital) -> SourceClaim? {
        rank(of: vital).map { claim(to: vital, $0) }
    }

    func claim(to vital: Vital, _ rank: Standing.Rank) -> SourceClaim {
        SourceClaim(rank: rank, isAssigned: isAssigned(vital))
    }
}
