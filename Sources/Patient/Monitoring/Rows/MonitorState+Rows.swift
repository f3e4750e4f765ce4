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

/// Decides which row to give up when a sensor needs one and few are left.
struct RowCensus {
    /// The least important row that may be given up for the sensor; `nil` for none.
    let leastMissed: Int?
    /// Whether the sensor may have a row of high importance.
    ///
    /// The last rows are for remembered sensors and for kinds with few, so that a hundred straps do not displace the
    /// first oximeter.
    let mayKeepRow: Bool

    /// Examines every row.
    init(_ state: borrowing MonitorState, for sensor: SensorIdentity, as importance: RowImportance) {
        let protected = Self.protectedOrdinals(state, from: importance)
        var kept = 0
        var keptOfKind = 0
        var least: (row: Int, importance: RowImportance, heard: Moment)?
        for row in state.sensors.indices {
            let present = state.table.list.span[row].importance
            if protected.contains(state.table.list.span[row].ordinal) || !present.yields(to: importance) {
                kept += 1
                if state.table.list.span[row].identity.kind == sensor.kind { keptOfKind += 1 }
                continue
            }
            let heard = state.table.list.span[row].lastHeard ?? state.now
            if let known = least, (known.importance, known.heard) <= (present, heard) { continue }
            least = (row, present, heard)
        }
        leastMissed = least?.row
        mayKeepRow =
            importance <= .past || importance >= .remembered || kept < state.commonRows
            || keptOfKind < max(1, state.settings.sensorLimit / 16)
    }

    /// The sensors whose rows are never given up: those with an alarm, with a care pause, or that are the source of a
    /// vital.
    ///
    /// A latched alarm needs no row; still, an unknown sensor does not displace its row, so that such alarms do not
    /// grow without bound.
    private static func protectedOrdinals(_ state: borrowing MonitorState, from importance: RowImportance) -> Set<Int> {
        var ordinals = Set(state.board.alarms.compactMap(\.sensorOrdinal))
        if importance < .remembered { ordinals.formUnion(state.board.latched.compactMap(\.sensorOrdinal)) }
        ordinals.formUnion(state.board.carePauses.keys)
        ordinals.formUnion(state.vitals.compactMap(\.sourceOrdinal))
        return ordinals
    }
}

/// The importance of a sensor's row when there are more sensors than rows; the least important is given up first.
enum RowImportance: Int, Comparable, Sendable {
    /// A sensor that was only heard.
    case heard
    /// A sensor that has sent data before and is not wanted.
    case past
    /// A sensor that is wanted, has no link and has sent nothing yet.
    case attempted
    /// A sensor that is wanted and has lost its link.
    case interrupted
    /// A sensor that sends.
    case streaming
    /// A sensor that the user has named or assigned, but does not want connected.
    case remembered
    /// A sensor that the user wants connected at every start.
    case rememberedAndWanted

    static func < (lhs: RowImportance, rhs: RowImportance) -> Bool { lhs.rawValue < rhs.rawValue }

    /// Whether a row of this importance may be given up for another sensor.
    ///
    /// Among sensors that send nothing at present, the one that was heard most recently is kept.
    func yields(to newcomer: RowImportance) -> Bool {
        self < newcomer || self == newcomer && self < .interrupted
    }
}

extension SensorState {
    var importance: RowImportance {
        if let memory { return memory.isWanted == true ? .rememberedAndWanted : .remembered }
        if isForgettable { return .heard }
        if isLinkUp || connection?.phase == .connected && connection?.isForeign == false { return .streaming }
        // Readings without a connection, as from a recording.
        if link == .unknown, connection == nil, vitals.contains(where: \.standing.hasValue) { return .streaming }
        guard isWanted else { return .past }
        return lastReading == nil ? .attempted : .interrupted
    }
}

extension ConnectionState {
    /// The importance of a sensor known only from memory.
    var importance: RowImportance {
        if isForeign { return .heard }
        return switch phase {
        case .connecting, .waiting: .attempted
        case .connected, .ready: .streaming
        case .disconnected: .heard
        }
    }
}
