import Vitals

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
