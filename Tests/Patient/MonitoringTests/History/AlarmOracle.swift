import Vitals

@testable import Monitoring

/// The expected sounds, log entries and ends, from the engine's reports, without its schedule.
///
/// It keeps its own account of answers from the records of the log, and of bursts from the effects.
struct AlarmOracle {
    /// The faults that were found.
    private(set) var faults: [String] = []
    /// How many bursts and reminders came, to know that something was tested.
    private(set) var bursts = 0
    private(set) var reminders = 0

    private var pausedUntil: Moment?
    private var snoozes: [SnoozeKey: Moment] = [:]
    private var cares: [String: Moment] = [:]
    private var acknowledged: Set<Alarm.ID> = []
    /// The episodes that have not ended, by what the stream says.
    private var open: Set<Alarm.ID> = []
    private var newestPatient: Moment?
    /// The alarms that the newest state has as acknowledged.
    private var acknowledgedNow: Set<Alarm.ID> = []
    /// How often another entry of the schedule came into force.
    private(set) var scheduleChanges = 0

    private var lastBurst: Moment?
    private var lastReminder: Moment?
    /// Since when something has called without a break, and could be heard.
    private var audibleSince: Moment?
    /// Since when something has called without a break while the sound was paused or off.
    private var silencedSince: Moment?
    private var loudest: AlarmPriority?
    private var wasSilenced = false
    /// Since when only low priority has called.
    private var lowSince: Moment?
    private var heard: Set<Alarm.ID> = []
    private var joined: [Alarm.ID: Moment] = [:]

    /// No two bursts of a priority are closer together.
    private static let shortestGap = Duration.milliseconds(2500)

    /// Looks at what an input has made of a state.
    mutating func examine(_ state: borrowing MonitorState, after input: MonitorInput?, _ effects: [Effect]) {
        let (played, reminded) = follow(effects, state)
        compareAnswers(state)
        demandCauses(state)
        demandSchedule(state, after: input, effects)
        demandSound(state, input, played, reminded)
        if let deadline = state.nextDeadline, deadline <= state.now { fault("a deadline is not in the future", state) }
    }

    private mutating func fault(_ words: String, _ state: borrowing MonitorState) {
        faults.append("\(words) at \(Ward.seconds(state.now)) s")
    }

    // MARK: What the effects say

    private mutating func follow(
        _ effects: [Effect], _ state: borrowing MonitorState
    ) -> (burst: AlarmPriority?, isReminded: Bool) {
        var burst: AlarmPriority?
        var isReminded = false
        for effect in effects {
            switch effect {
            case .alarm(let alarm, _):
                if alarm.phase == .ended { open.remove(alarm.id) } else { open.insert(alarm.id) }
            case .soundBurst(let priority, _): burst = max(burst ?? priority, priority)
            case .soundReminder: isReminded = true
            case .action(let record): follow(record)
            default: break
            }
        }
        if Set(state.alarms.map(\.id)) != open { fault("an alarm came or went without a word", state) }
        return (burst, isReminded)
    }

    private mutating func follow(_ record: ActionRecord) {
        switch record.kind {
        case .acknowledged(let ids): acknowledged.formUnion(ids)
        case .audioPaused(let until): pausedUntil = until
        case .audioPauseEnded: pausedUntil = nil
        case .snoozed(let key, let until): snoozes[key] = until
        case .snoozeEnded(let key): snoozes[key] = nil
        case .carePaused(let sensor, let until): cares[sensor.address] = until
        case .carePauseEnded(let sensor): cares[sensor.address] = nil
        case .newPatient: newestPatient = record.moment
        default: break
        }
    }

    // MARK: Answers and causes

    /// Every current answer was given, none is over, and none has ended without an entry in the log.
    private mutating func compareAnswers(_ state: borrowing MonitorState) {
        let signal = state.signal
        if signal.pausedUntil != pausedUntil { fault("the pause of the sound is not as the log says", state) }
        let known = Dictionary(uniqueKeysWithValues: signal.snoozes.map { ($0.key, $0.until) })
        if known != snoozes { fault("the snoozes are not as the log says", state) }
        for (address, until) in cares where state.carePause(address: address) != until {
            fault("a pause for care is not as the log says", state)
        }
        let ends = [pausedUntil].compactMap { $0 } + snoozes.values + cares.values
        if ends.contains(where: { $0 <= state.now }) { fault("an answer goes on after its time", state) }
        for alarm in state.alarms {
            if alarm.acknowledgedAt != nil, !acknowledged.contains(alarm.id) {
                fault("\(alarm.summary) counts as acknowledged without an acknowledgement", state)
            }
            guard alarm.heldUntil != nil else { continue }
            if alarm.sensor.flatMap({ cares[$0.address] }) == nil {
                fault("\(alarm.summary) is held for no care", state)
            }
        }
    }

