import Base
import Vitals

/// The state of the patient, the sensors and their connections, as a value.
///
/// ``apply(_:)-(MonitorEvent)`` applies events to it and returns effects. It reads no clock: the events carry the time,
/// and ``nextDeadline`` is when the next one is needed even if nothing happens.
///
/// The work for an event does not depend on the length of the history nor, usually, on the number of sensors. Keep one
/// state and change it in place: a copy held while events are applied forces the trends to be copied.
public struct MonitorState: Codable, Hashable, Sendable {
    /// The settings in use.
    public internal(set) var settings: MonitorSettings
    /// The moment of the newest event; never goes back.
    public internal(set) var now: Moment
    /// Bus, daemon and adapter.
    public internal(set) var environment = MonitorEnvironment()
    /// Every vital, in the order of `Vital.allCases`.
    public internal(set) var vitals: [VitalState]

    var limits: FreshnessLimits
    var table = SensorTable()
    var board: AlarmBoard
    var sound = SoundSchedule()
    var silence = PlannedSilence()
    var limitBook: LimitBook
    /// The entry of the schedule in force; `nil` without a schedule, and before the first event.
    var scheduleSpan: ScheduleSpan?
    var timeZoneOffset: Int
    var weight: FeverWeight
    var labReminder = LabReminder()
    /// When the newest blood count of the record was sampled, in milliseconds since 1970-01-01T00:00:00Z.
    var newestLab: Int64?
    /// When another patient's record ended and this one began, in milliseconds since 1970-01-01T00:00:00Z; `nil` for
    /// the first patient.
    public internal(set) var patientSince: Int64?
    /// The manual entries.
    public internal(set) var patientRecord = PatientRecord()
    /// What is known of the persons whom devices for several persons measure.
    public internal(set) var deviceUsers = DeviceUsers()
    /// Values that sensors measured before this patient's record and have transferred; kept here to recognise them when
    /// they are sent again.
    var entriesOfOthers: [RecordEntry] = []
    /// What earlier runs have left about the remembered sensors, by address.
    var contacts: [String: SensorContact] = [:]
    /// The newest pressure in a measuring cuff.
    public internal(set) var cuff: CuffPressure?
    /// The inspected sensor with its services; the last one while none is inspected.
    public internal(set) var inspection: SensorInspection?
    /// Since when heart rate and pulse rate have been too far apart; `nil` while they are not.
    var ratesDifferSince: Moment?

    /// The newest estimate of breathing, however old; `nil` without one.
    var respiration: RespirationReport?

    /// Creates a state without events.
    ///
    /// - Parameters:
    ///   - settings: The settings.
    ///   - start: The moment at which time starts.
    public init(settings: MonitorSettings = MonitorSettings(), start: Moment) {
        self.settings = settings
        limits = FreshnessLimits(settings.freshness)
        board = AlarmBoard(
            latches: settings.answers.latchesHighPriority, alertAgainAfter: settings.fever.alertAgainAfter)
        limitBook = LimitBook(settings.limits)
        timeZoneOffset = settings.timeZoneOffset
        now = start
        weight = FeverWeight(settings.fever.neutrophils, at: start)
        vitals = Vital.allCases.map { VitalState(vital: $0, interval: settings.freshness.assumedInterval(of: $0)) }
    }

    /// The sensors in the order in which they were first seen.
    public var sensors: [SensorState] { table.list }

    /// Whether a sensor was ever connected, or is remembered from an earlier run.
    public var knowsSensors: Bool {
        sensors.contains { $0.memory != nil || $0.isForgotten || $0.isWanted || $0.wasConnected || !$0.vitals.isEmpty }
    }

    /// The newest neutrophil count, however old.
    public var neutrophils: NeutrophilCount? { weight.count }

    /// The risk of a fever with the newest neutrophil count.
    public var feverRisk: FeverRisk { weight.risk }

    /// The alarms that have not ended, the worst first; pending ones come last.
    public var alarms: [Alarm] { board.alarms }

    /// Ended alarms that are still shown, because they were of high priority and were not acknowledged.
    public var latchedAlarms: [Alarm] { board.latched }

    /// The alarms to show, the worst first: including latched ones, without pending ones, and without those that a
    /// worse one covers (the severe limit covers the ordinary one).
    public var shownAlarms: [Alarm] {
        let standing = board.alarms.filter { $0.phase != .pending }
        let uncovered = standing.filter { alarm in
            !standing.contains { other in
                other.covers(alarm) && other.phase == alarm.phase && other.priority >= alarm.priority
                    && (other.acknowledgedAt == nil || alarm.acknowledgedAt != nil)
            }
        }
        return board.latched.isEmpty ? uncovered : (uncovered + board.latched).sorted { $0.isWorse(than: $1) }
    }

