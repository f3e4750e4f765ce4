import Base
import Vitals

extension MonitorState {
    /// Evaluates the sensor itself by the conditions of its vitals.
    mutating func evaluateTechnicalAlarms(row: Int) -> [Effect] {
        var effects: [Effect] = []
        for kind in AbsenceFinding.kinds { effects += evaluateAbsence(kind, row: row) }
        if case .notWanted = table[row].link { effects += endLinkAlarms(row: row) }
        if isMonitoringStopped { effects += board.monitoringStopped(now) }
        return effects
    }

    /// Evaluates the battery level, with a hysteresis; a sensor that the user has disconnected raises no alarm.
    mutating func evaluateBattery(row: Int) -> [Effect] {
        guard let percent = table[row].battery else { return [] }
        let key = AlarmKey(.sensor(table[row].ordinal), kind: .batteryLow)
        let isHeld = percent < settings.technical.batteryRecovered && board.contains(key)
        var isLow = percent <= settings.technical.batteryLow || isHeld
        if case .notWanted = table[row].link { isLow = false }
        let limit = VitalValue(whole: settings.technical.batteryLow)
        return board.evaluate(
            key, isLow ? .met : .unmet,
            evidence: AlarmEvidence(
                sensor: table[row].identity, priority: .low, value: VitalValue(whole: percent), limit: limit),
            now: now)
    }

    /// Evaluates a signal strength; unwanted sensors raise no alarm.
    ///
    /// It is valid as long as a present sensor may be silent during a scan; an old one neither begins nor keeps an
    /// alarm.
    mutating func evaluateSignal(row: Int, strength: Int, heard: Moment) -> [Effect] {
        let technical = settings.technical
        guard let weak = technical.weakSignal else { return signalUnknown(row: row) }
        let key = AlarmKey(.sensor(table[row].ordinal), kind: .weakSignal)
        let isHeld = strength < technical.signalRecovered && board.contains(key)
        let isWeak = table[row].isWanted && (strength <= weak || isHeld)
        let effects = board.evaluate(
            key, isWeak ? .met : .unmet,
            evidence: AlarmEvidence(
                sensor: table[row].identity, priority: .low,
                value: VitalValue(whole: strength.clamped(to: -200...100)),
                limit: VitalValue(whole: weak.clamped(to: -200...100))),
            delay: technical.weakSignalDelay, now: now)
        expectStrength(row: row, until: isWeak ? SensorState.weaknessEnd(heard: heard) : nil)
        return effects
    }

    private mutating func expectStrength(row: Int, until end: MonotonicTime?) {
        guard table.list.span[row].weakUntil != end else { return }
        table[row].weakUntil = end
        table[row].findDeadline(limits: limits)
        table.followDeadline(row: row)
    }

    /// Evaluates a sensor's battery, pulse and signal by changed settings, because none may be reported again for hours.
    mutating func evaluateDevice(row: Int) -> [Effect] {
        let effects = evaluateBattery(row: row) + evaluatePulse(row: row)
        guard let strength = table[row].strength(at: now), !strength.isOld,
            board.contains(key(of: .weakSignal, row: row))
        else { return effects }
        return effects + evaluateSignal(row: row, strength: strength.decibels, heard: strength.heard)
    }

    /// Handles an unknown signal strength, which is not evaluated.
    mutating func signalUnknown(row: Int) -> [Effect] {
        let effects = endAlarm(.weakSignal, row: row)
        expectStrength(row: row, until: nil)
        return effects
    }

    /// Evaluates how often a sensor sends malformed data.
    mutating func evaluateMalformed(row: Int) -> [Effect] {
        let technical = settings.technical
        let wanted = technical.malformedCount.clamped(to: 1...16)
        let window = technical.malformedWindow
        let count = table[row].countMalformed(at: now, within: window, atMost: wanted)
        let key = AlarmKey(.sensor(table[row].ordinal), kind: .malformed)
        guard count >= wanted || board.contains(key) else { return [] }
        return board.evaluate(
            key, .met,
            evidence: AlarmEvidence(
                sensor: table[row].identity, priority: .low,
                detail: table[row].lastMalformed.map { sanitized($0.reason, limit: 60) }),
            minimumDuration: window, now: now)
    }

