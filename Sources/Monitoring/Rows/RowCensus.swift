import Vitals

/// Which rows are kept when a sensor wants one and there are few left, and which one is missed least.
struct RowCensus {
    /// The row that may be given up for the sensor; `nil` when none may.
    let leastMissed: Int?
    /// Whether the sensor may have a row that is not given up easily.
    ///
    /// The last rows are for remembered sensors and for kinds that have few, so that a hundred straps keep no room from
    /// the first oximeter.
    let mayKeepRow: Bool

    /// Looks at every row.
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

    /// The sensors whose rows are never given up: those that an alarm is about, that are paused for care, or that a vital
    /// is taken from.
    ///
    /// What has latched needs no row; a stranger's sensor does not push it aside all the same, so that such alarms do
    /// not grow without bound.
    private static func protectedOrdinals(_ state: borrowing MonitorState, from importance: RowImportance) -> Set<Int> {
        var ordinals = Set(state.board.alarms.compactMap(\.sensorOrdinal))
        if importance < .remembered { ordinals.formUnion(state.board.latched.compactMap(\.sensorOrdinal)) }
        ordinals.formUnion(state.board.carePauses.keys)
        ordinals.formUnion(state.vitals.compactMap(\.sourceOrdinal))
        return ordinals
    }
}
