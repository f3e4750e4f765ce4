import Monitoring
import Base
import Vitals
import WardMessages

extension BedState {
    /// How long a bed may be silent.
    static let timeout = Int64(WardTiming.heartbeatSeconds * WardTiming.missedHeartbeats) * 1_000_000_000

    /// Handles the presence of a session; it may be retained, so it does not show the present.
    mutating func receive(_ session: WardSession, at now: Moment) {
        announce(session.session, session.facts)
        switch session.state {
        case .online:
            guard !sessions.hasEnded(session.session) else { return }
            // No other session is heard: ask the one that announced itself.
            if session.session != current { requests.want(at: now.monotonic) }
        case .offline(let reason):
            sessions.end(session.session, reason)
            if current == nil {
                // The last will of a session that was never heard here.
                current = session.session
                facts = session.facts
            }
        }
    }

    private mutating func announce(_ session: WardToken, _ facts: WardFacts) {
        announced[session] = facts
        if announced.count > 16 { announced = announced.filter { $0.key == session || $0.key == current } }
    }

    /// Whether a session announced itself and has not ended.
    var isAnnounced: Bool { announced.keys.contains { !sessions.hasEnded($0) } }

    /// Records a message of a session.
    ///
    /// - Returns: Whether it belongs to the session whose values are kept.
    mutating func hear(_ stamp: WardStamp, at now: Moment) -> Bool {
        guard !sessions.hasEnded(stamp.session) else { return false }
        let isCurrent = stamp.session == current
        let sent = isCurrent ? anchor?.sent(stamp, received: now.monotonic) : nil
        let isNew = sessions.hear(stamp, at: sent ?? now.monotonic)
        guard isCurrent else { return false }
        if isNew { lastHeard = now }
        gaps.record(stamp.sequence, at: now.monotonic)
        return true
    }

    /// Begins with another session without any data; it may be another patient's.
    mutating func begin(_ session: WardToken, at now: Moment) {
        current = session
        facts = announced[session]
        anchor = nil
        gaps = SequenceGaps()
        requests.beginSession()
        requests.want(at: now.monotonic)
        (values, pressure) = ([:], nil)
        alarmRecords = [:]
        trends = [:]
        (birthSequence, alarmSequence, soundSequence, mismatchSince) = (-1, -1, -1, nil)
        (patient, patientSince, skewMilliseconds) = (nil, nil, nil)
        (limits, sensors, sound, soundTold) = ([], [], .on, now)
        (challenge, listenedAt) = (nil, nil)
        lastHeard = now
    }

    /// Handles the full picture.
    ///
    /// - Returns: The previous alarms.
    mutating func receive(_ birth: WardBirth, at now: Moment) -> [Int: WardAlarm] {
        let before = alarmRecords.mapValues(\.alarm)
        if let asked = requests.answered(birth.request) {
            anchor = ClockAnchor(
                asked: asked, bootMilliseconds: birth.stamp.bootMilliseconds - birth.requestWaited,
                answered: now.monotonic, waited: birth.requestWaited)
        }
        let sequence = birth.stamp.sequence
        gaps.reset(to: sequence)
        guard sequence > birthSequence else { return before }
        birthSequence = sequence
        alarmSequence = max(alarmSequence, sequence)
        mismatchSince = nil
        facts = birth.facts
        announce(birth.stamp.session, birth.facts)
        // Values of another patient are forgotten, also if the bed does not name the patient.
        if patient != birth.patient || patientSince != birth.patientSince { trends = [:] }
        (patient, patientSince) = (birth.patient, birth.patientSince)
        (limits, sensors) = (birth.limits, birth.sensors)
        receive(birth.sound, sequence, at: now)
        enterTrends(birth, at: now)
        values = values.filter { $0.value.stamp.sequence > sequence }
        for vital in birth.vitals where values[vital.reading.vital] == nil {
            values[vital.reading.vital] = HeldVital(vital: vital, stamp: birth.stamp, received: now)
        }
        pressure = birth.pressure.map { HeldPressure(pressure: $0, stamp: birth.stamp, received: now) }
        alarmRecords = alarmRecords.filter { $0.value.sequence > sequence }
        for alarm in birth.alarms where alarmRecords[alarm.id] == nil {
            alarmRecords[alarm.id] = AlarmRecord(alarm: alarm, sequence: sequence, received: now)
        }
        return before
    }

