import SaturatingArithmetic
import Vitals

extension MonitorState {
    /// Lets the fever rule judge a new body temperature.
    mutating func evaluateFever(row: Int, place: Int, _ effects: inout [Effect]) {
        guard let sample = sensors.span[row].sample(at: place) else { return }
        evaluateFever(sample, row: row, place: place, &effects)
    }

    /// Lets the fever rule of a sensor judge a sample.
    ///
    /// - Parameter known: The alarms that go on from before a restart; that they are met says nothing new.
    mutating func evaluateFever(
        _ sample: Sample, row: Int, place: Int, known: Set<AlarmKind> = [], _ effects: inout [Effect]
    ) {
        let verdict = sensors[row].vitals[place].fever.evaluate(sample, settings: settings.fever)
        if verdict.single != .met || !known.contains(.feverSingle) {
            evaluate(
                .feverSingle, verdict.single, row: row, sample, limit: verdict.singleLimit,
                timeout: settings.fever.confirmationGap, &effects)
        }
        if verdict.sustained != .met || !known.contains(.feverSustained) {
            evaluate(
                .feverSustained, verdict.sustained, row: row, sample, limit: settings.fever.sustainedThreshold,
                timeout: settings.fever.largestGap, &effects)
        }
    }

    /// Lets the fever rule judge a body temperature that waited to be received.
    ///
    /// A fever that it shows begins or ends now; one that goes on is left to the values of now.
    mutating func evaluateLateFever(_ sample: Sample, row: Int, place: Int, _ effects: inout [Effect]) {
        let verdict = sensors[row].vitals[place].fever.evaluate(sample, settings: settings.fever)
        evaluateLate(
            .feverSingle, verdict.single, row: row, sample, limit: verdict.singleLimit,
            timeout: settings.fever.confirmationGap, &effects)
        evaluateLate(
            .feverSustained, verdict.sustained, row: row, sample, limit: settings.fever.sustainedThreshold,
            timeout: settings.fever.largestGap, &effects)
        let standing = sensors[row].vitals[place].standing
        if !standing.hasValue { suspendFever(row: row, reason: standing.reason, &effects) }
    }

    private mutating func evaluateLate(
        _ kind: AlarmKind, _ verdict: AlarmVerdict, row: Int, _ sample: Sample, limit: VitalValue?,
        timeout: Duration, _ effects: inout [Effect]
    ) {
        let key = AlarmKey(.sensor(sensors[row].ordinal), kind: kind)
        let isOngoing = board.contains(key) && !board.isPending(key)
        switch verdict {
        case .unmet where isOngoing, .met where !isOngoing:
            evaluate(kind, verdict, row: row, sample, limit: limit, timeout: timeout, &effects)
        default: break
        }
    }

    /// The body temperature is unknown: a fever is suspended, not ended.
    mutating func suspendFever(row: Int, reason: AbsenceReason?, _ effects: inout [Effect]) {
        for kind in [AlarmKind.feverSingle, .feverSustained] {
            board.evaluate(
                AlarmKey(.sensor(sensors[row].ordinal), kind: kind), .unjudgeable(reason),
                evidence: AlarmEvidence(sensor: sensors[row].identity, priority: .high), now: now, effects: &effects)
        }
    }

    private mutating func evaluate(
        _ kind: AlarmKind, _ verdict: AlarmVerdict, row: Int, _ sample: Sample, limit: VitalValue?,
        timeout: Duration, _ effects: inout [Effect]
    ) {
        board.evaluate(
            AlarmKey(.sensor(sensors[row].ordinal), kind: kind), verdict,
            evidence: AlarmEvidence(
                sensor: sample.sensor, priority: feverRisk.priority, vital: .bodyTemperature, site: sample.site,
                value: sample.value, measuredAt: sample.moment, limit: limit,
                duration: kind == .feverSustained ? settings.fever.sustainedDuration : nil, feverRisk: feverRisk,
                feverRule: settings.fever.rule),
            timeout: timeout.nanoseconds, now: now, effects: &effects)
    }
}
