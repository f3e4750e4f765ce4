import Base
import Vitals

extension MonitorState {
    /// The current limits: the daily ones or those of the schedule's entry in force, with the user's changes.
    public var currentLimits: MonitorSettings.Limits { limitBook.current }

    /// Whether the user has changed this rule.
    public func isChanged(_ name: LimitSetting.Name, of vital: Vital) -> Bool { limitBook.isChanged(name, of: vital) }

    /// Evaluates a sensor's newest value of a vital by the limits.
    mutating func evaluateValue(row: Int, place: Int) -> [Effect] {
        guard let sample = table.list.span[row].sample(at: place) else {
            return evaluateBeyondRange(row: row, place: place)
        }
        let index = table.list.span[row].vital(at: place).index
        guard let bounds = limitBook.bounds[index] else { return [] }
        guard isEvaluated(sample) else { return suspendValueAlarms(row: row, place: place, reason: nil) }
        let time = sample.moment.monotonic
        table[row].vitals[place].watch.record(
            sample.value, at: time, bounds: bounds, calibration: sample.calibration)
        var effects = evaluateLimits(of: sample, row: row, place: place, bounds)
        if bounds.watchesChange || !table.list.span[row].isQuiet(at: place) {
            effects += evaluateChanges(of: sample, row: row, place: place, bounds)
        }
        return effects + evaluateFlatLine(of: sample, row: row, place: place, bounds)
    }

    /// Whether a value raises alarms at all.
    ///
    /// A skin temperature does not replace a value that was measured at another site, and an estimate from raw counts,
    /// calibrated or not, counts only where the settings say so.
    private func isEvaluated(_ sample: Sample) -> Bool {
        sample.site != .skin && (!sample.quality.isEstimate || settings.limits.judgesGlucoseEstimates)
    }

    /// Suspends, without ending, the alarms of a vital that has no value any longer.
    mutating func suspendValueAlarms(row: Int, place: Int, reason: AbsenceReason?) -> [Effect] {
        table[row].vitals[place].watch.interrupted()
        guard !table.list.span[row].isQuiet(at: place) else { return [] }
        let vital = table.list.span[row].vital(at: place)
        var effects: [Effect] = []
        for kind in ValueWatch.kinds where table.list.span[row].mayBeOpen(kind, at: place) {
            // A value beyond the sensor's range is a finding for the limits of that side.
            if let side = reason?.beyondRange, kind.isLimit(of: side) { continue }
            let verdict = kind == .flatLine ? AlarmVerdict.unmet : .indeterminate(reason)
            let evidence = AlarmEvidence(sensor: table[row].identity, priority: .low)
            effects += evaluate(kind, verdict, of: vital, row: row, place: place, evidence)
        }
        return effects
    }

    /// Evaluates a value beyond the sensor's range like one beyond the severest limit of that side.
    private mutating func evaluateBeyondRange(row: Int, place: Int) -> [Effect] {
        guard let absence = table.list.span[row].absence(at: place), let side = absence.reason.beyondRange else {
            return []
        }
        let vital = table[row].vital(at: place)
        // What was calculated from counts is an estimate beyond the range, too.
        let isEstimate = vital == .glucose && table[row].rawGlucose.newest != nil
        guard let bounds = limitBook.bounds[vital.index], !isEstimate || settings.limits.judgesGlucoseEstimates else {
            return []
        }
        var effects: [Effect] = []
        for kind in LimitKind.severestFirst(of: side) {
            let limit = bounds.limits[kind]
            guard limit.value != nil else { continue }
            effects += evaluate(
                kind.alarmKind, .met, of: vital, row: row, place: place,
                AlarmEvidence(
                    sensor: absence.sensor, priority: limit.priority, vital: vital, limit: limit.value,
                    boundaries: boundaries(of: vital), duration: limit.delay, reason: absence.reason),
                delay: limit.delay)
        }
        return effects
    }

    /// Evaluates every newest value again after the limits have changed.
    mutating func evaluateAllValues() -> [Effect] {
        var effects: [Effect] = []
        for row in sensors.indices {
            for place in table[row].vitals.indices { effects += evaluateAgain(row: row, place: place) }
        }
        return effects + evaluateManualLimits()
    }