    /// The alarm to show if only one can be shown.
    public var worstAlarm: Alarm? { shownAlarms.first }

    /// When a `.tick` must be applied at the latest, even if nothing else happens; `nil` if time alone changes nothing.
    ///
    /// It is exact after each event, so a program that waits for it never wakes in vain.
    public var nextDeadline: Moment? {
        var earliest = MonotonicTime.distantFuture
        // One after the other, because a list of them would be allocated for each event.
        if let due = table.earliestDeadline?.time, due < earliest { earliest = due }
        if let due = board.deadline, due < earliest { earliest = due }
        if let due = sound.deadline, due < earliest { earliest = due }
        if let due = silence.deadline, due < earliest { earliest = due }
        if let due = scheduleDeadline, due < earliest { earliest = due }
        if let due = weight.deadline(after: now), due < earliest { earliest = due }
        if let due = labReminder.deadline(after: now), due < earliest { earliest = due }
        guard earliest != .distantFuture else { return nil }
        let ahead = earliest.nanoseconds(since: now.monotonic)
        // Rounded up, so that a wall clock in milliseconds is not a moment early.
        let wall = now.wallMilliseconds.addingSaturated(ahead / 1_000_000 + (ahead % 1_000_000 > 0 ? 1 : 0))
        return Moment(monotonicNanoseconds: earliest.nanoseconds, wallMilliseconds: wall)
    }

    /// The state of one vital.
    public subscript(vital: Vital) -> VitalState {
        vitals[vital.index]
    }

    public func sensor(address: String) -> SensorState? {
        table.row(of: address).map { table[$0] }
    }

    /// Applies an event.
    ///
    /// - Returns: The effects, including those of the time that passed until then.
    public mutating func apply(_ event: MonitorEvent) -> [Effect] {
        if case .restarted = event.kind {
            self = restarted(at: event.moment)
            return []
        }
        // Before time is applied: the program was not listening, so the sensors were not silent.
        if case .gap(let gap) = event.kind, gap.reason.hidesSensors { listenAnew(at: event.moment) }
        return advance(to: event.moment) + handle(event.kind) + settle()
    }

    private mutating func handle(_ event: MonitorEvent.Kind) -> [Effect] {
        switch event {
        case .tick, .restarted: return []
        case .bus(let bus): return busChanged(bus)
        case .daemon(let daemon): return daemonChanged(daemon)
        case .adapter(let adapter): return adapterChanged(adapter)
        case .adapters(let adapters): environment.adapters = adapters
        case .nearby(let sensor, let signalStrength, let services):
            return heard(sensor, signalStrength: signalStrength, services: services)
        case .beacon(let sensor, let temperature): takeBeacon(sensor, temperature)
        case .gone(let sensor): return gone(sensor)
        case .connection(let sensor, let connection): return connectionChanged(sensor, connection) + evaluateWish()
        case .reading(let reading): return receive(reading)
        case .entry(let entry): return receive(entry)
        case .cuffPressure(let sensor, let pressure):
            cuff = CuffPressure(sensor: sensor, pressure: pressure, moment: now)
        case .rrIntervals(let intervals): receive(intervals)
        case .battery(let sensor, let percent): return batteryReported(sensor, percent: percent)
        case .announcedInterval(let sensor, let announced): return intervalAnnounced(sensor, announced)
        case .transmitter(let sensor, let status): return transmitterReported(sensor, status)
        case .nights(let sensor, let nights): return nightsReported(sensor, nights)
        case .malformed(let sensor, let octets): return malformed(sensor, octets)
        case .gap(let gap): return missed(gap) + followSilence(after: gap)
        case .pairing(let sensor, let pairing): return pairingChanged(sensor, pairing)
        case .remembered(let sensor): return remembered(sensor) + evaluateWish()
        case .forgotten(let sensor): return forgotten(sensor) + evaluateWish()
        case .sensorsLeftOut(let areLeftOut): return reportLeftOut(areLeftOut)
        case .services(let sensor, let services):
            if let inspection, inspection.address == sensor.address, inspection.services == services { break }
            let advertised = inspection?.address == sensor.address ? inspection?.advertised : nil
            inspection = SensorInspection(of: sensor.address, services)
            inspection?.advertised = advertised ?? AdvertisedData()
        case .octets(let sensor, let octets): inspection?.record(octets, of: sensor.address)
        case .advertised(let sensor, let data): advertised(data, by: sensor)
        // For readers of the trace; nothing here follows from it.
        case .traced: break
        }
        return []
    }

