import Monitoring
import Vitals

extension Glance {
    /// Looks at the state of a monitor.
    ///
    /// - Parameters:
    ///   - state: The patient, the sensors, the way to them.
    ///   - patient: Whose state it is.
    ///   - provenance: Whether the data are simulated.
    ///   - now: When; ages are counted until then.
    public init(_ state: MonitorState, patient: PatientName?, provenance: Provenance, now: Moment) {
        self.init(wallMilliseconds: now.wallMilliseconds)
        self.provenance = provenance
        self.patient = patient?.text
        vitals = VitalPanel.Slot.allCases.map { slot in
            let shown = VitalPanel.choose(slot, state, at: now)
            return GlanceVital(shown, judgedAt: VitalPanel.limits(of: shown.vital, state), now: now)
        }
        let shown = state.shownAlarms
        alarmCount = shown.count
        alarms = shown.prefix(Self.alarmLimit).map { GlanceAlarm($0, trouble: EnvironmentTrouble(state.environment)) }
        trouble = EnvironmentTrouble(state.environment)?.words
        if state.signal.isOff { notices.append("SOUND OFF") }
        if state.signal.pausedUntil != nil { notices.append("SOUND PAUSED") }
    }
}

extension GlanceVital {
    fileprivate init(_ shown: VitalState, judgedAt limits: [VitalValue], now: Moment) {
        self.init(shown.vital)
        judgedAt = limits
        if let sample = shown.condition.lastSample {
            value = sample.value
            age = max(0, now.since(sample.moment).components.seconds)
            isQuestionable = sample.quality == .questionable
            site = sample.site?.rawValue
            sensor = sample.sensor.name
        }
        switch shown.condition {
        case .neverSeen: state = .neverSeen
        case .measured: state = .measured
        case .stale: state = .stale
        case .lost: state = .lost
        case .notConnected: state = .notConnected
        case .noMeasurement(let absence):
            state = .noMeasurement
            reason = absence.reason.rawValue
            reasonWords = absence.reason.shortWords
            sensor = absence.sensor.name
        }
    }
}

extension GlanceAlarm {
    fileprivate init(_ alarm: Alarm, trouble: EnvironmentTrouble?) {
        let isAboutBluetooth = alarm.kind.isAboutBluetooth
        self.init(
            id: alarm.id, kind: alarm.kind.rawValue, alarmClass: alarm.alarmClass, priority: alarm.priority,
            state: alarm.state,
            title: isAboutBluetooth
                ? trouble?.title ?? alarm.title.uppercased() : AlarmWords.title(of: alarm, glyphs: .braille),
            text: alarm.text,
            sensor: alarm.alarmClass == .technical
                ? alarm.sensor?.shortName() : nil,
            isAcknowledged: alarm.acknowledgedAt != nil)
    }
}