    private mutating func evaluateAgain(row: Int, place: Int) -> [Effect] {
        let vital = table[row].vital(at: place)
        guard let bounds = limitBook.bounds[vital.index] else { return [] }
        var effects: [Effect] = []
        switch table[row].vitals[place].condition {
        case .measured(let sample) where isEvaluated(sample), .stale(let sample) where isEvaluated(sample):
            effects += evaluateLimits(of: sample, row: row, place: place, bounds)
            effects += evaluateChanges(of: sample, row: row, place: place, bounds)
            effects += evaluateFlatLine(of: sample, row: row, place: place, bounds)
        default:
            // A rule that is off has nothing to suspend.
            for name in LimitSetting.Name.allCases where !bounds.limits[name].isOn {
                guard table.list.span[row].mayBeOpen(name.alarmKind, at: place) else { continue }
                effects += evaluate(
                    name.alarmKind, .unmet, of: vital, row: row, place: place,
                    AlarmEvidence(sensor: table[row].identity, priority: .low))
            }
            effects += evaluateBeyondRange(row: row, place: place)
        }
        return effects
    }

    private mutating func evaluateLimits(of sample: Sample, row: Int, place: Int, _ bounds: LimitBounds) -> [Effect] {
        let value = sample.value.hundredths
        if bounds.quiet.contains(value), table.list.span[row].isQuiet(at: place) { return [] }
        let vital = table[row].vital(at: place)
        // The severe limits first, so that the worst is reported first.
        var effects: [Effect] = []
        for kind in [LimitKind.severeLow, .severeHigh, .low, .high] {
            let verdict = bounds.verdict(kind, value)
            guard verdict == .met || table.list.span[row].mayBeOpen(kind.alarmKind, at: place) else { continue }
            let limit = bounds.limits[kind]
            effects += evaluate(
                kind.alarmKind, verdict, of: vital, row: row, place: place,
                AlarmEvidence(
                    sensor: sample.sensor, priority: limit.priority, vital: vital, site: sample.site,
                    value: sample.value, measuredAt: sample.moment, limit: limit.value,
                    boundaries: boundaries(of: vital), duration: limit.delay),
                delay: limit.delay, hold: limit.value == nil ? .zero : bounds.hold)
        }
        return effects
    }

    private mutating func evaluateChanges(of sample: Sample, row: Int, place: Int, _ bounds: LimitBounds) -> [Effect] {
        let vital = table[row].vital(at: place)
        var effects: [Effect] = []
        for isFall in [true, false] {
            let kind = isFall ? AlarmKind.fall : .rise
            let limit = isFall ? bounds.limits.fall : bounds.limits.rise
            let change = table[row].vitals[place].watch.change(to: sample.value, isFall: isFall)
            let isMet =
                limit.amount.map { change >= $0 } ?? false && vital.isChangeJudged(at: sample.value, isFall: isFall)
            guard isMet || table.list.span[row].mayBeOpen(kind, at: place) else { continue }
            effects += evaluate(
                kind, isMet ? .met : .unmet, of: vital, row: row, place: place,
                AlarmEvidence(
                    sensor: sample.sensor, priority: limit.priority, vital: vital, site: sample.site,
                    value: sample.value, measuredAt: sample.moment, limit: limit.amount,
                    boundaries: boundaries(of: vital), duration: limit.within),
                hold: limit.amount == nil ? .zero : bounds.hold)
        }
        return effects
    }

    private mutating func evaluateFlatLine(of sample: Sample, row: Int, place: Int, _ bounds: LimitBounds) -> [Effect] {
        let flat = table.list.span[row].flatDuration(at: place, sample.moment)
        let isMet = bounds.flatLine.map { flat >= $0 } ?? false
        guard isMet || table.list.span[row].mayBeOpen(.flatLine, at: place) else { return [] }
        let vital = table[row].vital(at: place)
        return evaluate(
            .flatLine, isMet ? .met : .unmet, of: vital, row: row, place: place,
            AlarmEvidence(
                sensor: sample.sensor, priority: .low, vital: vital, site: sample.site, value: sample.value,
                measuredAt: sample.moment, boundaries: boundaries(of: vital), duration: bounds.limits.flatLine))
    }

    private mutating func evaluate(
        _ kind: AlarmKind, _ verdict: AlarmVerdict, of vital: Vital, row: Int, place: Int, _ evidence: AlarmEvidence,
        delay: Duration = .zero, hold: Duration = .zero
    ) -> [Effect] {
        let key = AlarmKey(.sensor(table[row].ordinal), vital: vital, kind: kind)
        let effects = board.evaluate(key, verdict, evidence: evidence, delay: delay, hold: hold, now: now)
        table[row].vitals[place].watch.setOpen(kind, board.contains(key))
        return effects
    }
}