    /// The page of a sensor may be opened before its services are known.
    private mutating func advertised(_ data: AdvertisedData, by sensor: SensorIdentity) {
        if inspection?.address != sensor.address { inspection = SensorInspection(of: sensor.address, []) }
        inspection?.advertised = data
    }

    /// Applies a user's wish.
    ///
    /// - Returns: The effects, including those of the time that passed until then.
    public mutating func apply(_ wish: PatientWish, at moment: Moment) -> [Effect] {
        advance(to: moment) + carryOut(wish) + settle()
    }

    private mutating func carryOut(_ wish: PatientWish) -> [Effect] {
        switch wish {
        case .acknowledgeAll: acknowledge(nil)
        case .acknowledge(let id): acknowledge(id)
        case .clear(let id): clearAlarm(id)
        case .pauseAudio(let duration): pauseAudio(duration)
        case .endAudioPause: endAudioPause()
        case .planSilence(let length): planSilence(length)
        case .endSilence: endSilence(.user)
        case .snooze(let id, let duration): snooze(id, duration)
        case .endSnooze(let key): endSnooze(key)
        case .pauseForCare(let address, let duration): pauseForCare(address, duration)
        case .endCarePause(let address): endCarePause(address)
        case .change(let vital, let setting): change(setting, of: vital)
        case .resetLimits: resetLimits()
        case .setNeutrophils(let count): setNeutrophils(count)
        case .enter(let entry): enter(entry)
        case .calibrate(let address, let id): calibrate(address, with: id)
        case .retract(let id, let reason): retract(id, reason: reason)
        case .confirm(let ids): confirm(ids)
        case .chooseUser(let address, let number): chooseUser(address, number)
        case .newPatient: newPatient()
        }
    }

    /// A state without events, with the same settings.
    private func restarted(at moment: Moment) -> MonitorState {
        var state = MonitorState(settings: settings, start: moment)
        state.timeZoneOffset = timeZoneOffset
        return state
    }

    /// Determines the sounds after all changes of one input.
    mutating func settle() -> [Effect] {
        let effects = followSilence()
        sound.setSilent(silence.silentUntil != nil)
        return effects + sound.settle(&board, settings: settings.alarmSignals, pattern: soundPattern, now: now)
    }
}

extension MonitorState {
    /// The blood pressure to show; `nil` without one in the last day.
    public func shownPressure(at now: Moment) -> RecordEntry? {
        patientRecord.newest(.bloodPressure).flatMap { now.since($0.taken) < PatientRecord.shownFor ? $0 : nil }
    }
}

extension MonitorState {
    /// Ends an episode at the user's request, and resets its rule.
    mutating func clearAlarm(_ id: Alarm.ID) -> [Effect] {
        guard let (key, ended) = board.clear(id, now) else { return [] }
        switch key.source {
        case .computer: break
        case .manual: patientRecord.declareFeverOver(at: now)
        case .sensor(let ordinal):
            guard let row = table.row(ordinal: ordinal) else { break }
            for place in table[row].vitals.indices { table[row].vitals[place].fever.clear(key.kind) }
        }
        return ended + report(.cleared(id, SnoozeKey(kind: key.kind, vital: key.vital)))
    }

    /// Whether an alarm is based on a current value, so that it may be shown as *now*.
    public func isCurrent(_ alarm: Alarm) -> Bool {
        guard alarm.isLive, let vital = alarm.vital, let row = alarm.sensorOrdinal.flatMap({ table.row(ordinal: $0) })
        else {
            return alarm.isLive
        }
        return table[row].condition(of: vital)?.isMeasured == true
    }

    /// An alarm in one line, as ``Alarm/text``, but as of now.
    public func text(of alarm: Alarm) -> String { alarm.phrase(isCurrent: isCurrent(alarm)).text }
}

/// The newest neutrophil count, and the present meaning of a fever with it.
struct FeverWeight: Codable, Hashable, Sendable {
    /// The count, however old; `nil` if none was entered.
    let count: NeutrophilCount?
    /// The risk of a fever with this neutrophil count.
    let risk: FeverRisk

