import Vitals

extension MonitorState {
    /// Lets the fever rule judge a new body temperature.
    mutating func judgeFever(row: Int, place: Int, _ effects: inout [Effect]) {
        guard let (sample, verdict) = sensors[row].judgeFever(at: place, settings: settings.fever) else { return }
        let threshold = settings.fever.threshold
        board.judge(
            AlarmKey(sensorOrdinal: sensors[row].ordinal, kind: .feverSingle), verdict,
            evidence: AlarmEvidence(
                sensor: sample.sensor, priority: .high, vital: .bodyTemperature, site: sample.site, value: sample.value,
                limit: threshold),
            patience: settings.fever.confirmationGap.nanoseconds, now: now, effects: &effects)
    }

    /// The body temperature is unknown: a fever is suspended, not ended.
    mutating func suspendFever(row: Int, reason: AbsenceReason?, _ effects: inout [Effect]) {
        board.judge(
            AlarmKey(sensorOrdinal: sensors[row].ordinal, kind: .feverSingle), .unjudgeable(reason),
            evidence: AlarmEvidence(sensor: sensors[row].identity, priority: .high), now: now, effects: &effects)
    }

    /// Ends an episode by the user's word, and lets its rule begin anew.
    mutating func clearAlarm(_ id: Alarm.ID, _ effects: inout [Effect]) {
        guard let key = board.clear(id, now, effects: &effects) else { return }
        tell(.cleared(id), &effects)
        guard let row = row(ordinal: key.sensorOrdinal) else { return }
        for place in sensors[row].vitals.indices { sensors[row].vitals[place].fever.clear() }
    }

    /// The row of the sensor with this ordinal; `nil` for this computer, and for a sensor that is gone.
    func row(ordinal: Int) -> Int? { sensors.firstIndex { $0.ordinal == ordinal } }
}
