import Monitoring
import Vitals
import Wording

extension StatusSummary {
    /// Summarizes the state of a monitor.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - patient: The patient.
    ///   - provenance: Whether the data are simulated.
    ///   - now: The present, for ages.
    public init(_ state: MonitorState, patient: PatientName?, provenance: Provenance, now: Moment) {
        self.init(wallMilliseconds: now.wallMilliseconds)
        self.provenance = provenance
        self.patient = patient?.text
        let large = state.shownVitals(at: now).map(\.vital)
        let companions = { (vital: Vital) in vital.companions.map { state[$0] }.filter { $0.condition != .neverSeen } }
        vitals = large.flatMap { [$0] + companions($0.vital) }.map { shown in
            StatusVital(shown, evaluatedAt: state.boundaries(of: shown.vital), now: now)
        }
        let shown = state.shownAlarms
        alarmCount = shown.count
        let trouble = EnvironmentWarning(state)
        alarms = shown.prefix(Self.alarmLimit).map { alarm in
            let number = large.first { $0.vital == alarm.vital }
            let isOfOther = number.map { $0.condition.source?.address != alarm.sensor?.address } ?? false
            return StatusAlarm(alarm, text: state.text(of: alarm), trouble: trouble, isOfOther: isOfOther)
        }
        self.trouble = trouble?.text
        if state.signal.isOff { notices.append("SOUND OFF") }
        if state.signal.pausedUntil != nil { notices.append("SOUND PAUSED") }
    }
}

extension StatusVital {
    fileprivate init(_ shown: VitalState, evaluatedAt limits: [VitalValue], now: Moment) {
        self.init(shown.vital)
        evaluatedAt = limits
        if let sample = shown.condition.lastSample {
            value = sample.value
            age = max(0, now.since(sample.moment).components.seconds)
            quality = sample.quality
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
            reasonText = absence.reason.shortText
            sensor = absence.sensor.name
        }
    }
}

extension VitalCondition {
    /// The reporting sensor.
    fileprivate var source: SensorIdentity? { absence?.sensor ?? lastSample?.sensor }
}

extension StatusAlarm {
    /// - Parameter isOfOther: Whether the shown number of its vital comes from another sensor.
    fileprivate init(_ alarm: Alarm, text: String, trouble: EnvironmentWarning?, isOfOther: Bool) {
        let named = alarm.alarmClass == .technical || isOfOther ? alarm.sensor : nil
        self.init(
            AlarmReport(alarm, text: text),
            title: trouble?.kind == alarm.kind
                ? trouble?.title ?? "" : alarm.capitals(.braille),
            sensorName: named?.shortName())
    }
}
