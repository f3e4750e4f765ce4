import Vitals

extension MonitorState {
    /// Lets the time that has passed act: values grow stale, sensors fall silent, delays of alarms end.
    mutating func advance(to moment: Moment, _ effects: inout [Effect]) {
        // Events may overtake each other by a hair; time does not go back for that.
        if moment >= now { now = moment }
        while let due = deadlines.earliest, due.nanoseconds <= now.monotonicNanoseconds {
            refresh(row: due.row, &effects)
        }
        if let due = board.deadline, due <= now.monotonicNanoseconds {
            board.advance(to: now, effects: &effects)
        }
    }

    /// Works out anew what time and link have made of a sensor's vitals, and tells the consequences.
    mutating func refresh(row: Int, _ effects: inout [Effect]) {
        let identity = sensors[row].identity
        let link = sensors[row].link
        var isChanged = false
        for place in sensors[row].vitals.indices {
            let before = ConditionKey(sensors[row].vitals[place].condition)
            sensors[row].vitals[place].refresh(now: now, link: link, sensor: identity, limits: limits)
            let after = ConditionKey(sensors[row].vitals[place].condition)
            guard before != after else { continue }
            isChanged = true
            tellAbsenceByTime(row: row, place: place, &effects)
            conditionChanged(row: row, place: place, before: before, after: after, &effects)
        }
        setDeadline(row: row)
        if isChanged { judgeTechnicalAlarms(row: row, &effects) }
    }

    /// Sets when time alone changes something for a sensor next.
    mutating func setDeadline(row: Int) {
        let link = sensors[row].link
        var earliest: Int64?
        for place in sensors[row].vitals.indices {
            guard let change = sensors[row].vitals[place].nextChange(link: link, limits: limits) else { continue }
            earliest = min(earliest ?? change, change)
        }
        deadlines.set(earliest, row: row)
    }

    /// Silence and a lost link are absences that no sensor tells; the readers of the stream learn of them from here.
    private func tellAbsenceByTime(row: Int, place: Int, _ effects: inout [Effect]) {
        let vital = sensors[row].vitals[place]
        guard let absence = vital.condition.absence, absence.reason == .silent || absence.reason == .linkLost else {
            return
        }
        effects.append(
            .reading(
                Reading(
                    sensor: absence.sensor, vital: vital.vital, outcome: .noMeasurement(absence.reason), moment: now)))
    }
}

/// What must differ between two conditions for anybody but the value itself to care.
struct ConditionKey: Equatable {
    var rank: Int
    var reason: AbsenceReason?

    init(_ condition: VitalCondition) {
        rank = condition.rank
        switch condition {
        case .noMeasurement(let absence): reason = absence.reason
        default: reason = nil
        }
    }

    /// Whether there is a value to go by, current or at least not lost.
    var hasValue: Bool { rank >= VitalCondition.rankOfStale }
}
