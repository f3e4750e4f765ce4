import Vitals

extension MonitorState {
    /// Acknowledges one alarm, or all.
    mutating func acknowledge(_ id: Alarm.ID?, _ effects: inout [Effect]) {
        let answered = board.acknowledge(id, now, effects: &effects)
        if !answered.isEmpty { report(.acknowledged(answered), &effects) }
        endAlarmsOfForgottenSensors(&effects)
    }

    mutating func pauseAudio(_ duration: Duration?, _ effects: inout [Effect]) {
        let bounds = MonitorSettings.AlarmSignals.audioPauses
        let until = now.advanced(by: (duration ?? settings.alarmSignals.audioPause).clamped(to: bounds))
        sound.pause(until: until)
        report(.audioPaused(until: until), &effects)
    }

    mutating func endAudioPause(_ effects: inout [Effect]) {
        if sound.endPause() { report(.audioPauseEnded(by: nil), &effects) }
    }

    mutating func snooze(_ id: Alarm.ID, _ duration: Duration?, _ effects: inout [Effect]) {
        guard let alarm = board.alarms.first(where: { $0.id == id }), alarm.phase != .pending else { return }
        let bounds = Duration.seconds(1)...max(.seconds(1), settings.answers.longestSnooze)
        let until = now.advanced(by: (duration ?? settings.answers.snooze).clamped(to: bounds))
        sound.snooze(alarm.snoozeKey, until: until)
        report(.snoozed(alarm.snoozeKey, until: until), &effects)
    }

    mutating func endSnooze(_ key: SnoozeKey, _ effects: inout [Effect]) {
        if sound.endSnooze(key, board: &board) { report(.snoozeEnded(key), &effects) }
    }

    mutating func pauseForCare(_ address: String, _ duration: Duration?, _ effects: inout [Effect]) {
        guard let row = rows[address] else { return }
        let bounds = Duration.seconds(1)...max(.seconds(1), settings.answers.longestCarePause)
        let until = now.advanced(by: (duration ?? settings.answers.carePause).clamped(to: bounds))
        board.pauseForCare(sensors[row].ordinal, until: until, now)
        report(.carePaused(sensors[row].identity, until: until), &effects)
    }

    mutating func endCarePause(_ address: String, _ effects: inout [Effect]) {
        guard let row = rows[address] else { return }
        endCarePause(row: row, by: .user, &effects)
    }

    mutating func endCarePause(row: Int, by actor: ActionRecord.Actor, _ effects: inout [Effect]) {
        guard board.carePauses[sensors[row].ordinal] != nil else { return }
        report(.carePauseEnded(sensors[row].identity), by: actor, &effects)
        board.endCarePause(of: sensors[row].ordinal, now, effects: &effects)
    }

    mutating func change(_ setting: LimitSetting, of vital: Vital, _ effects: inout [Effect]) {
        guard let before = limitBook.current[vital]?[setting.name] else {
            return report(.limitRefused(.noLimits(vital)), &effects)
        }
        guard before != setting else { return }
        do throws(LimitError) {
            try limitBook.set(setting, of: vital)
        } catch {
            return report(.limitRefused(error), &effects)
        }
        report(.limitChanged(vital, from: before, to: setting), &effects)
        evaluateAllValues(&effects)
    }

    mutating func resetLimits(_ effects: inout [Effect]) {
        guard !limitBook.changes.isEmpty else { return }
        limitBook.reset()
        report(.limitsReset, &effects)
        evaluateAllValues(&effects)
    }

    /// Another patient: what was about the one before is forgotten, and the sensors stay.
    mutating func newPatient(_ effects: inout [Effect]) {
        report(.newPatient, &effects)
        board.clearValueAlarms(now, effects: &effects)
        for row in sensors.indices { endCarePause(row: row, by: .user, &effects) }
        endAudioPause(&effects)
        for key in sound.snoozes.keys.sorted(by: { $0.text < $1.text }) { endSnooze(key, &effects) }
        sound.resume()
        limitBook.reset()
        neutrophils = nil
        manual = ManualRecord()
        feverRisk = .countUnknown
        for row in sensors.indices {
            for place in sensors[row].vitals.indices { sensors[row].vitals[place].forgetPatient() }
        }
        for index in vitals.indices { vitals[index].trend = Trend() }
    }

    /// Whether a change of a rule would be refused, and why.
    public func conflict(of setting: LimitSetting, for vital: Vital) -> LimitError? {
        var book = limitBook
        do throws(LimitError) {
            try book.set(setting, of: vital)
            return nil
        } catch {
            return error
        }
    }

    /// Tells what the user has done.
    func report(_ kind: ActionRecord.Kind, by actor: ActionRecord.Actor = .user, _ effects: inout [Effect]) {
        effects.append(.action(ActionRecord(moment: now, actor: actor, kind: kind)))
    }
}
