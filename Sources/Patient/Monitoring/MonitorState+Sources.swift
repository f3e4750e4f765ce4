import Base
import Vitals

// Chooses the sensor of a vital when several measure it.
extension MonitorState {
    /// Chooses the source of a vital after one sensor's standing has changed: the best one; among equals the present
    /// source, then the one first seen.
    ///
    /// A vital never moves automatically from its sensor to another one of the same kind, because a second strap nearby
    /// may be worn by another person.
    mutating func chooseSource(changed: Int, _ change: SensorState.Change) {
        let vital = change.vital
        let after = table.list.span[changed].claim(to: vital, change.after.rank)
        let present = vitals.span[vital.index].sourceOrdinal
        if present == table.list.span[changed].ordinal {
            // Only a source that has become worse can be overtaken by an unchanged one.
            guard after < table.list.span[changed].claim(to: vital, change.before.rank) else { return }
            return chooseSource(of: vital)
        }
        if let present, let row = table.row(ordinal: present) {
            if let claim = table.list.span[row].claim(to: vital), after <= claim { return }
            guard mayTake(vital, row: changed, from: row) else { return }
        }
        handle(vital, from: changed)
    }

    /// Chooses the sources of vitals after the user has changed an assignment.
    mutating func chooseSources(of vitals: Set<Vital>) {
        for vital in vitals { chooseSource(of: vital) }
    }

    private mutating func chooseSource(of vital: Vital) {
        let present = vitals.span[vital.index].sourceOrdinal
        let holder = present.flatMap { table.row(ordinal: $0) }
        var best = holder
        var bestClaim = best.flatMap { table.list.span[$0].claim(to: vital) }
        for row in sensors.indices where row != best {
            guard let claim = table.list.span[row].claim(to: vital), bestClaim.map({ claim > $0 }) ?? true else {
                continue
            }
            if let holder, !mayTake(vital, row: row, from: holder) { continue }
            best = row
            bestClaim = claim
        }
        if let best, table.list.span[best].ordinal != present { handle(vital, from: best) }
    }

    private func mayTake(_ vital: Vital, row: Int, from holder: Int) -> Bool {
        table.list.span[row].identity.kind != table.list.span[holder].identity.kind
            || !table.list.span[holder].holds(vital) || table.list.span[row].isAssigned(vital)
    }

    /// A sensor of the same kind that measures a vital while its source does not; it becomes the source only if the
    /// user assigns it.
    public func substitute(for vital: Vital) -> SensorState? {
        guard !self[vital].standing.hasValue, let source = self[vital].source else { return nil }
        return sensors.first { sensor in
            sensor.identity.kind == source.kind && sensor.identity.address != source.address
                && sensor.rank(of: vital).map { $0 >= .stale } ?? false
        }
    }

    private mutating func handle(_ vital: Vital, from row: Int) {
        guard let place = table.list.span[row].place(of: vital) else { return }
        vitals[vital.index].sourceOrdinal = table[row].ordinal
        vitals[vital.index].source = table[row].identity
        publish(row: row, place: place)
    }
}

/// A sensor's claim to be the source of a vital.
///
/// Having a value counts first, then the user's assignment, then how current the value is. So a sensor of another kind
/// replaces the assigned sensor while that has no value.
struct SourceClaim: Hashable, Comparable {
    var rank: Standing.Rank
    var isAssigned: Bool

    static func < (lhs: SourceClaim, rhs: SourceClaim) -> Bool { lhs.order < rhs.order }

    private var order: (Int, Int, Int) {
        let isWished = isAssigned && rank > .notConnected
        return (rank >= .stale ? 1 : 0, isWished ? 1 : 0, rank.rawValue)
    }
}

extension SensorState {
    /// Whether the user has assigned it as the source of a vital.
    public func isAssigned(_ vital: Vital) -> Bool {
        memory?.assignedVitals.contains(vital) == true
    }

    /// Whether no other sensor of its kind may replace it as a vital's source: it has streamed the vital, and the user
    /// has neither disconnected nor forgotten it.
    func holds(_ vital: Vital) -> Bool {
        guard !isForgotten, connection == nil || isWanted, let place = place(of: vital) else { return false }
        return vitals.span[place].lastSample != nil && !vitals.span[place].isOnRequest
    }

    /// Its claim to a vital by its standing; `nil` if it never reported it.
    func claim(to vital: Vital) -> SourceClaim? {
        rank(of: vital).map { claim(to: vital, $0) }
    }

    func claim(to vital: Vital, _ rank: Standing.Rank) -> SourceClaim {
        SourceClaim(rank: rank, isAssigned: isAssigned(vital))
    }
}