    /// No alarm stays when what it goes by is gone.
    private mutating func demandCauses(_ state: borrowing MonitorState) {
        for alarm in state.alarms {
            if let cause = missingCause(of: alarm, state) { fault("\(alarm.summary) stays: \(cause)", state) }
        }
    }

    private func missingCause(of alarm: Alarm, _ state: borrowing MonitorState) -> String? {
        if alarm.key.source == .computer {
            switch alarm.kind {
            case .busLost: return state.environment.bus == .connected ? "the bus is there" : nil
            case .daemonGone: return state.environment.daemon == .gone ? nil : "the service runs"
            case .adapterOff: return state.environment.adapter?.power == .off ? nil : "the adapter is ready"
            case .storage: return state.environment.storage == .working ? "the store works" : nil
            default: return nil
            }
        }
        guard let sensor = state.sensors.first(where: { $0.ordinal == alarm.sensorOrdinal }) else {
            return "its sensor has no row"
        }
        let reasons = sensor.vitals.compactMap(\.condition.absence?.reason)
        switch alarm.kind {
        case .feverSingle, .feverSustained, .severeLow, .low, .high, .severeHigh, .fall, .rise, .flatLine:
            if let newestPatient, alarm.since < newestPatient { return "it is about the patient before" }
            guard case .suspended = alarm.phase, sensor.isForgotten, !sensor.isWanted else { return nil }
            return alarm.acknowledgedAt == nil ? nil : "its sensor is forgotten"
        case .sensorOff, .equipment, .noMeasurement, .silent, .linkLost:
            guard let reason = alarm.reason else { return "it has no reason" }
            return reasons.contains(reason) ? nil : "no vital is missing for \(reason)"
        case .batteryLow: return (sensor.battery ?? 100) < 20 ? nil : "the battery is not low"
        case .weakPulse: return state.settings.technical.weakPulseDelay == nil ? "it is switched off" : nil
        case .weakSignal: return state.settings.technical.weakSignal == nil ? "it is switched off" : nil
        default: return nil
        }
    }

    // MARK: The schedule

    /// The limits are those of the time of day, and a change of entry judges every value by them at once, and takes no
    /// answer back.
    private mutating func demandSchedule(
        _ state: borrowing MonitorState, after input: MonitorInput?, _ effects: [Effect]
    ) {
        let before = acknowledgedNow
        acknowledgedNow = Set(state.alarms.filter { $0.acknowledgedAt != nil }.map(\.id))
        let local = state.now.wallMilliseconds + Int64(state.timeZoneOffset) * 1000
        let limits = state.settings.limits(atLocal: local)
        for vital in MonitorSettings.Limits.vitals {
            for name in LimitSetting.Name.allCases
            where !state.isChanged(name, of: vital) && state.currentLimits[vital]?[name] != limits[vital]?[name] {
                fault("the \(name.text) limit of \(vital) is not that of the time of day", state)
            }
        }
        let isChange = effects.contains {
            if case .action(let record) = $0, case .scheduleChanged = record.kind { true } else { false }
        }
        guard isChange, input == nil else { return }
        scheduleChanges += 1
        let present = Set(state.alarms.map(\.id))
        if !before.intersection(present).isSubset(of: acknowledgedNow) {
            fault("a change of the entry took an acknowledgement back", state)
        }
        for sensor in state.sensors {
            for part in sensor.vitals {
                guard case .measured(let sample) = part.condition, sample.site != .skin,
                    let limits = state.currentLimits[part.vital]
                else { continue }
                for kind in LimitKind.allCases {
                    guard let limit = limits[kind].value, kind.isLow ? sample.value < limit : sample.value > limit
                    else { continue }
                    let alarm = state.alarms.first {
                        $0.sensorOrdinal == sensor.ordinal && $0.vital == part.vital && $0.kind == kind.alarmKind
                    }
                    let mayWait = limits[kind].delay > .zero || state.carePause(address: sensor.identity.address) != nil
                    if alarm?.limit != limit || !mayWait && alarm?.phase == .pending {
                        fault(
                            "\(kind.text) of \(part.vital) is crossed when the entry changes, without an alarm", state)
                    }
                }
            }
        }
    }

