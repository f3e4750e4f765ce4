import Vitals

// Which sensor a vital is taken from when several give it.
extension MonitorState {
    /// Chooses the sensor that a vital is taken from, after what one sensor has to offer has changed: the one with most
    /// to offer, the present one before others with as much, then the one first seen.
    ///
    /// A vital never moves by itself from a sensor that holds it to another one of the same kind: a second strap on the
    /// air may be on somebody else.
    mutating func chooseSource(changed: Int, _ change: SensorState.Change) {
        let vital = change.vital
        let after = table.list.span[changed].claim(to: vital, change.after.rank)
        let present = vitals.span[vital.index].sourceOrdinal
        if present == table.list.span[changed].ordinal {
            // Only a source that has got worse can be overtaken by one that did not change itself.
            guard after < table.list.span[changed].claim(to: vital, change.before.rank) else { return }
            return chooseSource(of: vital)
        }
        if let present, let row = table.row(ordinal: present) {
            if let claim = table.list.span[row].claim(to: vital), after <= claim { return }
            guard mayTake(vital, row: changed, from: row) else { return }
        }
        handle(vital, from: changed)
    }

    /// Chooses the sensors that vitals are taken from, after the user has changed their wish.
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

    /// A sensor of the same kind that measures a vital while the one that it is taken from does not; it is not taken
    /// from there unless the user assigns it.
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

/// How good a sensor's claim is to be the one that a vital is taken from.
///
/// A value goes before none, whoever gives it; then the user's wish decides, then how current the value is. So the
/// sensor that the user has assigned is left for one of another kind when it has no value, and taken again as soon as
/// it has.
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
    /// Whether the user wants a vital taken from it whenever it measures it.
    public func isAssigned(_ vital: Vital) -> Bool {
        memory?.assignedVitals.contains(vital) == true
    }

    /// Whether no other sensor of its kind may take a vital from it: it has measured it, without being asked to each
    /// time, and the user has neither disconnected nor forgotten it.
    func holds(_ vital: Vital) -> Bool {
        guard !isForgotten, connection == nil || isWanted, let place = place(of: vital) else { return false }
        return vitals.span[place].lastSample != nil && !vitals.span[place].isOnRequest
    }

    /// Its claim to a vital by what it has to offer; `nil` when it never spoke of it.
    func claim(to vital: Vital) -> SourceClaim? {
        rank(of: vital).map { claim(to: vital, $0) }
    }

    /// Its claim to a vital with so much to offer.
    func claim(to vital: Vital, _ rank: Standing.Rank) -> SourceClaim {
        SourceClaim(rank: rank, isAssigned: isAssigned(vital))
    }
}
