import Vitals

extension MonitorState {
    /// Takes a sensor's word about one vital.
    mutating func receive(_ reading: Reading, _ effects: inout [Effect]) {
        guard let row = row(for: reading.sensor) else { return }
        let moment = min(reading.moment, now)
        let place = sensors[row].place(of: reading.vital, limits: limits)
        sensors[row].heard(at: moment)
        sensors[row].lastReading = max(sensors[row].lastReading ?? moment, moment)
        // What was overtaken by a newer reading changes nothing any more.
        if let newest = sensors[row].vitals[place].lastReading, moment < newest { return }

        readingProvesLink(row: row, at: moment, &effects)
        let before = ConditionKey(sensors[row].vitals[place].condition)
        sensors[row].vitals[place].receive(reading, outcome: reading.plausibleOutcome, at: moment, limits: limits)
        if sensors[row].mustRefreshAfterReading(at: moment, now: now) {
            sensors[row].vitals[place].refresh(
                now: now, link: sensors[row].link, sensor: reading.sensor, limits: limits)
        }
        let after = ConditionKey(sensors[row].vitals[place].condition)
        setDeadline(row: row)

        if before != after {
            conditionChanged(row: row, place: place, before: before, after: after, &effects)
            judgeTechnicalAlarms(row: row, &effects)
        } else {
            publish(row: row, place: place)
        }
        remember(reading.plausibleOutcome, of: reading.vital, row: row, at: moment)
        if reading.vital == .bodyTemperature, case .measured(let sample) = sensors[row].vitals[place].condition {
            judgeFever(row: row, place: place, sample, &effects)
        }
    }

    /// A source's condition is another than before: choose the vital's source anew, and suspend what cannot be judged.
    mutating func conditionChanged(
        row: Int, place: Int, before: ConditionKey, after: ConditionKey, _ effects: inout [Effect]
    ) {
        let vital = sensors[row].vitals[place].vital
        chooseSource(of: vital, changed: row, before: before, after: after)
        publish(row: row, place: place)
        if vital == .bodyTemperature, !after.hasValue {
            suspendFever(row: row, reason: after.reason, &effects)
        }
    }

    /// Copies a source's condition to the vital, if it is the vital's source.
    private mutating func publish(row: Int, place: Int) {
        let index = sensors[row].vitals[place].vital.index
        guard vitals[index].sourceOrdinal == sensors[row].ordinal else { return }
        vitals[index].condition = sensors[row].vitals[place].condition
        vitals[index].interval = sensors[row].vitals[place].interval
    }

    /// Chooses the sensor that a vital is taken from: the one with most to offer, the present one before others of the
    /// same standing, then the one first seen.
    private mutating func chooseSource(of vital: Vital, changed: Int, before: ConditionKey, after: ConditionKey) {
        let ordinal = sensors[changed].ordinal
        let present = vitals[vital.index].sourceOrdinal
        if present == ordinal {
            guard after.rank < before.rank else { return }
        } else if present != nil, after.rank <= vitals[vital.index].condition.rank {
            return
        }
        var best = changed
        var bestRank = after.rank
        // Only a source that has got worse can be overtaken by one that did not change itself.
        if present == ordinal {
            for row in sensors.indices where row != changed {
                guard let rank = sensors[row].condition(of: vital)?.rank, rank > bestRank else { continue }
                best = row
                bestRank = rank
            }
        }
        guard sensors[best].ordinal != present, let place = sensors[best].place(of: vital) else { return }
        vitals[vital.index].sourceOrdinal = sensors[best].ordinal
        vitals[vital.index].source = sensors[best].identity
        publish(row: best, place: place)
    }

    /// Enters a reading into the trend of its vital, if it comes from the vital's source.
    private mutating func remember(_ outcome: Reading.Outcome, of vital: Vital, row: Int, at moment: Moment) {
        guard vitals[vital.index].sourceOrdinal == sensors[row].ordinal else { return }
        switch outcome {
        case .measured(let value, _): vitals[vital.index].trend.insert(value, at: moment)
        case .noMeasurement: vitals[vital.index].trend.insertAbsence(at: moment)
        }
    }

    /// A reading that comes while connecting is under way means that the subscription works.
    private mutating func readingProvesLink(row: Int, at moment: Moment, _ effects: inout [Effect]) {
        guard let phase = sensors[row].connection?.phase, phase == .connected || phase == .ready else { return }
        if case .up = sensors[row].link { return }
        linkUp(row: row, since: moment, &effects)
    }
}

extension Reading {
    /// The outcome, with a value that no body has turned into an absence.
    ///
    /// A rate or saturation of zero is no measurement; the sensors' own word for it is taken care of where it is
    /// decoded, this is the second lock on the same door.
    var plausibleOutcome: Outcome {
        guard case .measured(let value, _) = outcome else { return outcome }
        switch vital {
        case .heartRate, .pulseRate:
            return value.hundredths > 0 ? outcome : .noMeasurement(.outOfRange)
        case .oxygenSaturation:
            return (1...10000).contains(value.hundredths) ? outcome : .noMeasurement(.outOfRange)
        case .bodyTemperature, .skinTemperature:
            return outcome
        }
    }
}