    /// Fills empty trends; the others were measured here.
    private mutating func enterTrends(_ birth: WardBirth, at now: Moment) {
        for trend in birth.trends where trends[trend.vital] == nil {
            var values = Self.emptyTrend
            for (index, point) in trend.points.enumerated() {
                let age = Int64(trend.points.count - index) * Int64(trend.stepSeconds) * 1000
                let moment = now.advanced(by: .milliseconds(-age))
                guard let point else {
                    values.insertAbsence(at: moment)
                    continue
                }
                values.insert(point.low, at: moment)
                values.insert(point.high, at: moment)
            }
            trends[trend.vital] = values
        }
    }

    /// Handles a reading.
    mutating func receive(_ message: WardVitalMessage, at now: Moment) {
        let vital = message.vital.reading.vital
        guard message.stamp.sequence > max(values[vital]?.stamp.sequence ?? -1, birthSequence) else { return }
        values[vital] = HeldVital(vital: message.vital, stamp: message.stamp, received: now)
        guard let anchor else { return }
        let sent = anchor.sent(message.stamp, received: now.monotonic)
        let age = now.monotonic.since(sent) + .milliseconds(message.vital.ageMilliseconds)
        let moment = now.advanced(by: .nanoseconds(-age.nanoseconds))
        switch message.vital.reading.outcome {
        case .measured(let value, _):
            trends[vital, default: Self.emptyTrend].insert(
                value, at: moment, from: TrendSource(sensor: message.vital.reading.sensor))
        case .noMeasurement: trends[vital]?.insertAbsence(at: moment)
        }
    }

    /// Handles the state of an alarm.
    ///
    /// - Returns: Whether it counts; `false` if the message is older than the known state.
    mutating func receive(_ message: WardAlarmMessage, at now: Moment) -> Bool {
        let (alarm, sequence) = (message.alarm, message.stamp.sequence)
        guard alarm.state != .pending, sequence > max(alarmRecords[alarm.id]?.sequence ?? -1, birthSequence) else {
            return false
        }
        // Alarms displaced by a flood are restored by the digest.
        if alarmRecords[alarm.id] == nil, alarmRecords.count >= 256 {
            alarmRecords = alarmRecords.filter { $0.value.alarm.isShown }
            if alarmRecords.count >= 256 { return false }
        }
        alarmRecords[alarm.id] = AlarmRecord(alarm: alarm, sequence: sequence, received: now)
        alarmSequence = max(alarmSequence, sequence)
        return true
    }

    /// Handles the state of the sound at the bed.
    private mutating func receive(_ sound: WardSound, _ sequence: Int64, at now: Moment) {
        guard sequence > soundSequence else { return }
        (self.sound, soundTold, soundSequence) = (sound, now, sequence)
    }

    /// Handles a heartbeat.
    mutating func receive(_ heartbeat: WardHeartbeat, at now: Moment) {
        if heartbeat.stamp.sequence > soundSequence {
            challenge = heartbeat.challenge
            if challenge == nil { listenedAt = nil }
        }
        receive(heartbeat.sound, heartbeat.stamp.sequence, at: now)
        if let anchor {
            let sent = anchor.sent(heartbeat.stamp, received: now.monotonic)
            let wall = now.advanced(by: .nanoseconds(-now.monotonic.nanoseconds(since: sent))).wallMilliseconds
            skewMilliseconds = heartbeat.stamp.wallMilliseconds.subtractingSaturated(wall)
        }
        guard birthSequence >= 0, heartbeat.stamp.sequence > alarmSequence else { return }
        if WardDigest(alarms) == heartbeat.digest {
            mismatchSince = nil
        } else if mismatchSince == nil {
            mismatchSince = now.monotonic
        }
    }
}
