import Vitals

extension MonitorState {
    /// Judges what the conditions of a sensor's vitals say about the sensor itself.
    mutating func judgeTechnicalAlarms(row: Int, _ effects: inout [Effect]) {
        let delays = settings.technical
        judgeAbsence(.sensorOff, row: row, delay: delays.sensorOffDelay, &effects) { $0.isSensorOff(kind: $1) }
        judgeAbsence(.silent, row: row, delay: .zero, &effects) { reason, _ in reason == .silent }
        judgeAbsence(.linkLost, row: row, delay: delays.linkLostDelay, &effects) { reason, _ in reason == .linkLost }
        if case .notWanted = sensors[row].link { judgeBattery(row: row, &effects) }
        if isMonitoringStopped { board.monitoringStopped(now, effects: &effects) }
    }

    /// Judges the battery level, with a hysteresis; a sensor that the user has disconnected raises no alarm.
    mutating func judgeBattery(row: Int, _ effects: inout [Effect]) {
        guard let percent = sensors[row].battery else { return }
        let key = AlarmKey(sensorOrdinal: sensors[row].ordinal, kind: .batteryLow)
        let isHeld = percent < settings.technical.batteryRecovered && board.contains(key)
        var isLow = percent <= settings.technical.batteryLow || isHeld
        if case .notWanted = sensors[row].link { isLow = false }
        let limit = VitalValue(whole: settings.technical.batteryLow)
        board.judge(
            key, isLow ? .met : .unmet,
            evidence: AlarmEvidence(
                sensor: sensors[row].identity, priority: .low, value: VitalValue(whole: percent), limit: limit),
            now: now, effects: &effects)
    }

    /// Ends an episode by the user's word, and lets its rule begin anew.
    mutating func clearAlarm(_ id: Alarm.ID, _ effects: inout [Effect]) {
        guard let key = board.clear(id, now, effects: &effects) else { return }
        guard let row = sensors.firstIndex(where: { $0.ordinal == key.sensorOrdinal }) else { return }
        for place in sensors[row].vitals.indices { sensors[row].vitals[place].fever.clear(key.kind) }
    }

    private mutating func judgeAbsence(
        _ kind: AlarmKind, row: Int, delay: Duration, _ effects: inout [Effect],
        isMeant: (AbsenceReason, SensorKind) -> Bool
    ) {
        let sensor = sensors[row].identity
        let concerned = sensors[row].vitals.first { vital in
            vital.condition.absence.map { isMeant($0.reason, sensor.kind) } ?? false
        }
        board.judge(
            AlarmKey(sensorOrdinal: sensors[row].ordinal, kind: kind), concerned == nil ? .unmet : .met,
            evidence: AlarmEvidence(
                sensor: sensor, priority: isMonitoringStopped ? .medium : .low, vital: concerned?.vital,
                reason: concerned?.condition.absence?.reason),
            delay: delay.nanoseconds, now: now, effects: &effects)
    }

    /// Whether no vital of the patient has a value to go by.
    private var isMonitoringStopped: Bool {
        !vitals.span.indices.contains { vitals.span[$0].standing.hasValue }
    }
}

extension AbsenceReason {
    /// Whether the reason means that the sensor is not where it belongs.
    ///
    /// CORE has no other word for it than a temperature that is not a number.
    func isSensorOff(kind: SensorKind) -> Bool {
        switch self {
        case .offBody, .noContact: true
        case .notANumber: kind == .core
        default: false
        }
    }
}
