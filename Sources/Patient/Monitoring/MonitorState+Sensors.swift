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
        table[row].isForgotten = false
        chooseSources(of: assigned.symmetricDifference(sensor.assignedVitals))
        return effects
    }

    /// Handles a sensor that the user forgot; its row stays only for the patient's values that it has sent.
    mutating func forgotten(_ sensor: SensorIdentity) -> [Effect] {
        guard let row = table.row(of: sensor.address) else { return [] }
        table[row].memory = nil
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