    // MARK: Sound

    private mutating func demandSound(
        _ state: borrowing MonitorState, _ input: MonitorInput?, _ burst: AlarmPriority?, _ isReminded: Bool
    ) {
        let now = state.now
        let settings = state.settings.alarmSignals
        let unanswered = state.alarms.filter { alarm in
            guard alarm.acknowledgedAt == nil, alarm.heldUntil == nil else { return false }
            if case .suspended = alarm.phase { return true }
            return alarm.phase == .active
        }
        let calling = unanswered.filter { snoozes[$0.snoozeKey] == nil }
        heard.subtract(Set(state.alarms.map(\.id)).subtracting(calling.map(\.id)).intersection(answeredNow(state)))
        let loud = calling.map(\.priority).max()
        let isSilenced = pausedUntil != nil || settings.isSoundOff
        if let burst {
            bursts += 1
            if burst != loud || isSilenced { fault("a burst has no cause", state) }
            lastBurst = now
            heard.formUnion(calling.filter { $0.priority == burst }.map(\.id))
        }
        demandBurst(state, loud, isSilenced, calling, burst)
        demandReminder(state, loud, isSilenced, input, isReminded)
        loudest = loud
        wasSilenced = isSilenced
    }

    private func answeredNow(_ state: borrowing MonitorState) -> Set<Alarm.ID> {
        Set(state.alarms.filter { snoozes[$0.snoozeKey] != nil || $0.heldUntil != nil }.map(\.id))
    }

    /// What calls and is not answered is heard within the gap of its priority, and at once when it is worse than before
    /// or when the sound comes back.
    private mutating func demandBurst(
        _ state: borrowing MonitorState, _ loud: AlarmPriority?, _ isSilenced: Bool, _ calling: [Alarm],
        _ burst: AlarmPriority?
    ) {
        let now = state.now
        guard let loud, !isSilenced else {
            audibleSince = nil
            lowSince = nil
            joined = [:]
            return
        }
        if burst == nil {
            if wasSilenced { fault("what calls is silent when the sound comes back", state) }
            if let loudest, !wasSilenced, loud > loudest { fault("a worse alarm is silent", state) }
        }
        let since = audibleSince ?? now
        audibleSince = since
        let gap = calling.filter { $0.priority == loud }.compactMap { state.soundPattern.gap(of: $0) }.min()
        if let gap {
            let newest = max(since, lastBurst ?? since)
            if now.since(newest) > gap || now.since(newest) == gap && burst == nil {
                fault("\(loud.rawValue) priority is silent for longer than its gap", state)
            }
        }
        lowSince = loud == .low ? lowSince ?? now : nil
        let present = Set(calling.map(\.id))
        joined = joined.filter { present.contains($0.key) }
        for alarm in calling where !heard.contains(alarm.id) {
            let start = joined[alarm.id] ?? now
            joined[alarm.id] = start
            // With a gap, low priority is heard again and again like the others.
            guard let lowSince, gap.map({ $0 > .seconds(30) }) ?? true else { continue }
            if now.since(max(start, lowSince)) >= Self.shortestGap {
                fault("\(alarm.summary) was never heard", state)
                heard.insert(alarm.id)
            }
        }
    }

    private mutating func demandReminder(
        _ state: borrowing MonitorState, _ loud: AlarmPriority?, _ isSilenced: Bool, _ input: MonitorInput?,
        _ isReminded: Bool
    ) {
        let now = state.now
        if isReminded {
            reminders += 1
            if loud == nil || !isSilenced { fault("a reminder has no cause", state) }
            lastReminder = now
        }
        if case .settings = input { silencedSince = nil }
        guard loud != nil, isSilenced else { return silencedSince = nil }
        let since = silencedSince ?? now
        silencedSince = since
        guard let reminder = state.settings.alarmSignals.reminder else { return }
        let newest = max(since, lastReminder ?? since)
        if now.since(newest) > reminder || now.since(newest) == reminder && !isReminded && newest != now {
            fault("no reminder comes", state)
        }
    }
}