    /// Weights by a count at its age.
    init(_ count: NeutrophilCount?, at now: Moment) {
        self.count = count
        risk = FeverRisk(count, at: now)
    }

    /// When the count expires.
    func deadline(after now: Moment) -> MonotonicTime? {
        guard let count, count.isValid(at: now) else { return nil }
        let left = count.validUntil.subtractingSaturated(now.wallMilliseconds).addingSaturated(1)
        return now.monotonic.advanced(byNanoseconds: max(0, left).multipliedSaturated(by: 1_000_000))
    }
}

extension MonitorState {
    /// Sets or forgets the neutrophil count; ongoing fevers are weighted by it at once.
    mutating func setNeutrophils(_ count: NeutrophilCount?) -> [Effect] {
        neutrophils == count ? [] : report(.neutrophilsEntered(count)) + weighFevers(by: count) + followLabReminder()
    }

    /// Weights fevers by a neutrophil count at its present age.
    mutating func weighFevers(by count: NeutrophilCount?) -> [Effect] {
        let before = feverRisk
        weight = FeverWeight(count, at: now)
        return feverRisk == before ? [] : board.weighFevers(feverRisk, now)
    }
}

extension MonitorState {
    /// Whether the viewed monitor is lost, so that nothing here is current.
    public var hasNoMonitor: Bool { board.contains(AlarmKey(.computer, kind: .monitorLost)) }

    /// Handles the loss of the viewed monitor that sent this state.
    ///
    /// Nothing is current from now on: values are lost, their alarms cannot be evaluated, and an alarm of high priority
    /// reports that the monitor is lost. The state can only be shown; a new one arrives with the monitor.
    ///
    /// - Parameters:
    ///   - detail: What has happened to which monitor: "bedside record has ended; values are old".
    ///   - moment: When the loss was detected.
    /// - Returns: The effects.
    public mutating func loseMonitor(_ detail: String, at moment: Moment) -> [Effect] {
        var effects: [Effect] = []
        if moment >= now { now = moment }
        environment = MonitorEnvironment()
        for row in sensors.indices {
            table[row].connection = nil
            table[row].isNearby = false
            let changes = table[row].lose()
            table.followDeadline(row: row)
            for change in changes { effects += conditionChanged(row: row, change) }
        }
        return effects + endSilence(.noMonitor) + evaluateComputer(.monitorLost, (detail, .high), delay: .zero)
            + settle()
    }
}

extension SensorState {
    /// Marks all its values as lost.
    fileprivate mutating func lose() -> [Change] {
        link = .unknown
        deadline = nil
        return vitals.indices.compactMap { place in
            let before = vitals[place].standing
            vitals[place].lose()
            return Change(place: place, vital: vitals[place].vital, before: before, after: vitals[place].standing)
        }
    }
}

extension MonitorState {
    /// Applies changed settings at run time: limits, delays, rules, freshness, signals and answers.
    ///
    /// The user's temporary changes of limits stay, unless they contradict the new ones. The neutrophil count and the
    /// time zone belong to the state and stay.
    ///
    /// - Parameters:
    ///   - new: The settings.
    ///   - change: The changed setting and its value, for the log; `nil` if it is already logged.
    ///   - moment: When.
    /// - Returns: The effects, including those of the time that passed until then.
    public mutating func apply(
        settings new: MonitorSettings, change: (name: String, value: String)?, at moment: Moment
    ) -> [Effect] {
        var effects = advance(to: moment)
        let old = settings
        // Read first, because its index refers to the old schedule.
        let (formerEntry, formerPattern) = (scheduleEntry?.name, soundPattern)
        guard new != old else { return effects + settle() }
        settings = new
        if let change { effects += report(.settingChanged(change.name, change.value)) }
        board.follow(latches: new.answers.latchesHighPriority, alertAgainAfter: new.fever.alertAgainAfter)
        if new.freshness != old.freshness {
            limits = FreshnessLimits(new.freshness)
            for row in sensors.indices { effects += refresh(row: row) }
        }
        if new.limits != old.limits || new.schedule != old.schedule {
            effects += followScheduleSettings(insteadOf: formerEntry, formerPattern)
        }
        if new.technical != old.technical {
            for row in sensors.indices { effects += evaluateDevice(row: row) }
        }
        if new.fever != old.fever { effects += evaluateManualFever() }
        if new.alarmSignals != old.alarmSignals { sound.resume() }
        if new.users != old.users { effects += settleWaiting() }
        return effects + settle()
    }
}
