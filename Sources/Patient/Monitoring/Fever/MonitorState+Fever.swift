import Vitals

extension MonitorState {
    /// Evaluates a new body temperature by the fever rule.
    mutating func evaluateFever(row: Int, place: Int) -> [Effect] {
        guard let sample = table.list.span[row].sample(at: place) else { return [] }
        return evaluateFever(sample, row: row, place: place)
    }

    /// Evaluates a sample by the fever rule of a sensor.
    ///
    /// - Parameter known: The alarms that resume after a restart; meeting their conditions is not new.
    mutating func evaluateFever(_ sample: Sample, row: Int, place: Int, known: Set<AlarmKind> = []) -> [Effect] {
        let verdict = table[row].vitals[place].fever.evaluate(sample, settings: settings.fever)
        var effects: [Effect] = []
        if verdict.single != .met || !known.contains(.feverSingle) {
            effects += evaluate(
                .feverSingle, verdict.single, row: row, sample, limit: verdict.singleLimit,
                timeout: settings.fever.confirmationGap)
        }
        if verdict.sustained != .met || !known.contains(.feverSustained) {
            effects += evaluate(
                .feverSustained, verdict.sustained, row: row, sample, limit: settings.fever.sustainedThreshold,
                timeout: settings.fever.largestGap)
        }
        return effects
    }

    /// Evaluates a late body temperature.
    ///
    /// A fever detected by it begins or ends now; an ongoing one is left to current values.
    mutating func evaluateLateFever(_ sample: Sample, row: Int, place: Int) -> [Effect] {
        let verdict = table[row].vitals[place].fever.evaluate(sample, settings: settings.fever)
        var effects = evaluateLate(
            .feverSingle, verdict.single, row: row, sample, limit: verdict.singleLimit,
            timeout: settings.fever.confirmationGap)
        effects += evaluateLate(
            .feverSustained, verdict.sustained, row: row, sample, limit: settings.fever.sustainedThreshold,
            timeout: settings.fever.largestGap)
        let standing = table[row].vitals[place].standing
        if !standing.hasValue { effects += suspendFever(row: row, reason: standing.reason) }
        return effects
    }

    private mutating func evaluateLate(
        _ kind: AlarmKind, _ verdict: AlarmVerdict, row: Int, _ sample: Sample, limit: VitalValue?,
        timeout: Duration
    ) -> [Effect] {
        let key = AlarmKey(.sensor(table[row].ordinal), kind: kind)
        let isOngoing = board.contains(key) && !board.isPending(key)
        var effects: [Effect] = []
        switch verdict {
        case .unmet where isOngoing, .met where !isOngoing:
            effects += evaluate(kind, verdict, row: row, sample, isLate: true, limit: limit, timeout: timeout)
        default: break
        }
        return effects
    }

    /// Suspends a fever, without ending it, because the body temperature is unknown.
    mutating func suspendFever(row: Int, reason: AbsenceReason?) -> [Effect] {
        var effects: [Effect] = []
        for kind in [AlarmKind.feverSingle, .feverSustained] {
            effects += board.evaluate(
                AlarmKey(.sensor(table[row].ordinal), kind: kind), .indeterminate(reason),
                evidence: AlarmEvidence(sensor: table[row].identity, priority: .high), now: now)
        }
        return effects
    }

    private mutating func evaluate(
        _ kind: AlarmKind, _ verdict: AlarmVerdict, row: Int, _ sample: Sample, isLate: Bool = false,
        limit: VitalValue?, timeout: Duration
    ) -> [Effect] {
        board.evaluate(
            AlarmKey(.sensor(table[row].ordinal), kind: kind), verdict,
            evidence: AlarmEvidence(
                sensor: sample.sensor, priority: feverRisk.priority, vital: .bodyTemperature, site: sample.site,
                value: sample.value, measuredAt: sample.moment, isLate: isLate, limit: limit,
                boundaries: boundaries(of: .bodyTemperature),
                duration: kind == .feverSustained ? settings.fever.sustainedDuration : nil, feverRisk: feverRisk,
                feverRule: settings.fever.rule),
            timeout: timeout, now: now)
    }
}
