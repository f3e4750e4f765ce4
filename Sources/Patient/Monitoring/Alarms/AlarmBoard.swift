import Base
import Vitals

/// The state machines of all alarms: idle → pending → active ⇄ clearing → ended; in addition they can be suspended,
/// acknowledged and held for care.
///
/// Rules evaluate; the board delays, opens, suspends, resumes, ends and orders. An ended episode leaves the board with
/// the effect that reports its end; a latching one moves to ``latched``. A machine is found by its key, so a verdict
/// that changes nothing costs the same for any number of alarms.
struct AlarmBoard: Codable, Hashable, Sendable {
    /// The episodes that have not ended, the worst first.
    var alarms: [Alarm] = []
    /// Ended episodes that are still shown, because the user has not acknowledged them; one for each condition.
    var latched: [Alarm] = []
    /// The earliest moment at which time alone changes something.
    var deadline: MonotonicTime?
    /// Until when the alarms of a sensor are held for care, by the sensor's ordinal.
    var carePauses: [Int: Moment] = [:]
    /// The changes since the signals were last determined from the alarms.
    var news = AlarmNews()
    /// The number of the newest episode.
    private(set) var lastID = 0

    private(set) var latches: Bool
    /// The time in nanoseconds.
    private(set) var alertAgainAfter: Int64
    private var places: [AlarmKey: Int] = [:]

    init(latches: Bool = true, alertAgainAfter: Duration = .seconds(900)) {
        self.latches = latches
        self.alertAgainAfter = max(1, alertAgainAfter.nanoseconds)
    }

    /// Applies changed settings from the next change of an alarm on.
    mutating func follow(latches: Bool, alertAgainAfter: Duration) {
        self.latches = latches
        self.alertAgainAfter = max(1, alertAgainAfter.nanoseconds)
    }

    /// Handles a rule's verdict on one condition.
    ///
    /// - Parameters:
    ///   - delay: How long the condition must be met before the alarm is active.
    ///   - hold: How long it must not be met before the alarm ends.
    ///   - timeout: How long a suspicion waits for more readings; `nil` for no limit.
    ///   - minimumDuration: How long the alarm stays without being met again; `nil`: until it is unmet.
    mutating func evaluate(
        _ key: AlarmKey, _ verdict: AlarmVerdict, evidence: AlarmEvidence, delay: Duration = .zero,
        hold: Duration = .zero, timeout: Duration? = nil, minimumDuration: Duration? = nil, now: Moment
    ) -> [Effect] {
        let place = places[key]
        switch (verdict, place) {
        case (.unmet, nil), (.held, nil), (.indeterminate, nil): return []
        case (.unmet, let place?): return unmet(at: place, evidence, hold: hold, now)
        case (.held, let place?): return held(at: place, evidence, now)
        case (.indeterminate(let reason), let place?): return suspend(at: place, reason, now)
        case (.suspected(let confirmations), nil):
            var alarm = open(key, evidence, now)
            alarm.confirmations = confirmations
            alarm.due = timeout.map { .end(now.monotonic.advanced(by: $0)) }
            return insert(alarm, now)
        case (.suspected(let confirmations), let place?):
            alarms[place].record(evidence, now)
            guard alarms[place].phase == .pending else { return [] }
            alarms[place].confirmations = confirmations
            alarms[place].due = timeout.map { .end(now.monotonic.advanced(by: $0)) }
            findDeadline()
            return []
        case (.met, nil):
            var alarm = open(key, evidence, now)
            begin(&alarm, delay: delay, now)
            if let minimumDuration { alarm.due = .end(now.monotonic.advanced(by: minimumDuration)) }
            return insert(alarm, now)
        case (.met, let place?):
            let effects = met(at: place, evidence, delay: delay, now)
            guard let minimumDuration, let place = places[key], alarms[place].phase != .pending else { return effects }
            alarms[place].due = .end(now.monotonic.advanced(by: minimumDuration))
            findDeadline()
            return effects
        }
    }

    /// Renames a sensor in every alarm about it.
    mutating func rename(_ sensorOrdinal: Int, _ sensor: SensorIdentity) {
        for place in alarms.indices where alarms[place].sensorOrdinal == sensorOrdinal {
            alarms[place].sensor = sensor
        }
        for place in latched.indices where latched[place].sensorOrdinal == sensorOrdinal {
            latched[place].sensor = sensor
        }
    }

    /// Whether the condition has an episode that has not ended.
    func contains(_ key: AlarmKey) -> Bool { places[key] != nil }

    /// Whether the condition is only suspected, or waits for its delay.
    func isPending(_ key: AlarmKey) -> Bool { places[key].map { alarms[$0].phase == .pending } ?? false }

    // MARK: What the verdicts do

