import SaturatingArithmetic
import Vitals

extension MonitorState {
    /// Lets the fever rule judge a new body temperature.
    mutating func judgeFever(row: Int, place: Int, _ effects: inout [Effect]) {
        guard let sample = sensors.span[row].sample(at: place) else { return }
        judgeFever(sample, row: row, place: place, &effects)
    }

    /// Lets the fever rule of a sensor judge a sample.
    ///
    /// - Parameter known: The alarms that go on from before a restart; that they are met says nothing new.
    mutating func judgeFever(
        _ sample: Sample, row: Int, place: Int, known: Set<AlarmKind> = [], _ effects: inout [Effect]
    ) {
        let verdict = sensors[row].vitals[place].fever.judge(sample, settings: settings.fever)
        if verdict.single != .met || !known.contains(.feverSingle) {
            judge(
                .feverSingle, verdict.single, row: row, sample, limit: verdict.singleLimit,
                patience: settings.fever.confirmationGap, &effects)
        }
        if verdict.sustained != .met || !known.contains(.feverSustained) {
            judge(
                .feverSustained, verdict.sustained, row: row, sample, limit: settings.fever.sustainedThreshold,
                patience: settings.fever.largestGap, &effects)
        }
    }

    /// Lets the fever rule judge a body temperature that waited to be received.
    ///
    /// A fever that it shows begins or ends now; one that goes on is left to the values of now.
    mutating func judgeLateFever(_ sample: Sample, row: Int, place: Int, _ effects: inout [Effect]) {
        let verdict = sensors[row].vitals[place].fever.judge(sample, settings: settings.fever)
        judgeLate(
            .feverSingle, verdict.single, row: row, sample, limit: verdict.singleLimit,
            patience: settings.fever.confirmationGap, &effects)
        judgeLate(
            .feverSustained, verdict.sustained, row: row, sample, limit: settings.fever.sustainedThreshold,
            patience: settings.fever.largestGap, &effects)
        let standing = sensors[row].vitals[place].standing
        if !standing.hasValue { suspendFever(row: row, reason: standing.reason, &effects) }
    }

    private mutating func judgeLate(
        _ kind: AlarmKind, _ verdict: AlarmVerdict, row: Int, _ sample: Sample, limit: VitalValue?,
        patience: Duration, _ effects: inout [Effect]
    ) {
        let key = AlarmKey(sensorOrdinal: sensors[row].ordinal, kind: kind)
        let goesOn = board.contains(key) && !board.isPending(key)
        switch verdict {
        case .unmet where goesOn, .met where !goesOn:
            judge(kind, verdict, row: row, sample, limit: limit, patience: patience, &effects)
        default: break
        }
    }

    /// The body temperature is unknown: a fever is suspended, not ended.
    mutating func suspendFever(row: Int, reason: AbsenceReason?, _ effects: inout [Effect]) {
        for kind in [AlarmKind.feverSingle, .feverSustained] {
            board.judge(
                AlarmKey(sensorOrdinal: sensors[row].ordinal, kind: kind), .unjudgeable(reason),
                evidence: AlarmEvidence(sensor: sensors[row].identity, priority: .high), now: now, effects: &effects)
        }
    }

    private mutating func judge(
        _ kind: AlarmKind, _ verdict: AlarmVerdict, row: Int, _ sample: Sample, limit: VitalValue?,
        patience: Duration, _ effects: inout [Effect]
    ) {
        board.judge(
            AlarmKey(sensorOrdinal: sensors[row].ordinal, kind: kind), verdict,
            evidence: AlarmEvidence(
                sensor: sample.sensor, priority: feverRisk.priority, vital: .bodyTemperature, site: sample.site,
                value: sample.value, measuredAt: sample.moment, limit: limit,
                duration: kind == .feverSustained ? settings.fever.sustainedDuration : nil, feverRisk: feverRisk,
                feverRule: settings.fever.rule),
            patience: patience.nanoseconds, now: now, effects: &effects)
    }
}
