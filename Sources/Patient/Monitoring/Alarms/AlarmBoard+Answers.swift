import Vitals

extension AlarmBoard {
    /// Acknowledges an episode with those that it covers, or all if `id` is `nil`, and removes latched ones.
    ///
    /// Pending ones cannot be acknowledged.
    ///
    /// - Returns: The numbers of those that were not acknowledged before, and the effects.
    mutating func acknowledge(_ id: Alarm.ID?, _ now: Moment) -> (answered: [Alarm.ID], effects: [Effect]) {
        var answered: [Alarm.ID] = []
        var effects: [Effect] = []
        let chosen = alarms.first { $0.id == id }
        for place in alarms.indices {
            let alarm = alarms[place]
            guard id == nil || alarm.id == id || chosen?.covers(alarm) ?? false else { continue }
            guard alarm.phase != .pending, alarm.acknowledgedAt == nil, chosen?.phase != .pending else { continue }
            alarms[place].acknowledgedAt = now
            alarms[place].acknowledgedPeak = alarm.peak
            alarms[place].alertAgainAt = nil
            answered.append(alarm.id)
            effects.append(.alarm(alarms[place], now))
        }
        for alarm in latched where id == nil || alarm.id == id {
            answered.append(alarm.id)
            effects.append(.latchReset(alarm, now))
        }
        latched.removeAll { id == nil || $0.id == id }
        if !answered.isEmpty { arrange() }
        return (answered, effects)
    }

    /// Ends a physiological episode at the user's request; technical alarms stay while their condition holds.
    ///
    /// - Returns: The key of its state machine, and the effects; `nil` without such an episode.
    mutating func clear(_ id: Alarm.ID, _ now: Moment) -> (key: AlarmKey, effects: [Effect])? {
        guard let place = alarms.firstIndex(where: { $0.id == id && $0.alarmClass == .physiological }) else {
            return nil
        }
        return (alarms[place].key, end(at: place, now, byUser: true))
    }

    /// Ends every episode that the patient's values have raised, and removes latched ones, for another patient.
    mutating func clearValueAlarms(_ now: Moment) -> [Effect] {
        var effects: [Effect] = []
        while let place = alarms.firstIndex(where: { $0.kind.isAboutValues }) {
            effects += end(at: place, now, byUser: true)
        }
        for alarm in latched { effects.append(.latchReset(alarm, now)) }
        latched = []
        noted()
        return effects
    }

    /// Ends every episode of a removed sensor.
    mutating func endAlarms(of ordinal: Int, _ now: Moment) -> [Effect] {
        var effects: [Effect] = []
        while let place = alarms.firstIndex(where: { $0.sensorOrdinal == ordinal }) {
            effects += end(at: place, now)
        }
        return effects
    }

    /// Ends the answered episodes of a forgotten sensor; unanswered ones keep sounding until they are acknowledged.
    mutating func endAnsweredAlarms(of ordinal: Int, _ now: Moment) -> [Effect] {
        var effects: [Effect] = []
        while let place = alarms.firstIndex(where: { $0.sensorOrdinal == ordinal && $0.isSettledWhenForgotten }) {
            effects += end(at: place, now)
        }
        return effects
    }

    /// Holds the alarms of one sensor that care itself causes, until a moment.
    mutating func pauseForCare(_ ordinal: Int, until: Moment, _ now: Moment) {
        carePauses[ordinal] = until
        for place in alarms.indices where isHeld(at: place, ordinal) {
            if alarms[place].phase == .pending {
                replan(at: place, now)
            } else {
                alarms[place].heldUntil = until
            }
        }
        arrange()
    }

    /// Releases the alarms of a sensor: active ones sound as if they were new.
    mutating func endCarePause(of ordinal: Int, _ now: Moment) -> [Effect] {
        guard carePauses.removeValue(forKey: ordinal) != nil else { return [] }
        var effects: [Effect] = []
        for place in alarms.indices where isHeld(at: place, ordinal) {
            alarms[place].heldUntil = nil
            if alarms[place].phase == .pending { replan(at: place, now) }
            guard alarms[place].wantsAttention else { continue }
            postponeAlert(at: place, now)
            news.awaken([alarms[place].id])
            effects.append(.alarm(alarms[place], now))
        }
        arrange()
        return effects
    }

    private func isHeld(at place: Int, _ ordinal: Int) -> Bool {
        alarms[place].sensorOrdinal == ordinal && alarms[place].kind.isHeldInCare
    }

    private mutating func replan(at place: Int, _ now: Moment) {
        var alarm = alarms[place]
        plan(&alarm, now)
        alarms[place] = alarm
    }
}