    private mutating func met(at place: Int, _ evidence: AlarmEvidence, delay: Duration, _ now: Moment) -> [Effect] {
        alarms[place].record(evidence, now)
        let before = alarms[place].priority
        let isWorse = endAcknowledgement(at: place, now)
        let isOther = take(evidence.priority, at: place, now) || isWorse
        switch alarms[place].phase {
        case .active, .ended:
            if isOther { return changed(at: place, now) }
        case .clearing:
            resume(at: place, now)
            // Not reported to the stream: the alarm has been active all the time.
            if isOther { return changed(at: place, now) }
            noted()
        case .suspended:
            resume(at: place, now)
            return changed(at: place, now)
        case .pending:
            var alarm = alarms[place]
            begin(&alarm, delay: delay, now)
            alarms[place] = alarm
            if alarm.phase == .active { return changed(at: place, now) }
            if alarm.priority != before { arrange() } else { noted() }
        }
        return []
    }

    private mutating func unmet(at place: Int, _ evidence: AlarmEvidence, hold: Duration, _ now: Moment) -> [Effect] {
        switch alarms[place].phase {
        case .clearing where hold > .zero:
            alarms[place].record(evidence, now)
        case .active where hold > .zero, .suspended where hold > .zero:
            let wasSuspended = alarms[place].phase != .active
            alarms[place].record(evidence, now)
            alarms[place].phase = .clearing(since: now)
            alarms[place].due = .end(now.monotonic.advanced(by: hold))
            if wasSuspended { return changed(at: place, now) }
            noted()
        default: return end(at: place, now)
        }
        return []
    }

    private mutating func held(at place: Int, _ evidence: AlarmEvidence, _ now: Moment) -> [Effect] {
        switch alarms[place].phase {
        // The delay is about the limit itself, so a value within the hysteresis does not start one.
        case .pending: return end(at: place, now)
        case .active: alarms[place].record(evidence, now)
        case .clearing:
            alarms[place].record(evidence, now)
            resume(at: place, now)
            noted()
        case .suspended:
            alarms[place].record(evidence, now)
            resume(at: place, now)
            return changed(at: place, now)
        case .ended: break
        }
        return []
    }

    private mutating func suspend(at place: Int, _ reason: AbsenceReason?, _ now: Moment) -> [Effect] {
        switch alarms[place].phase {
        case .pending:
            // A suspicion keeps waiting; its timeout is limited. A delay pauses.
            guard case .running(let until) = alarms[place].delay else { return [] }
            alarms[place].delay = .stopped(left: max(0, until.nanoseconds(since: now.monotonic)))
            alarms[place].due = nil
            noted()
            return []
        case .suspended(let since, let known):
            guard known != reason else { return [] }
            alarms[place].phase = .suspended(since: since, reason: reason)
        case .active, .clearing:
            alarms[place].phase = .suspended(since: now, reason: reason)
            alarms[place].due = nil
            postponeAlert(at: place, now)
        case .ended: return []
        }
        return changed(at: place, now)
    }

    /// Starts or resumes the delay of a pending episode; makes it active when the delay is over.
    private mutating func begin(_ alarm: inout Alarm, delay: Duration, _ now: Moment) {
        let time = now.monotonic
        switch alarm.delay {
        case nil: alarm.delay = .running(until: time.advanced(by: max(.zero, delay)))
        // The limit's delay may have become shorter meanwhile.
        case .stopped(let left):
            let rest = time.advanced(byNanoseconds: left)
            alarm.delay = .running(until: min(rest, time.advanced(by: max(.zero, delay))))
        case .running(let until): alarm.delay = .running(until: min(until, time.advanced(by: max(.zero, delay))))
        }
        alarm.confirmations = nil
        plan(&alarm, now)
    }

    /// Determines when a pending episode becomes active: after its delay, and not while its sensor is paused for care.
    mutating func plan(_ alarm: inout Alarm, _ now: Moment) {
        guard case .running(let until) = alarm.delay else { return }
        let care = alarm.kind.isHeldInCare ? alarm.sensorOrdinal.flatMap { carePauses[$0]?.monotonic } : nil
        let activation = max(until, care ?? until)
        if activation <= now.monotonic {
            activate(&alarm, now)
        } else {
            alarm.due = .activation(activation)
        }
    }

    /// Makes a suspended or clearing episode active.
    private mutating func resume(at place: Int, _ now: Moment) {
        alarms[place].activate(now)
        postponeAlert(at: place, now)
    }

    /// Postpones the repeated alert of an alarm that needed no response when it was due.
    mutating func postponeAlert(at place: Int, _ now: Moment) {
        guard let again = alarms[place].alertAgainAt, again <= now.monotonic else { return }
        alarms[place].alertAgainAt = now.monotonic.advanced(byNanoseconds: alertAgainAfter)
    }

    /// Schedules an alarm to alert again.
    func alertLater(_ alarm: inout Alarm, _ now: Moment) {
        alarm.alertAgainAt = now.monotonic.advanced(byNanoseconds: alertAgainAfter)
    }

    mutating func activate(_ alarm: inout Alarm, _ now: Moment) {
        alarm.activate(now)
        if alarm.kind.isFever { alertLater(&alarm, now) }
        news.begin(alarm.id)
    }

