import Base
import Vitals

// Alarms and fevers resume after a restart: no unanswered alarm is lost, and no answer is invented.
extension MonitorState {
    /// Resumes the state that earlier runs left in the store.
    ///
    /// An alarm that was active when the program ended resumes as suspended until its value is known; it keeps number,
    /// beginning, peak and acknowledgement. If too much time has passed, or it has ended, it is shown until it is
    /// acknowledged, as without a restart.
    ///
    /// - Returns: The effects.
    public mutating func resume(_ earlier: EarlierRun, at moment: Moment) -> [Effect] {
        var effects = advance(to: moment)
        // Numbers up to this one may be in the log of this run already.
        let own = board.lastID
        // A foreign log may contain any number; an implausible one is ignored.
        if Coherence.counts.contains(earlier.alarms.lastAlarm) {
            board.continueNumbers(from: earlier.alarms.lastAlarm)
        }
        var numbers: Set<Alarm.ID> = []
        func number(_ episode: OutstandingAlarms.Episode, _ board: inout AlarmBoard) -> Alarm.ID {
            let number = episode.change.id
            if number > own, number <= board.lastID, numbers.insert(number).inserted { return number }
            return board.newNumber()
        }
        let now = now
        for (condition, clearing) in earlier.alarms.cleared where condition.source == .manual {
            patientRecord.declareFeverOver(at: Moment(clearing, asOf: now))
        }
        let remaining = earlier.alarms.remaining { $0.mayContinue(at: now, settings.fever) }
        var over = remaining.over
        for episode in remaining.going {
            let (key, rowEffects) = self.key(of: episode)
            effects += rowEffects
            guard let key else {
                if episode.isKept { over.append(episode) }
                continue
            }
            var alarm = Alarm(episode, id: number(episode, &board), key: key, risk: feverRisk, settings.fever, now)
            alarm.phase = .suspended(since: Moment(episode.knownUntil, asOf: now), reason: nil)
            effects += board.resume(alarm, now)
        }
        for episode in over where settings.answers.latchesHighPriority {
            // Its state machine belongs to a sensor that may not return.
            let row = episode.change.sensor.flatMap { table.row(of: $0.address) }
            let key = episode.key(.sensor(row.map { table[$0].ordinal } ?? table.newOrdinal()))
            var alarm = Alarm(episode, id: number(episode, &board), key: key, risk: feverRisk, settings.fever, now)
            alarm.phase = .ended
            alarm.endedAt = Moment(episode.knownUntil, asOf: now)
            alarm.isInterrupted = episode.endedAt == nil
            alarm.episodeCount = episode.count
            board.latch(&alarm)
            effects.append(.unanswered(alarm, now))
        }
        board.arrange()
        effects += board.weighFevers(feverRisk, now)
        for fever in earlier.fevers { effects += resume(fever) }
        return effects + settle()
    }

    /// The state machine of an episode; its sensor gets a row if it has none.
    ///
    /// - Returns: The key, `nil` without room for a row, and the effects.
    private mutating func key(of episode: OutstandingAlarms.Episode) -> (key: AlarmKey?, effects: [Effect]) {
        let change = episode.change
        guard !change.isOfEntry, let sensor = change.sensor else { return (episode.key(.manual), []) }
        guard let vital = change.vital else { return (nil, []) }
        let (row, effects) = knownRow(of: sensor)
        guard let row else { return (nil, effects) }
        let place = table[row].place(of: vital, limits: limits)
        table[row].vitals[place].watch.setOpen(episode.condition.kind, true)
        return (episode.key(.sensor(table[row].ordinal)), effects)
    }

    /// The row of a sensor, created if there is room, and the effects.
    private mutating func knownRow(of sensor: SensorIdentity) -> (row: Int?, effects: [Effect]) {
        if let row = table.row(of: sensor.address) { return (row, []) }
        return row(for: sensor, as: .past)
    }

    /// Resumes a fever rule and its verdicts.
    private mutating func resume(_ fever: EarlierRun.Fever) -> [Effect] {
        let (row, effects) = knownRow(of: fever.sensor)
        guard let row else { return effects }
        let place = table[row].place(of: .bodyTemperature, limits: limits)
        // Temperatures since the start are evaluated by a separate rule.
        guard table[row].vitals[place].lastReading == nil else { return effects }
        table[row].vitals[place].fever = fever.rule
        guard let last = fever.last else { return effects }
        let ordinal = table[row].ordinal
        let known = board.alarms.filter { $0.sensorOrdinal == ordinal }.map(\.kind)
        return effects + evaluateFever(last, row: row, place: place, known: Set(known))
            + suspendFever(row: row, reason: nil)
    }
}

extension AlarmBoard {
    /// Resumes an episode of an earlier run, or merges it with the ongoing one.
    mutating func resume(_ alarm: Alarm, _ now: Moment) -> [Effect] {
        guard let place = alarms.firstIndex(where: { $0.key == alarm.key }) else {
            var alarm = alarm
            if alarm.acknowledgedAt == nil, alarm.kind.isFever { alertLater(&alarm, now) }
            alarms.append(alarm)
            news.awaken([alarm.id])
            return changed(at: alarms.count - 1, now)
        }
        if alarms[place].phase == .pending {
            var present = alarms[place]
            activate(&present, now)
            alarms[place] = present
        }
        alarms[place].since = min(alarm.since, alarms[place].since)
        alarms[place].activeSince = [alarm.activeSince, alarms[place].activeSince].compactMap(\.self).min()
        if let peak = alarm.peak { alarms[place].peak = alarm.worse(of: peak, alarms[place].peak) }
        return changed(at: place, now)
    }
}

extension OutstandingAlarms.Episode {
    /// The key of its state machine.
    fileprivate func key(_ source: AlarmKey.Source) -> AlarmKey {
        AlarmKey(
            source, vital: condition.kind.isFever ? nil : change.vital, kind: condition.kind)
    }
}

extension Alarm {
    fileprivate init(
        _ episode: OutstandingAlarms.Episode, id: Int, key: AlarmKey, risk: FeverRisk, _ fever: MonitorSettings.Fever,
        _ now: Moment
    ) {
        let change = episode.change
        let isFever = episode.condition.kind.isFever
        self.init(
            id: id, key: key,
            evidence: AlarmEvidence(
                sensor: change.sensor, priority: change.priority, vital: change.vital, site: change.site,
                value: change.value, limit: change.limit,
                // The log has the priority only; the risk is known only if the present count gives the same.
                feverRisk: isFever && risk.priority == change.priority ? risk : nil,
                feverRule: isFever ? fever.rule : nil),
            since: Moment(wallMilliseconds: change.sinceWallMilliseconds, asOf: now))
        if let peak = change.peak { self.peak = peak }
        activeSince = Moment(episode.start, asOf: now)
        acknowledgedAt = episode.acknowledgedAt.map { Moment($0, asOf: now) }
    }

    /// Whether it seems to be the same condition of the same source.
    func isSameCondition(as other: Alarm) -> Bool {
        key == other.key
            || kind == other.kind && vital == other.vital
                && (sensor?.address == other.sensor?.address || isOfEntry && other.isOfEntry)
    }
}
