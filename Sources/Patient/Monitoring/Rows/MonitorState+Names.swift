import Base
import Vitals

// Gives every sensor a unique name.
extension MonitorState {
    /// Sets a sensor's name from its events, made unique among all sensors.
    ///
    /// Equal names get the end of the address, or the whole address if the ends are equal, too. All lists, panels,
    /// alarms, lines and the status use these names. A unique name stays while its sensor is known, so that it does not
    /// change when an unknown sensor passes by.
    mutating func setName(row: Int, as sensor: SensorIdentity) {
        var shown = sensor
        let namesakes = sensor.name.allSatisfy(\.isWhitespace) ? [] : namesakes(of: sensor)
        for other in namesakes
        where table.list.span[other].reportedIdentity.name == table.list.span[other].identity.name {
            var identity = table.list.span[other].identity
            identity.name = distinctName(for: identity)
            show(identity, row: other)
        }
        if !namesakes.isEmpty { shown.name = distinctName(for: sensor) }
        table[row].reportedIdentity = sensor
        show(shown, row: row)
    }

    /// The rows of other sensors that have, or had, the name of a sensor.
    private func namesakes(of sensor: SensorIdentity) -> [Int] {
        sensors.indices.filter { row in
            table.list.span[row].identity.address != sensor.address
                && (table.list.span[row].reportedIdentity.name == sensor.name
                    || table.list.span[row].identity.name == sensor.name)
        }
    }

    /// A sensor's name with the part of its address that makes it unique.
    private func distinctName(for sensor: SensorIdentity) -> String {
        func isTaken(_ name: String) -> Bool {
            sensors.contains { $0.identity.name == name && $0.identity.address != sensor.address }
        }
        var name = "\(sensor.name) \(sensor.address.suffix(5))"
        if isTaken(name) { name = "\(sensor.name) \(sensor.address)" }
        while isTaken(name) { name += " \(sensor.address)" }
        return name
    }

    /// A name for a sensor without a row, unique among those with one.
    func nameBesideRows(of sensor: SensorIdentity) -> String {
        guard !sensor.name.isEmpty else { return sensor.address }
        return sanitized(namesakes(of: sensor).isEmpty ? sensor.name : distinctName(for: sensor), limit: 96)
    }

    /// Renames a sensor throughout the state.
    private mutating func show(_ identity: SensorIdentity, row: Int) {
        guard table.list.span[row].identity != identity else { return }
        table[row].rename(identity)
        board.rename(table.list.span[row].ordinal, identity)
        for index in vitals.indices where vitals[index].sourceOrdinal == table.list.span[row].ordinal {
            vitals[index].source = identity
            guard let place = table.list.span[row].place(of: vitals.span[index].vital) else { continue }
            publish(row: row, place: place)
        }
    }

    /// The sensor of an event by its unique name.
    public func shownIdentity(of sensor: SensorIdentity) -> SensorIdentity {
        self.sensor(address: sensor.address)?.identity ?? sensor
    }
}

extension SensorState {
    /// Renames it, also in earlier values.
    fileprivate mutating func rename(_ identity: SensorIdentity) {
        self.identity = identity
        for place in vitals.indices { vitals[place].rename(identity) }
    }
}

extension VitalCondition {
    /// The same condition with a renamed sensor.
    func renamed(_ sensor: SensorIdentity) -> VitalCondition {
        func renamed(_ sample: Sample) -> Sample {
            var sample = sample
            sample.sensor = sensor
            return sample
        }
        switch self {
        case .neverSeen: return self
        case .measured(let sample): return .measured(renamed(sample))
        case .stale(let sample): return .stale(renamed(sample))
        case .lost(let sample): return .lost(renamed(sample))
        case .notConnected(let last, let since): return .notConnected(last: last.map(renamed), since: since)
        case .noMeasurement(var absence):
            absence.sensor = sensor
            absence.last = absence.last.map(renamed)
            return .noMeasurement(absence)
        }
    }
}
