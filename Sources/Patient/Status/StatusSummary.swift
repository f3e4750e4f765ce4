import Monitoring
import Vitals
import Wording

/// The status summary, as a value that can be sent to another program: the vitals, the alarms, and problems with
/// Bluetooth.
public struct StatusSummary: Hashable, Sendable {
    /// The time of the summary, in milliseconds since 1970 (UTC).
    public var wallMilliseconds: Int64
    /// Whether the data are simulated, if known.
    public var provenance = Provenance.real
    /// The patient; `nil` for the unnamed patient.
    public var patient: String?
    /// The large vitals of the screen, in its order, each with those that are shown beside it.
    public var vitals: [StatusVital] = []
    /// The shown alarms, the worst first; at most ``alarmLimit``.
    public var alarms: [StatusAlarm] = []
    /// How many alarms are shown on the screen.
    public var alarmCount = 0
    /// Why Bluetooth cannot be used, in short; `nil` when it can.
    public var trouble: String?
    /// Why alarms cannot be heard, in short: "SOUND PAUSED".
    public var notices: [String] = []

    /// The remembered sensors, in the order of the rows; at most ``sensorLimit``.
    public var sensors: [StatusSensor] = []

    /// Whether the data are known to be simulated, which every line shows.
    public var isSimulated: Bool { provenance == .simulated }

    /// The most alarms that are included.
    public static let alarmLimit = 8
    /// The most sensors that are included.
    public static let sensorLimit = 32

    public init(wallMilliseconds: Int64) {
        self.wallMilliseconds = wallMilliseconds
    }

    /// The fingerprint: the same without ages and repeated values; followers receive a new status when it changes.
    public var fingerprint: StatusSummary {
        var fingerprint = self
        fingerprint.wallMilliseconds = 0
        for (index, vital) in vitals.enumerated() {
            fingerprint.vitals[index].age = vital.isAgeing ? vital.age.map { $0 - $0 % Self.ageStep($0) } : nil
        }
        return fingerprint
    }

    /// The seconds until its text changes by age alone; `nil` for never.
    public var secondsUntilChange: Int64? {
        vitals.compactMap { vital in
            vital.isAgeing ? vital.age.map { Self.ageStep($0) - $0 % Self.ageStep($0) } : nil
        }.min()
    }

    /// The smallest visible difference of ages, by ``TimeText/span(_:)``.
    private static func ageStep(_ age: Int64) -> Int64 { TimeText.unit(ofSpan: age).seconds }
}

/// A vital of the status summary.
public struct StatusVital: Hashable, Sendable {
    public var vital: Vital
    /// The condition of the vital.
    public var state: State
    /// The value, if there is one, current or not.
    public var value: VitalValue?
    /// The values at which its evaluation changes; rounding must not cross them.
    public var evaluatedAt: [VitalValue] = []
    /// The age of the value in whole seconds.
    public var age: Int64?
    /// The quality of the value, as the sensor reports it.
    public var quality = Reading.Quality.good
    /// Whether the value is doubtful, because the oximeter sees a weak pulse.
    public var hasWeakPulse = false
    /// What a value of the quality `calibrated` was calibrated with; `nil` for any other.
    public var calibration: AppliedCalibration?
    /// Why there is no measurement, as in `watch --json`.
    public var reason: String?
    /// The reason for people, in two words at most.
    public var reasonText: String?
    /// Where on the body, as in `watch --json`.
    public var site: String?
    /// The name of the sensor.
    public var sensor: String?

    /// Whether its age is shown.
    package var isAgeing: Bool { state == .stale || state == .lost }

    public init(_ vital: Vital, _ state: State = .neverSeen) {
        self.vital = vital
        self.state = state
    }

    /// The condition of a vital; the raw value is the name in JSON.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// A current value.
        case measured
        /// A value that should have been renewed by now.
        case stale
        /// No measurement, and why.
        case noMeasurement = "no_measurement"
        /// The value is too old to be shown as one.
        case lost
        /// The user has disconnected the sensor.
        case notConnected = "not_connected"
        /// No sensor has reported it.
        case neverSeen = "never_seen"
    }
}

