import Vitals

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
