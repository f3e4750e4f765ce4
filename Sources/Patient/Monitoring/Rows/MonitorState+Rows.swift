import Vitals

// The rows of sensors; their number is limited.
extension MonitorState {
    /// The row of a sensor, created if needed; `nil` if no row can be given up for it, or if its kind has too many
    /// already.
    ///
    /// - Parameter importance: The importance of the row from now on.
    /// - Returns: The row, and the effects.
    mutating func row(for sensor: SensorIdentity, as importance: RowImportance) -> (row: Int?, effects: [Effect]) {
        var effects: [Effect] = []
        if let row = table.row(of: sensor.address) {
            if table.list.span[row].reportedIdentity != sensor { effects = rename(row: row, sensor) }
            // A row of low importance is about to be kept.
            guard importance >= .streaming, !table.list.span[row].isLinkUp, sensors.count >= commonRows,
                table.list.span[row].importance < .interrupted
            else { return (row, effects) }
            return (RowCensus(self, for: sensor, as: importance).mayKeepRow ? row : nil, effects)
        }
        if sensors.count >= commonRows {
            guard let forgotten = makeRoom(for: sensor, as: importance) else { return (nil, []) }
            effects = forgotten
        }
        let row = table.add(sensor)
        setName(row: row, as: sensor)
        return (row, effects)
    }

    /// The number of rows for any sensor; the others are reserved.
    var commonRows: Int { max(1, settings.sensorLimit - settings.sensorLimit / 4) }

    /// Reports that a sensor's readings are not evaluated, because there is no row for it.
    mutating func reportDropped(_ sensor: SensorIdentity) -> [Effect] {
        let name = nameBesideRows(of: sensor)
        return evaluateComputer(
            .readingsDropped, ("too many sensors; \(name) is not monitored", .medium), delay: .zero,
            minimumDuration: settings.technical.droppedDuration)
    }

    /// Reports whether more sensors are in range than are connected automatically.
    mutating func reportLeftOut(_ areLeftOut: Bool) -> [Effect] {
        let detail = "not all that are nearby are connected; connect the patient's by hand"
        return evaluateComputer(.tooManySensors, areLeftOut ? (detail, .low) : nil, delay: .zero)
    }

    mutating func rename(row: Int, _ sensor: SensorIdentity) -> [Effect] {
        let isOtherKind = table[row].identity.kind != sensor.kind
        setName(row: row, as: sensor)
        // The meaning of an absence depends on the kind of sensor.
        return isOtherKind ? evaluateTechnicalAlarms(row: row) : []
    }

    /// Gives up a row with the whole state of its sensor, because nothing could end its alarms and pauses afterwards.
    mutating func forget(row: Int) -> [Effect] {
        var effects = endCarePause(row: row, by: .program)
        effects += board.endAlarms(of: table[row].ordinal, now)
        table.remove(row)
        return effects
    }

    /// Gives up the least important row, if there is no other room.
    ///
    /// - Returns: The effects; `nil` without room.
    private mutating func makeRoom(for sensor: SensorIdentity, as importance: RowImportance) -> [Effect]? {
        let census = RowCensus(self, for: sensor, as: importance)
        guard census.mayKeepRow else { return nil }
        guard sensors.count >= max(1, settings.sensorLimit) else { return [] }
        return census.leastMissed.map { forget(row: $0) }
    }
}
