import Vitals

extension MonitorState {
    /// Applies the time that has passed: values become stale, sensors silent, alarm delays end.
    mutating func advance(to moment: Moment) -> [Effect] {
        // Events may overtake each other slightly, but time does not go back.
        if moment >= now { now = moment }
        var effects: [Effect] = []
        while let due = table.earliestDeadline, due.time <= now.monotonic {
            effects += refresh(row: due.row)
        }
        if let due = board.deadline, due <= now.monotonic {
            let (resumed, ended) = board.advance(to: now)
            effects += ended
            for ordinal in resumed {
                guard let row = table.row(ordinal: ordinal) else { continue }
                effects += report(.carePauseEnded(table[row].identity), by: .program)
            }
        }
        effects += followTimeOfDay()
        if neutrophils != nil { effects += weighFevers(by: neutrophils) }
        return effects + followLabReminder()
    }

    /// Updates a sensor's vitals for the time and its link, and returns the effects.
    mutating func refresh(row: Int) -> [Effect] {
        var effects: [Effect] = []
        if let end = table.list.span[row].weakUntil, end <= now.monotonic {
            effects += signalUnknown(row: row)
        }
        let changes = table[row].refresh(now: now, limits: limits)
        table.followDeadline(row: row)
        for change in changes {
            effects += reportAbsenceByTime(row: row, change)
            effects += conditionChanged(row: row, change)
            if change.after.reason != nil { rememberAbsence(of: change.vital, row: row, at: now) }
        }
        if !changes.isEmpty { effects += evaluateTechnicalAlarms(row: row) }
        return effects
    }

    /// Excludes a stall of the program from every sensor's silence.
    mutating func listenAnew(at moment: Moment) {
        for row in sensors.indices {
            table[row].heardAgain = moment
            table[row].listenAnew(at: moment, limits: limits)
            table.followDeadline(row: row)
        }
    }

    /// Ends every value from before a gap.
    mutating func missed(_ gap: Gap) -> [Effect] {
        environment.lastGap = gap
        var effects = evaluateGap(gap)
        // Silence that was of the way to the sensors is not theirs.
        if gap.reason.hidesSensors { for row in sensors.indices { effects += refresh(row: row) } }
        // Ages and trends use the monotonic clock, which was not set.
        guard gap.reason != .clockSet else { return effects }
        for row in sensors.indices where !table.list.span[row].rhythm.isEmpty { table[row].rhythm.interrupt() }
        for index in vitals.indices where !vitals[index].trend.isEmpty {
            vitals[index].trend.insertAbsence(at: min(gap.from, now))
        }
        return effects
    }

    /// Reports silence and a lost link to the readers of the stream, because no sensor reports these absences.
    private func reportAbsenceByTime(row: Int, _ change: SensorState.Change) -> [Effect] {
        guard let reason = change.after.reason, reason == .silent || reason == .linkLost else { return [] }
        return [
            .reading(
                Reading(
                    sensor: table[row].identity, vital: change.vital, outcome: .noMeasurement(reason), moment: now))
        ]
    }
}
