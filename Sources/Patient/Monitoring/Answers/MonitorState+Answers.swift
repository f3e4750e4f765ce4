import Base
import Vitals

extension MonitorState {
    mutating func acknowledge(_ id: Alarm.ID?) -> [Effect] {
        let (answered, effects) = board.acknowledge(id, now)
        return effects + (answered.isEmpty ? [] : report(.acknowledged(answered))) + endAlarmsOfForgottenSensors()
    }

    mutating func pauseAudio(_ duration: Duration?) -> [Effect] {
        let bounds = MonitorSettings.AlarmSignals.audioPauses
        let until = now.advanced(by: (duration ?? settings.alarmSignals.audioPause).clamped(to: bounds))
        sound.pause(until: until)
        return report(.audioPaused(until: until))
    }

    mutating func endAudioPause() -> [Effect] {
        sound.endPause() ? report(.audioPauseEnded(by: nil)) : []
    }

    mutating func snooze(_ id: Alarm.ID, _ duration: Duration?) -> [Effect] {
        guard let alarm = board.alarms.first(where: { $0.id == id }), alarm.phase != .pending else { return [] }
        if alarm.kind == .labDue { return postponeLabReminder(alarm.snoozeKey) }
        let bounds = Duration.seconds(1)...max(.seconds(1), settings.answers.longestSnooze)
        let until = now.advanced(by: (duration ?? settings.answers.snooze).clamped(to: bounds))
        sound.snooze(alarm.snoozeKey, until: until)
        return report(.snoozed(alarm.snoozeKey, until: until))
    }

    mutating func endSnooze(_ key: SnoozeKey) -> [Effect] {
        guard sound.endSnooze(key, board: &board) else { return [] }
        if key.kind == .labDue { labReminder.forget() }
        return report(.snoozeEnded(key))
    }

    mutating func pauseForCare(_ address: String, _ duration: Duration?) -> [Effect] {
        guard let row = table.row(of: address) else { return [] }
        let bounds = Duration.seconds(1)...max(.seconds(1), settings.answers.longestCarePause)
        let until = now.advanced(by: (duration ?? settings.answers.carePause).clamped(to: bounds))
        board.pauseForCare(table[row].ordinal, until: until, now)
        return report(.carePaused(table[row].identity, until: until))
    }

    mutating func endCarePause(_ address: String) -> [Effect] {
        guard let row = table.row(of: address) else { return [] }
        return endCarePause(row: row, by: .user)
    }

    mutating func endCarePause(row: Int, by actor: ActionRecord.Actor) -> [Effect] {
        guard board.carePauses[table[row].ordinal] != nil else { return [] }
        let effects = report(.carePauseEnded(table[row].identity), by: actor)
        return effects + board.endCarePause(of: table[row].ordinal, now)
    }

    mutating func change(_ setting: LimitSetting, of vital: Vital) -> [Effect] {
        guard let before = limitBook.current[vital]?[setting.name] else {
            return report(.limitRefused(.noLimits(vital)))
        }
        guard before != setting else { return [] }
        do throws(LimitError) {
            try limitBook.set(setting, of: vital)
        } catch {
            return report(.limitRefused(error))
        }
        return report(.limitChanged(vital, from: before, to: setting)) + evaluateAllValues()
    }

    mutating func resetLimits() -> [Effect] {
        guard !limitBook.changes.isEmpty else { return [] }
        limitBook.reset()
        return report(.limitsReset) + evaluateAllValues()
    }

    /// Begins another patient's record: forgets the data of the previous patient, and keeps the sensors.
    mutating func newPatient() -> [Effect] {
        var effects = report(.newPatient)
        effects += board.clearValueAlarms(now)
        for row in sensors.indices { effects += endCarePause(row: row, by: .user) }
        effects += endAudioPause() + endSilence(.user)
        for key in sound.snoozes.keys.sorted(by: { $0.text < $1.text }) { effects += endSnooze(key) }
        sound.resume()
        limitBook.reset()
        weight = FeverWeight(nil, at: now)
        if !calibrations.isEmpty { effects += [.calibrations([])] }
        patientRecord = PatientRecord()
        // What waits for an answer stays in the record of the patient before, where nobody asks any more.
        deviceUsers = DeviceUsers()
        patientSince = now.wallMilliseconds
        newestLab = nil
        cuff = nil
        respiration = nil
        forgetMeasurementsOfContacts()
        labReminder.forget()
        effects += followLabReminder()
        for row in sensors.indices {
            for place in table[row].vitals.indices { table[row].vitals[place].forgetPatient() }
            table[row].rhythm = RRSeries()
            table[row].rawGlucose = RawGlucoseTrail()
        }
        for index in vitals.indices { vitals[index].trend = Trend() }
        return effects
    }

    /// Why a change of a rule would be refused; `nil` if it would not.
    public func conflict(of setting: LimitSetting, for vital: Vital) -> LimitError? {
        var book = limitBook
        do throws(LimitError) {
            try book.set(setting, of: vital)
            return nil
        } catch {
            return error
        }
    }

    /// The log's record of a wish; `nil` unless it ends a link, or changes how a sensor measures.
    ///
    /// It is made with the wish, before BlueZ answers: it says what was wanted, whatever comes of it.
    public func record(of wish: SensorWish) -> ActionRecord.Kind? {
        switch wish {
        case .disconnect(let address):
            return sensor(address: address).flatMap { $0.isWanted ? .disconnected($0.identity) : nil }
        case .forget(let address): return sensor(address: address).map { .forgotten($0.identity) }
        case .pair(let address): return sensor(address: address).map { .pairingStarted($0.identity) }
        case .setInterval(let address, let seconds):
            return sensor(address: address).map { .intervalRequested($0.identity, seconds: seconds) }
        case .useAdapter(let name):
            return name == environment.adapter?.identifier ? nil : .adapterChosen(sanitized(name, limit: 12))
        case .connect, .rename, .inspect, .explore, .trace, .assign, .answerPairing, .answerNewSensor, .cancelPairing,
            .fetchNights, .setScanning, .setPowered:
            return nil
        }
    }

    /// Reports a user's action on sensors or the radio.
    mutating func record(_ kind: ActionRecord.Kind, at moment: Moment) -> [Effect] {
        advance(to: moment) + report(kind) + settle()
    }

    /// Reports a user's action.
    func report(_ kind: ActionRecord.Kind, by actor: ActionRecord.Actor = .user) -> [Effect] {
        [.action(ActionRecord(moment: now, actor: actor, kind: kind))]
    }
}
