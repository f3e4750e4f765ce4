import Vitals

extension MonitorState {
    /// Handles a sensor's reading of one vital.
    mutating func receive(_ reading: Reading) -> [Effect] {
        let (found, made) = row(for: reading.sensor, as: .streaming)
        guard let row = found else { return made + reportDropped(reading.sensor) }
        if let raw = reading.raw {
            let measured = min(reading.late?.estimate ?? reading.moment, now)
            // A count of another patient must not meet this one's blood.
            if !isOfOther(measured) { table[row].rawGlucose.add(raw, at: measured) }
        }
        if let late = reading.late { return made + receiveLate(reading, late, row: row) }
        let moment = min(reading.moment, now)
        var effects = made
        if table.list.span[row].isProvedByReading { effects += linkUp(row: row, since: moment) }
        let outcome = reading.plausibleOutcome
        guard
            let change = table[row].receive(reading, outcome: outcome, at: moment, now: now, limits: limits)
        else { return effects }
        table.followDeadline(row: row)

        if change.before != change.after {
            effects += conditionChanged(row: row, change)
            effects += evaluateTechnicalAlarms(row: row)
        } else {
            publish(row: row, place: change.place)
        }
        // The newest count of another patient's sensor, reported anew without that patient's calibrations.
        if reading.raw != nil, isOfOther(moment) { return effects }
        // Rules that count readings, and reports of new ones, ignore repeats.
        guard !table[row].vitals[change.place].copies.isRepeat else { return effects }
        remember(outcome, of: reading, row: row, moment)
        if reading.vital == .bodyTemperature { effects += evaluateFever(row: row, place: change.place) }
        effects += evaluateValue(row: row, place: change.place)
        if reading.vital == .perfusionIndex { effects += recordPulse(row: row, place: change.place) }
        if reading.vital.traits.family == .heart { evaluateRates() }
        return effects
    }

    /// Handles a late value: it is entered at its time, and does not change the present.
    ///
    /// A value that waited is evaluated for fever, because it could not be seen in time. A value from a sensor's memory
    /// is history.
    private mutating func receiveLate(_ reading: Reading, _ interval: LateInterval, row: Int) -> [Effect] {
        // Measured by the sensor for the previous patient.
        if isOfOther(interval.estimate) { return [] }
        let outcome = reading.plausibleOutcome
        let place = table[row].receiveLate(reading, interval, outcome: outcome, limits: limits)
        table.followDeadline(row: row)
        guard case .measured(let value, let quality) = outcome else { return [] }
        let moment = min(interval.estimate, now)
        if quality.countsInFigures { enterTrend(value, of: reading, row: row, moment) }
        guard reading.vital == .bodyTemperature, interval.source == .waited else { return [] }
        let sample = Sample(
            value: value, quality: quality, moment: moment, sensor: reading.sensor, site: reading.site,
            calibration: reading.calibration)
        return evaluateLateFever(sample, row: row, place: place)
    }

    /// Handles a changed condition of a source: chooses the vital's source again, and suspends alarms that cannot be
    /// evaluated.
    mutating func conditionChanged(row: Int, _ change: SensorState.Change) -> [Effect] {
        chooseSource(changed: row, change)
        publish(row: row, place: change.place)
        var effects: [Effect] = []
        if change.vital == .bodyTemperature, !change.after.hasValue {
            effects += suspendFever(row: row, reason: change.after.reason)
        }
        if change.vital == .perfusionIndex, !change.after.hasValue {
            effects += interruptPulse(row: row, place: change.place)
        }
        if !change.after.hasValue {
            effects += suspendValueAlarms(row: row, place: change.place, reason: change.after.reason)
            if table[row].isForgotten { effects += endAlarmsOfForgottenSensors() }
        }
        return effects
    }

    /// Copies a source's condition to the vital, if it is the vital's source.
    mutating func publish(row: Int, place: Int) {
        let index = table.list.span[row].vital(at: place).index
        guard vitals.span[index].sourceOrdinal == table.list.span[row].ordinal else { return }
        vitals[index].handle(from: table.list.span[row], place: place)
    }

    /// Adds a current reading to the trend of its vital, if it comes from the vital's source.
    private mutating func remember(
        _ outcome: Reading.Outcome, of reading: Reading, row: Int, _ moment: Moment
    ) {
        let vital = reading.vital
        guard case .measured(let value, let quality) = outcome else {
            return rememberAbsence(of: vital, row: row, at: moment)
        }
        guard vitals.span[vital.index].sourceOrdinal == table.list.span[row].ordinal else { return }
        if quality.countsInFigures {
            enterTrend(value, of: reading, row: row, moment)
        } else {
            rememberAbsence(of: vital, row: row, at: moment)
        }
        vitals[vital.index].valueCount &+= 1
    }

    /// Adds a value, current or late, to the trend of its vital, if it comes from the vital's source.
    private mutating func enterTrend(
        _ value: VitalValue, of reading: Reading, row: Int, _ moment: Moment
    ) {
        let vital = reading.vital
        guard vitals.span[vital.index].sourceOrdinal == table.list.span[row].ordinal else { return }
        let source = TrendSource(
            sensor: table.list.span[row].identity, site: reading.site, calibration: reading.calibration)
        vitals[vital.index].trend.insert(value, at: moment, from: source)
    }

    /// Adds an absence to the trend of a vital, if the sensor is the vital's source.
    mutating func rememberAbsence(of vital: Vital, row: Int, at moment: Moment) {
        guard vitals.span[vital.index].sourceOrdinal == table.list.span[row].ordinal else { return }
        vitals[vital.index].trend.insertAbsence(at: moment)
    }
}

extension Reading {
    /// The outcome, with an impossible value turned into an absence.
    ///
    /// The decoders use the same table; this is for readings from other sources, such as a recording.
    public var plausibleOutcome: Outcome {
        guard case .measured(let value, _) = outcome else { return outcome }
        return vital.isMeasurable(value) ? outcome : .noMeasurement(.outOfRange)
    }
}

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
        effects += followSchedule()
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