    /// Handles a sensor that the user does not want: its link raises no alarm.
    private mutating func endLinkAlarms(row: Int) -> [Effect] {
        evaluateBattery(row: row) + signalUnknown(row: row) + endAlarm(.malformed, row: row)
    }

    private mutating func endAlarm(_ kind: AlarmKind, row: Int) -> [Effect] {
        board.evaluate(
            key(of: kind, row: row), .unmet,
            evidence: AlarmEvidence(sensor: table[row].identity, priority: .low), now: now)
    }

    private func key(of kind: AlarmKind, row: Int) -> AlarmKey {
        AlarmKey(.sensor(table[row].ordinal), kind: kind)
    }

    private mutating func evaluateAbsence(_ kind: AlarmKind, row: Int) -> [Effect] {
        let sensor = table[row].identity
        let concerned = table[row].alarmingVitals.first { vital in
            vital.condition.absence.flatMap { AbsenceFinding.kind(of: $0.reason, sensor: sensor.kind) } == kind
        }
        let key = AlarmKey(.sensor(table[row].ordinal), kind: kind)
        var verdict = concerned == nil ? table[row].verdict(onComplaint: kind) : .met
        // Nothing can be heard, so its silence says nothing about it; one that was silent before still is.
        if kind == .silent, environment.silentPart != nil, !board.contains(key) { verdict = .unmet }
        return board.evaluate(
            key, verdict,
            evidence: AlarmEvidence(
                sensor: sensor, priority: isMonitoringStopped ? .medium : .low, vital: concerned?.vital,
                reason: concerned?.condition.absence?.reason,
                detail: concerned == nil && kind == .equipment ? "its values are questionable" : nil),
            delay: AbsenceFinding.delay(of: kind, settings.technical), now: now)
    }

    /// Whether no vital of the patient has a usable value.
    var isMonitoringStopped: Bool {
        !vitals.contains { $0.standing.hasValue && $0.vital.raisesAlarms }
    }
}

extension Vital {
    /// Whether its absence is worth an alarm: not that of one that only says how far another vital can be trusted.
    fileprivate var raisesAlarms: Bool {
        if case .companion = traits.role { false } else { true }
    }
}

extension SensorState {
    /// Its vitals whose absence is worth an alarm.
    fileprivate var alarmingVitals: [SensorVital] { vitals.filter { $0.vital.raisesAlarms } }

    /// Whether it asks for an alarm in addition to its values; unknown without a value.
    fileprivate func verdict(onComplaint kind: AlarmKind) -> AlarmVerdict {
        if case .notWanted = link { return .unmet }
        let vitals = alarmingVitals
        if vitals.contains(where: { $0.standing.complaint == kind }) { return .met }
        guard !vitals.contains(where: \.standing.hasValue),
            let last = vitals.first(where: { $0.lastSample?.quality.complaint == kind })
        else { return .unmet }
        return .indeterminate(last.standing.reason)
    }
}

/// The technical alarm of an absent measurement.
enum AbsenceFinding {
    /// The alarms about a missing measurement.
    static let kinds: [AlarmKind] = [.sensorOff, .equipment, .noMeasurement, .calibrationWanted, .silent, .linkLost]

    /// The alarm of a reason.
    ///
    /// CORE reports "off the body" only as a temperature that is not a number.
    static func kind(of reason: AbsenceReason, sensor: SensorKind) -> AlarmKind {
        switch reason {
        case .offBody, .noContact: .sensorOff
        case .notANumber: sensor == .core ? .sensorOff : .noMeasurement
        case .equipment: .equipment
        case .calibrationWanted, .uncalibrated: .calibrationWanted
        case .searching, .lowPerfusion, .calibrating, .newSensor, .handingOver, .demo, .test, .outOfRange, .unusable,
            .aboveRange, .belowRange, .above400, .below40:
            .noMeasurement
        case .silent: .silent
        case .linkLost: .linkLost
        }
    }

    /// How long the measurement must be missing before that is an alarm.
    static func delay(of kind: AlarmKind, _ technical: MonitorSettings.Technical) -> Duration {
        switch kind {
        case .sensorOff: technical.sensorOffDelay
        case .equipment: technical.equipmentDelay
        case .noMeasurement, .calibrationWanted: technical.noMeasurementDelay
        case .linkLost: technical.linkLostDelay
        default: .zero
        }
    }
}
