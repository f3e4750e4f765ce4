import Vitals

extension MonitorState {
    /// The connection to a sensor changed its phase.
    mutating func connectionChanged(
        _ sensor: SensorIdentity, _ connection: ConnectionState, _ effects: inout [Effect]
    ) {
        guard let row = row(for: sensor, as: connection.importance, &effects) else {
            if connection.phase == .ready { reportDropped(sensor, &effects) }
            return
        }
        let before = sensors[row].connection
        if before?.phase != connection.phase { sensors[row].connectionSince = now }
        sensors[row].connection = connection
        if before?.phase != connection.phase || before?.attempt != connection.attempt {
            sensors[row].history.record(connection, after: before, at: now)
        }
        // The link of another program brings nothing, so nothing is lost with it.
        guard !connection.isForeign else { return sensors[row].heard(at: now) }
        switch connection.phase {
        case .connected:
            sensors[row].heard(at: now)
        case .ready:
            sensors[row].heard(at: now)
            // Whoever connects it again wants to know of it again.
            sensors[row].isForgotten = false
            // BlueZ tells no signal strength of a sensor that is connected.
            signalUnknown(row: row, &effects)
            linkUp(row: row, since: now, &effects)
        case .connecting:
            // Connecting anew means that the link which was up is gone, even if nobody said so.
            if sensors[row].isLinkUp { linkDown(row: row, reason: nil, hadLink: true, &effects) }
        case .disconnected, .waiting:
            let hadLink = (before?.phase == .ready || before?.phase == .connected) && before?.isForeign == false
            linkDown(row: row, reason: connection.reason, hadLink: hadLink, &effects)
            // What it held is free now, also when its link was lost before.
            if connection.phase == .disconnected { chooseSources(of: Set(sensors[row].vitals.map(\.vital))) }
        }
    }

    /// The sensor can be relied on to send: what it is expected to tell is watched from now on.
    mutating func linkUp(row: Int, since: Moment, _ effects: inout [Effect]) {
        guard !sensors[row].isLinkUp else { return }
        for vital in sensors[row].identity.kind.streamedVitals {
            _ = sensors[row].place(of: vital, limits: limits)
        }
        setLink(.up(since: since), row: row, &effects)
    }

    private mutating func linkDown(
        row: Int, reason: ConnectionState.DisconnectReason?, hadLink: Bool, _ effects: inout [Effect]
    ) {
        countDrop(row: row, reason: reason, hadLink: hadLink)
        switch (sensors[row].link, reason) {
        case (.notWanted, .user): break
        case (_, .user): setLink(.notWanted(since: now), row: row, &effects)
        case (.up, _), (.unknown, .linkLost): setLink(.lost(since: now), row: row, &effects)
        // A failed attempt to connect loses nothing that was there.
        case (.lost, _), (.notWanted, _), (.unknown, _): break
        }
    }

    /// Counts what the air or the sensor is to blame for.
    ///
    /// When the adapter goes away, BlueZ tells first that its links are down, and of the adapter some milliseconds later.
    private mutating func countDrop(row: Int, reason: ConnectionState.DisconnectReason?, hadLink: Bool) {
        if hadLink, reason?.isDrop ?? true {
            sensors[row].dropCount.add(at: now)
        } else if reason == .adapter {
            sensors[row].dropCount.takeBack(youngerThan: .seconds(1), at: now)
        }
    }

    private mutating func setLink(_ link: SensorState.Link, row: Int, _ effects: inout [Effect]) {
        sensors[row].link = link
        for place in sensors[row].vitals.indices { sensors[row].vitals[place].linkChanged() }
        refresh(row: row, &effects)
        evaluateTechnicalAlarms(row: row, &effects)
    }
}

extension SensorState {
    /// Whether the sensor is subscribed to.
    var isLinkUp: Bool {
        if case .up = link { true } else { false }
    }
}

extension SensorKind {
    /// What a sensor of this kind sends without pause once it is subscribed to, so that silence means something.
    ///
    /// A thermometer is missing: it may measure on request only.
    var streamedVitals: [Vital] {
        switch self {
        case .core: [.bodyTemperature]
        case .heartRateStrap: [.heartRate]
        case .oximeter: [.oxygenSaturation, .pulseRate]
        case .thermometer, .bloodPressure, .glucose, .other, .manual: []
        }
    }
}

extension ConnectionState.DisconnectReason {
    /// Whether the air or the sensor is to blame, rather than the user or this computer.
    var isDrop: Bool {
        switch self {
        case .linkLost, .timeout, .removed, .unknown, .refused: true
        case .user, .adapter, .daemon, .bus: false
        }
    }
}