    /// Ends an acknowledgement if the value is worse, by a step, than the acknowledged one.
    ///
    /// - Returns: Whether it did.
    private mutating func endAcknowledgement(at place: Int, _ now: Moment) -> Bool {
        guard alarms[place].isWorseThanAcknowledged else { return false }
        alarms[place].acknowledgedAt = nil
        alarms[place].acknowledgedPeak = nil
        alarms[place].isNewlyBeyondRange = false
        if alarms[place].kind.isFever {
            alarms[place].alertAgainAt = now.monotonic.advanced(byNanoseconds: alertAgainAfter)
        }
        news.begin(alarms[place].id)
        return true
    }

    /// Changes the priority; a higher one must be acknowledged again.
    ///
    /// - Returns: Whether the change is reported.
    mutating func take(_ priority: AlarmPriority, at place: Int, _ now: Moment) -> Bool {
        let before = alarms[place].priority
        guard before != priority else { return false }
        alarms[place].priority = priority
        if priority > before {
            if alarms[place].acknowledgedAt != nil, alarms[place].kind.isFever {
                alarms[place].alertAgainAt = now.monotonic.advanced(byNanoseconds: alertAgainAfter)
            }
            alarms[place].acknowledgedAt = nil
            if alarms[place].wantsAttention { news.begin(alarms[place].id) }
        }
        return alarms[place].phase != .pending
    }

    // MARK: The order of things

    /// The number of the next episode.
    mutating func newNumber() -> Alarm.ID {
        lastID += 1
        return lastID
    }

    /// Continues the numbers of another run, if its last one is higher.
    mutating func continueNumbers(from last: Alarm.ID) { lastID = max(lastID, last) }

    private mutating func open(_ key: AlarmKey, _ evidence: AlarmEvidence, _ now: Moment) -> Alarm {
        Alarm(id: newNumber(), key: key, evidence: evidence, since: now)
    }

    private mutating func insert(_ alarm: Alarm, _ now: Moment) -> [Effect] {
        alarms.append(alarm)
        return changed(at: alarms.count - 1, now)
    }

    mutating func end(at place: Int, _ now: Moment, byUser: Bool = false) -> [Effect] {
        var alarm = alarms.remove(at: place)
        let wasActive = alarm.activeSince != nil
        alarm.phase = .ended
        alarm.endedAt = now
        // The remaining information is its worst value.
        if alarm.isOfEntry, let sensor = alarm.peakSensor { alarm.sensor = sensor }
        alarm.due = nil
        alarm.delay = nil
        if latches, wasActive, !byUser, alarm.acknowledgedAt == nil, alarm.priority == .high,
            alarm.alarmClass == .physiological
        {
            latch(&alarm)
        }
        let effects: [Effect] = [.alarm(alarm, now)]
        arrange()
        return effects
    }

    mutating func changed(at place: Int, _ now: Moment) -> [Effect] {
        let effects: [Effect] = [.alarm(alarms[place], now)]
        arrange()
        return effects
    }

    /// Records a change that affects neither the order nor the readers of the stream.
    mutating func noted() {
        news.change()
        findDeadline()
    }

    /// Restores the order after a change that affects it.
    mutating func arrange() {
        alarms.sort { $0.isWorse(than: $1) }
        places.removeAll(keepingCapacity: true)
        for (place, alarm) in alarms.enumerated() { places[alarm.key] = place }
        noted()
    }

    mutating func findDeadline() {
        var earliest = carePauses.values.map(\.monotonic).min() ?? .distantFuture
        for alarm in alarms {
            if let due = alarm.due { earliest = min(earliest, due.time) }
            if let again = alarm.nextAlert { earliest = min(earliest, again) }
        }
        deadline = earliest == .distantFuture ? nil : earliest
    }
}

extension AlarmBoard {
    /// Whether its parts are consistent; another program may have sent it.
    var isCoherent: Bool {
        places.count == alarms.count && alarms.indices.allSatisfy { places[alarms[$0].key] == $0 }
            && Coherence.counts.contains(lastID) && alertAgainAfter > 0
    }
}

/// The changes on the alarm board since the signals were last determined.
struct AlarmNews: Codable, Hashable, Sendable {
    /// Whether anything has.
    private(set) var isChanged = false
    /// The alarms that have become active, or worse: new causes.
    private(set) var fresh: [Alarm.ID] = []
    /// The alarms that need attention again without being new.
    private(set) var awakened: [Alarm.ID] = []

    /// Records a change.
    mutating func change() { isChanged = true }

    /// Records a new cause.
    mutating func begin(_ alarm: Alarm.ID) { fresh.append(alarm) }

    /// Records alarms that need attention again.
    mutating func awaken(_ alarms: [Alarm.ID]) { awakened += alarms }

    /// Returns and clears the changes.
    mutating func take() -> AlarmNews {
        defer { self = AlarmNews() }
        return self
    }
}
