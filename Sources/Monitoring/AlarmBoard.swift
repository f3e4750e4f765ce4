import Vitals

/// The state machines of all alarms: idle → pending → active ⇄ suspended → ended, with acknowledging beside them.
///
/// Rules judge; the board delays, opens, suspends, resumes, ends and orders. An ended episode leaves the board with the
/// effect that tells of its end.
struct AlarmBoard: Hashable, Sendable {
    /// The episodes that have not ended, the worst first.
    private(set) var alarms: [Alarm] = []
    /// The earliest moment at which a pending episode changes by time alone, in nanoseconds of the monotonic clock.
    private(set) var deadline: Int64?
    private var lastID = 0

    /// Takes a rule's verdict on one condition.
    ///
    /// - Parameters:
    ///   - delay: For how long the condition must be met before the alarm is active, in nanoseconds.
    ///   - patience: For how long a suspicion waits for more readings, in nanoseconds.
    mutating func judge(
        _ key: AlarmKey, _ verdict: AlarmVerdict, evidence: AlarmEvidence, delay: Int64 = 0,
        patience: Int64 = .max, now: Moment, effects: inout [Effect]
    ) {
        let place = alarms.firstIndex { $0.sensorOrdinal == key.sensorOrdinal && $0.kind == key.kind }
        switch (verdict, place) {
        case (.unmet, nil), (.unjudgeable, nil): return
        case (.unmet, let place?):
            end(at: place, now, &effects)
        case (.suspected(let confirmations), nil):
            var alarm = open(key, evidence, now)
            alarm.confirmations = confirmations
            alarm.pendingUntil = .end(now.monotonicNanoseconds.addingSaturated(patience))
            insert(alarm, now, &effects)
        case (.suspected(let confirmations), let place?):
            alarms[place].note(evidence)
            guard alarms[place].phase == .pending else { return }
            alarms[place].confirmations = confirmations
            alarms[place].pendingUntil = .end(now.monotonicNanoseconds.addingSaturated(patience))
            findDeadline()
        case (.met, nil):
            var alarm = open(key, evidence, now)
            if delay > 0 {
                alarm.pendingUntil = .activation(now.monotonicNanoseconds.addingSaturated(delay))
            } else {
                alarm.activate(now)
            }
            insert(alarm, now, &effects)
        case (.met, let place?):
            alarms[place].note(evidence)
            switch alarms[place].phase {
            case .pending where delay > 0, .active, .ended: return
            case .pending, .suspended: break
            }
            alarms[place].activate(now)
            changed(at: place, now, &effects)
        case (.unjudgeable(let reason), let place?):
            // A suspicion simply waits on; its patience is limited.
            guard alarms[place].phase != .pending else { return }
            if case .suspended(let since, let known) = alarms[place].phase {
                guard known != reason else { return }
                alarms[place].phase = .suspended(since: since, reason: reason)
            } else {
                alarms[place].phase = .suspended(since: now, reason: reason)
            }
            changed(at: place, now, &effects)
        }
    }

    /// Lets the time act on pending episodes.
    mutating func advance(to now: Moment, effects: inout [Effect]) {
        while let due = deadline, due <= now.monotonicNanoseconds {
            guard let place = alarms.firstIndex(where: { $0.pendingUntil?.nanoseconds == due }) else {
                findDeadline()
                return
            }
            switch alarms[place].pendingUntil {
            case .activation:
                alarms[place].activate(now)
                changed(at: place, now, &effects)
            case .end, nil:
                end(at: place, now, &effects)
            }
        }
    }

    /// Raises the technical alarms about missing measurements to medium: monitoring has stopped altogether.
    mutating func monitoringStopped(_ now: Moment, effects: inout [Effect]) {
        var isRaised = false
        for place in alarms.indices where alarms[place].kind.isAboutAbsence && alarms[place].priority < .medium {
            alarms[place].priority = .medium
            isRaised = true
            if alarms[place].phase != .pending { effects.append(.alarm(alarms[place], now)) }
        }
        if isRaised { sort() }
    }

    /// Acknowledges one episode, or all when `id` is `nil`; pending ones cannot be acknowledged.
    mutating func acknowledge(_ id: Alarm.ID?, _ now: Moment, effects: inout [Effect]) {
        for place in alarms.indices where id == nil || alarms[place].id == id {
            guard alarms[place].phase != .pending, alarms[place].acknowledgedAt == nil else { continue }
            alarms[place].acknowledgedAt = now
            effects.append(.alarm(alarms[place], now))
        }
        sort()
    }

    /// Ends a physiological episode by the user's word; technical alarms stay for as long as their condition holds.
    ///
    /// - Returns: The key of its state machine, or `nil` when there is no such episode.
    mutating func clear(_ id: Alarm.ID, _ now: Moment, effects: inout [Effect]) -> AlarmKey? {
        guard let place = alarms.firstIndex(where: { $0.id == id && $0.alarmClass == .physiological }) else {
            return nil
        }
        let key = AlarmKey(sensorOrdinal: alarms[place].sensorOrdinal, kind: alarms[place].kind)
        end(at: place, now, &effects)
        return key
    }

    /// Whether the condition has an episode that has not ended.
    func contains(_ key: AlarmKey) -> Bool {
        alarms.contains { $0.sensorOrdinal == key.sensorOrdinal && $0.kind == key.kind }
    }

    private mutating func open(_ key: AlarmKey, _ evidence: AlarmEvidence, _ now: Moment) -> Alarm {
        lastID += 1
        return Alarm(id: lastID, key: key, evidence: evidence, since: now)
    }

    private mutating func insert(_ alarm: Alarm, _ now: Moment, _ effects: inout [Effect]) {
        alarms.append(alarm)
        changed(at: alarms.count - 1, now, &effects)
    }

    private mutating func end(at place: Int, _ now: Moment, _ effects: inout [Effect]) {
        var alarm = alarms.remove(at: place)
        alarm.phase = .ended
        alarm.endedAt = now
        alarm.pendingUntil = nil
        effects.append(.alarm(alarm, now))
        findDeadline()
    }

    private mutating func changed(at place: Int, _ now: Moment, _ effects: inout [Effect]) {
        effects.append(.alarm(alarms[place], now))
        sort()
        findDeadline()
    }

    private mutating func sort() {
        alarms.sort { $0.isWorse(than: $1) }
    }

    private mutating func findDeadline() {
        deadline = alarms.lazy.compactMap(\.pendingUntil?.nanoseconds).min()
    }
}
