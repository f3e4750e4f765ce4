import Vitals

extension MonitorState {
    /// A peripheral was heard on the air.
    mutating func heard(
        _ sensor: SensorIdentity, signalStrength: Int?, services: [String], _ effects: inout [Effect]
    ) {
        guard let row = row(for: sensor, as: .heard, &effects) else { return }
        sensors[row].isNearby = true
        sensors[row].heard(at: now)
        if let signalStrength {
            sensors[row].takeStrength(signalStrength, at: now)
            evaluateSignal(row: row, strength: signalStrength, heard: now, &effects)
        }
        if !services.isEmpty, sensors[row].services != services { sensors[row].services = services }
    }

    /// A peripheral is no longer heard.
    mutating func gone(_ sensor: SensorIdentity, _ effects: inout [Effect]) {
        guard let row = rows[sensor.address] else { return }
        gone(row: row, &effects)
    }

    /// The user said something about a sensor, now or in an earlier run.
    mutating func remembered(_ sensor: RememberedSensor, _ effects: inout [Effect]) {
        let importance = sensor.isWanted == true ? RowImportance.rememberedAndWanted : .remembered
        guard let row = row(for: sensor.identity, as: importance, &effects) else { return }
        let assigned = sensors[row].memory?.assignedVitals ?? []
        sensors[row].memory = sensor
        sensors[row].isForgotten = false
        chooseSources(of: assigned.symmetricDifference(sensor.assignedVitals))
    }

    /// The user wants nothing known of a sensor any more; its row stays only for what it has told of the patient.
    mutating func forgotten(_ sensor: SensorIdentity, _ effects: inout [Effect]) {
        guard let row = rows[sensor.address] else { return }
        sensors[row].memory = nil
        sensors[row].isForgotten = true
        chooseSources(of: Set(sensors[row].vitals.map(\.vital)))
        if sensors[row].reportedIdentity != sensor { rename(row: row, sensor, &effects) }
        if !sensors[row].isNearby, sensors[row].isForgettable { return forget(row: row, &effects) }
        endAlarmsOfForgottenSensors(&effects)
    }

    /// Ends what was suspended about sensors that the user has forgotten, as far as somebody has answered it: nobody
    /// waits for these sensors to measure again.
    mutating func endAlarmsOfForgottenSensors(_ effects: inout [Effect]) {
        for sensor in sensors where sensor.isForgotten && !sensor.isWanted {
            board.endAnsweredAlarms(of: sensor.ordinal, now, effects: &effects)
        }
    }

    /// A sensor told its battery level.
    mutating func batteryReported(_ sensor: SensorIdentity, percent: Int, _ effects: inout [Effect]) {
        guard (0...100).contains(percent), let row = row(for: sensor, as: .past, &effects) else { return }
        sensors[row].heard(at: now)
        sensors[row].battery = percent
        evaluateBattery(row: row, &effects)
    }

    /// A sensor sent octets that make no sense.
    mutating func malformed(_ sensor: SensorIdentity, _ octets: MalformedOctets, _ effects: inout [Effect]) {
        guard let row = row(for: sensor, as: .past, &effects) else { return }
        sensors[row].heard(at: now)
        sensors[row].malformedCount += 1
        sensors[row].lastMalformed = octets
        evaluateMalformed(row: row, &effects)
    }

    /// The connection to the bus came or went; without it, nothing on the air can be known.
    mutating func busChanged(_ bus: BusState, _ effects: inout [Effect]) {
        environment.bus = bus
        if bus != .connected {
            environment.daemon = nil
            forgetTheAir(&effects)
        }
        evaluateEnvironment(&effects)
    }

    /// bluetoothd came or went; with it goes all that it had heard.
    mutating func daemonChanged(_ daemon: DaemonState, _ effects: inout [Effect]) {
        environment.daemon = daemon
        if daemon != .running { forgetTheAir(&effects) }
        evaluateEnvironment(&effects)
    }

    /// The adapter came, changed or went.
    mutating func adapterChanged(_ adapter: AdapterStatus, _ effects: inout [Effect]) {
        let before = environment.adapter?.power
        environment.adapter = adapter
        if adapter.power != before { evaluateEnvironment(&effects) }
    }

    /// The pairing with a sensor took a step.
    mutating func pairingChanged(_ sensor: SensorIdentity, _ pairing: PairingState, _ effects: inout [Effect]) {
        guard let row = row(for: sensor, as: .attempted, &effects) else { return }
        sensors[row].heard(at: now)
        sensors[row].pairing = pairing
    }

    private mutating func forgetTheAir(_ effects: inout [Effect]) {
        environment.adapter = nil
        environment.adapters = []
        for row in sensors.indices.reversed() where sensors[row].isNearby { gone(row: row, &effects) }
    }

    private mutating func gone(row: Int, _ effects: inout [Effect]) {
        sensors[row].isNearby = false
        signalUnknown(row: row, &effects)
        guard !sensors[row].isForgettable else { return forget(row: row, &effects) }
        if !sensors[row].isWanted { sensors[row].loseStrength() }
    }
}