/// A remembered sensor of the status summary.
public struct StatusSensor: Hashable, Sendable {
    /// The Bluetooth address, and the name that is shown.
    public var address, name: String
    /// Whether there is a link to it.
    public var isConnected: Bool
    /// Whether it has refused several times in a row, as sensors do that are connected to another device.
    public var isRefusing = false
    /// When it measured last, in milliseconds since 1970 (UTC); `nil` while it is connected, and if that is not known.
    public var measuredAt: Int64?
    /// The newest battery level in percent; `nil` if it is not known.
    public var battery: Int?
    /// When that was reported in an earlier run, in milliseconds since 1970 (UTC); `nil` if it was in this one.
    public var batteryAt: Int64?

    /// What it reports as a transmitter; `nil` for any other sensor.
    public var transmitter: TransmitterStatus?

    public init(address: String, name: String, isConnected: Bool) {
        (self.address, self.name, self.isConnected) = (address, name, isConnected)
    }
}

/// An alarm of the status summary.
@dynamicMemberLookup
public struct StatusAlarm: Hashable, Sendable {
    /// The alarm; the value of one that is over, and the sensor, are left out.
    public var report: AlarmReport
    /// What it is called, in capitals: "FEVER", "SpO₂ LOW".
    public var title: String
    /// The name of the sensor, for an alarm about it, and where the number of the vital is another sensor's.
    public var sensorName: String?

    public init(_ report: AlarmReport, title: String, sensorName: String? = nil) {
        (self.report, self.title, self.sensorName) = (report, title, sensorName)
        self.report.sensor = nil
        if report.state == .ended { self.report.value = nil }
    }

    public subscript<Value>(dynamicMember field: WritableKeyPath<AlarmReport, Value>) -> Value {
        get { report[keyPath: field] }
        set { report[keyPath: field] = newValue }
    }

    public subscript<Value>(dynamicMember field: KeyPath<AlarmReport, Value>) -> Value { report[keyPath: field] }

    /// The title, with the state unless it is active and unanswered: "FEVER (over)".
    public var label: String { standing.map { "\(title) (\($0))" } ?? title }

    /// Its state, unless it is active and unanswered.
    package var standing: String? {
        switch report.state {
        case .acknowledged: "acknowledged"
        case .suspended: "suspended"
        case .ended: "over"
        case .pending, .active: nil
        }
    }
}

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
            var vital = StatusVital(shown, evaluatedAt: state.boundaries(of: shown.vital), now: now)
            vital.hasWeakPulse = state.hasWeakPulse(shown.vital)
            return vital
        }
        let shown = state.shownAlarms
        alarmCount = shown.count
        let trouble = EnvironmentWarning(state)
        alarms = shown.prefix(Self.alarmLimit).map { alarm in
            let number = large.first { $0.vital == alarm.vital }
            let isOfOther = number.map { $0.condition.source?.address != alarm.sensor?.address } ?? false
            return StatusAlarm(alarm, text: state.text(of: alarm), trouble: trouble, isOfOther: isOfOther)
        }
        sensors = state.sensors.lazy.filter { $0.memory != nil }.prefix(Self.sensorLimit).map { StatusSensor($0) }
        self.trouble = trouble?.text
        if state.signal.isOff { notices.append("SOUND OFF") }
        if state.signal.silence != nil { notices.append("SILENT, SOUNDED ELSEWHERE") }
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
            (quality, calibration) = (sample.quality, sample.calibration)
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

extension StatusSensor {
    fileprivate init(_ sensor: SensorState) {
        self.init(address: sensor.identity.address, name: sensor.identity.name, isConnected: sensor.isConnected)
        battery = sensor.battery
        if battery == nil, let earlier = sensor.contact?.battery {
            (battery, batteryAt) = (earlier.percent, earlier.wallMilliseconds)
        }
        transmitter = sensor.transmitter
        if isConnected { return }
        isRefusing = sensor.connection?.hint(for: sensor.identity.kind) == .inUse
        measuredAt = sensor.lastReading?.wallMilliseconds ?? sensor.contact?.measurement?.wallMilliseconds
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
