import Vitals

extension MonitorState {
    /// A peripheral was heard on the air.
    mutating func heard(_ sensor: SensorIdentity, signalStrength: Int?, services: [String]) -> [Effect] {
        let (found, made) = row(for: sensor, as: .heard)
        guard let row = found else { return made }
        sensors[row].isNearby = true
        sensors[row].heard(at: now)
        var effects = made
        if let signalStrength {
            sensors[row].takeStrength(signalStrength, at: now)
            effects += evaluateSignal(row: row, strength: signalStrength, heard: now)
        }
        if !services.isEmpty, sensors[row].services != services { sensors[row].services = services }
        return effects
    }

    /// A peripheral is no longer heard.
    mutating func gone(_ sensor: SensorIdentity) -> [Effect] {
        guard let row = rows[sensor.address] else { return [] }
        return gone(row: row)
    }

    /// The user said something about a sensor, now or in an earlier run.
    mutating func remembered(_ sensor: RememberedSensor) -> [Effect] {
        let importance = sensor.isWanted == true ? RowImportance.rememberedAndWanted : .remembered
        let (found, effects) = row(for: sensor.identity, as: importance)
        guard let row = found else { return effects }
        let assigned = sensors[row].memory?.assignedVitals ?? []
        sensors[row].memory = sensor
        sensors[row].isForgotten = false
        chooseSources(of: assigned.symmetricDifference(sensor.assignedVitals))
        return effects
    }

    /// The user wants nothing known of a sensor any more; its row stays only for what it has told of the patient.
    mutating func forgotten(_ sensor: SensorIdentity) -> [Effect] {
        guard let row = rows[sensor.address] else { return [] }
        sensors[row].memory = nil
        sensors[row].isForgotten = true
        chooseSources(of: Set(sensors[row].vitals.map(\.vital)))
        var effects: [Effect] = []
        if sensors[row].reportedIdentity != sensor { effects += rename(row: row, sensor) }
        if !sensors[row].isNearby, sensors[row].isForgettable { return effects + forget(row: row) }
        return effects + endAlarmsOfForgottenSensors()
    }

    /// Ends what was suspended about sensors that the user has forgotten, as far as somebody has answered it: nobody
    /// waits for these sensors to measure again.
    mutating func endAlarmsOfForgottenSensors() -> [Effect] {
        var effects: [Effect] = []
        for sensor in sensors where sensor.isForgotten && !sensor.isWanted {
            effects += board.endAnsweredAlarms(of: sensor.ordinal, now)
        }
        return effects
    }

    /// A sensor told its battery level.
    mutating func batteryReported(_ sensor: SensorIdentity, percent: Int) -> [Effect] {
        guard (0...100).contains(percent) else { return [] }
        let (found, effects) = row(for: sensor, as: .past)
        guard let row = found else { return effects }
        sensors[row].heard(at: now)
        sensors[row].battery = percent
        return effects + evaluateBattery(row: row)
    }

    /// A sensor sent octets that make no sense.
    mutating func malformed(_ sensor: SensorIdentity, _ octets: MalformedOctets) -> [Effect] {
        let (found, effects) = row(for: sensor, as: .past)
        guard let row = found else { return effects }
        sensors[row].heard(at: now)
        sensors[row].malformedCount += 1
        sensors[row].lastMalformed = octets
        return effects + evaluateMalformed(row: row)
    }

    /// The connection to the bus came or went; without it, nothing on the air can be known.
    mutating func busChanged(_ bus: BusState) -> [Effect] {
        environment.bus = bus
        var effects: [Effect] = []
        if bus != .connected {
            environment.daemon = nil
            effects += forgetTheAir()
        }
        return effects + evaluateEnvironment()
    }

    /// bluetoothd came or went; with it goes all that it had heard.
    mutating func daemonChanged(_ daemon: DaemonState) -> [Effect] {
        environment.daemon = daemon
        var effects: [Effect] = []
        if daemon != .running { effects += forgetTheAir() }
        return effects + evaluateEnvironment()
    }

    /// The adapter came, changed or went.
    mutating func adapterChanged(_ adapter: AdapterStatus) -> [Effect] {
        let before = environment.adapter?.power
        environment.adapter = adapter
        return adapter.power != before ? evaluateEnvironment() : []
    }

    /// The pairing with a sensor took a step.
    mutating func pairingChanged(_ sensor: SensorIdentity, _ pairing: PairingState) -> [Effect] {
        let (found, effects) = row(for: sensor, as: .attempted)
        guard let row = found else { return effects }
        sensors[row].heard(at: now)
        sensors[row].pairing = pairing
        return effects
    }

    private mutating func forgetTheAir() -> [Effect] {
        environment.adapter = nil
        environment.adapters = []
        var effects: [Effect] = []
        for row in sensors.indices.reversed() where sensors[row].isNearby { effects += gone(row: row) }
        return effects
    }

    private mutating func gone(row: Int) -> [Effect] {
        sensors[row].isNearby = false
        let effects = signalUnknown(row: row)
        guard !sensors[row].isForgettable else { return effects + forget(row: row) }
        if !sensors[row].isWanted { sensors[row].loseStrength() }
        return effects
    }
}
