import Monitoring
import Vitals

/// The full picture of a bed, sent when a session begins and on request.
public struct WardBirth: Hashable, Sendable {
    /// Its session and its number in it.
    public var stamp: WardStamp
    /// The facts of the session.
    public var facts: WardFacts
    /// The request that it answers; `nil` without one.
    public var request: WardToken?
    /// How long that request waited, in milliseconds, because the bed had just sent another full picture.
    public var requestWaited: Int64 = 0
    /// The code of the patient, if the bed's settings publish it.
    public var patient: String?
    /// The beginning of this patient's record at the bed, in milliseconds since 1970 (UTC); `nil` for the first
    /// patient.
    public var patientSince: Int64?
    /// The newest value or absence of each vital that has a source.
    public var vitals: [WardVital]
    /// The newest blood pressure; `nil` without one in the last day.
    public var pressure: WardPressure?
    /// The limits of the vitals.
    public var limits: [WardLimits]
    /// All alarms of which `isShown` holds.
    public var alarms: [WardAlarm]
    /// The sensors that the bed uses.
    public var sensors: [WardSensor]
    /// The sound at the bed.
    public var sound: WardSound
    /// The last minutes of the vitals.
    public var trends: [WardTrend]

    public init(
        stamp: WardStamp, facts: WardFacts, request: WardToken? = nil, patient: String? = nil,
        patientSince: Int64? = nil, vitals: [WardVital] = [], pressure: WardPressure? = nil,
        limits: [WardLimits] = [], alarms: [WardAlarm] = [], sensors: [WardSensor] = [], sound: WardSound = .on,
        trends: [WardTrend] = []
    ) {
        self.stamp = stamp
        self.facts = facts
        self.request = request
        self.patient = patient
        self.patientSince = patientSince
        self.vitals = vitals
        self.pressure = pressure
        self.limits = limits
        self.alarms = alarms
        self.sensors = sensors
        self.sound = sound
        self.trends = trends
    }
}

/// A reading with the data to evaluate its freshness.
public struct WardVital: Hashable, Sendable {
    /// The value, or the reason for its absence; only the wall clock of its moment has a meaning elsewhere.
    public var reading: Reading
    /// Its age when the message was sent, by the bed's monotonic clock, in milliseconds.
    public var ageMilliseconds: Int64
    /// The interval at which its sensor usually sends, in milliseconds; after three of them it is stale, after six
    /// lost.
    public var intervalMilliseconds: Int64

    public init(reading: Reading, ageMilliseconds: Int64, intervalMilliseconds: Int64) {
        self.reading = reading
        self.ageMilliseconds = ageMilliseconds
        self.intervalMilliseconds = intervalMilliseconds
    }

    /// Describes a vital of a monitor at a moment; `nil` for one without a sensor.
    public init?(_ state: VitalState, at now: Moment) {
        let reading: Reading
        switch state.condition {
        case .neverSeen, .notConnected: return nil
        case .measured(let sample), .stale(let sample), .lost(let sample):
            reading = Reading(
                sensor: sample.sensor, vital: state.vital, outcome: .measured(sample.value, sample.quality),
                moment: sample.moment, site: sample.site, calibration: sample.calibration)
        case .noMeasurement(let absence):
            reading = Reading(
                sensor: absence.sensor, vital: state.vital, outcome: .noMeasurement(absence.reason),
                moment: absence.since)
        }
        self.init(
            reading: reading, ageMilliseconds: max(0, now.since(reading.moment).nanoseconds / 1_000_000),
            intervalMilliseconds: state.interval.nanoseconds / 1_000_000)
    }
}

/// The message of one reading.
public struct WardVitalMessage: Hashable, Sendable {
    /// Its session and its number in it.
    public var stamp: WardStamp
    /// The reading.
    public var vital: WardVital
    public var isSimulated: Bool
    /// Whether it is a replay.
    public var isReplay: Bool

    public init(stamp: WardStamp, vital: WardVital, isSimulated: Bool, isReplay: Bool = false) {
        self.stamp = stamp
        self.vital = vital
        self.isSimulated = isSimulated
        self.isReplay = isReplay
    }
}

public struct WardAlarmMessage: Hashable, Sendable {
    /// Its session and its number in it.
    public var stamp: WardStamp
    public var alarm: WardAlarm

    public init(stamp: WardStamp, alarm: WardAlarm) {
        self.stamp = stamp
        self.alarm = alarm
    }
}

/// The proof of life of a session.
public struct WardHeartbeat: Hashable, Sendable {
    /// Its session and its number in it.
    public var stamp: WardStamp
    /// The number of shown alarms.
    public var alarmCount: Int
    /// The hash of their states.
    public var digest: WardDigest
    /// The sound at the bed.
    public var sound: WardSound
    /// What a screen that sounds this bed's alarms answers with (``WardListener``); `nil` while no silence is planned.
    public var challenge: WardToken?

    /// Describes the alarms of a monitor.
    public init(stamp: WardStamp, alarms: [WardAlarm], sound: WardSound, challenge: WardToken? = nil) {
        self.init(
            stamp: stamp, alarmCount: alarms.count(where: \.isShown), digest: WardDigest(alarms), sound: sound,
            challenge: challenge)
    }

    init(stamp: WardStamp, alarmCount: Int, digest: WardDigest, sound: WardSound, challenge: WardToken? = nil) {
        self.challenge = challenge
        self.stamp = stamp
        self.alarmCount = alarmCount
        self.digest = digest
        self.sound = sound
    }
}

/// The limits of a vital at a bed; `nil` for limits that are off.
public struct WardLimits: Hashable, Sendable {
    public var vital: Vital
    /// The limit below which a value is dangerous.
    public var severeLow: VitalValue?
    /// The limit below which a value is too low.
    public var low: VitalValue?
    /// The limit above which a value is too high.
    public var high: VitalValue?
    /// The limit above which a value is dangerous.
    public var severeHigh: VitalValue?

    public init(
        vital: Vital, severeLow: VitalValue? = nil, low: VitalValue? = nil, high: VitalValue? = nil,
        severeHigh: VitalValue? = nil
    ) {
        self.vital = vital
        self.severeLow = severeLow
        self.low = low
        self.high = high
        self.severeHigh = severeHigh
    }

    /// Describes the limits of a monitor.
    public init(_ vital: Vital, _ limits: VitalLimits) {
        self.init(
            vital: vital, severeLow: limits.severeLow.value, low: limits.low.value, high: limits.high.value,
            severeHigh: limits.severeHigh.value)
    }
}

/// A sensor at a bed.
public struct WardSensor: Hashable, Sendable {
    public var sensor: SensorIdentity
    /// The phase of its connection; `nil` if unknown.
    public var phase: ConnectionState.Phase?
    /// Why it is not connected.
    public var reason: ConnectionState.DisconnectReason?
    /// Its battery level, 0 to 100.
    public var batteryPercent: Int?

    public init(
        sensor: SensorIdentity, phase: ConnectionState.Phase? = nil, reason: ConnectionState.DisconnectReason? = nil,
        batteryPercent: Int? = nil
    ) {
        self.sensor = sensor
        self.phase = phase
        self.reason = reason
        self.batteryPercent = batteryPercent
    }

    /// Describes a sensor of a monitor.
    public init(_ state: SensorState) {
        self.init(
            sensor: state.identity, phase: state.connection?.phase, reason: state.connection?.reason,
            batteryPercent: state.battery)
    }
}

/// Whether alarms are heard at a bed.
public enum WardSound: Hashable, Sendable {
    /// Alarms sound.
    case on
    /// A user paused the sound; with the seconds left.
    case paused(secondsLeft: Int)
    /// It is silent as planned, while a screen with a name sounds; with the seconds left.
    case silent(secondsLeft: Int, by: String)
    /// The sound is switched off in the bed's settings.
    case off

    /// Describes the sound of a monitor at a moment.
    public init(_ signal: AlarmSignal, at now: Moment) {
        if signal.isOff {
            self = .off
        } else if let silence = signal.silence {
            self = .silent(secondsLeft: Self.seconds(to: silence.until, now), by: silence.listener)
        } else if let until = signal.pausedUntil {
            self = .paused(secondsLeft: Self.seconds(to: until, now))
        } else {
            self = .on
        }
    }

    private static func seconds(to until: Moment, _ now: Moment) -> Int {
        Int(min(max(0, until.since(now).components.seconds), 86_400))
    }
}

/// The last values of a vital, as extremes of equal periods, the last of which ends when the message was sent.
public struct WardTrend: Hashable, Sendable {
    /// The greatest number of points.
    public static let mostPoints = 240

    public var vital: Vital
    /// The length of the time of each point, in seconds.
    public var stepSeconds: Int
    /// The lowest and the highest value of each period, the oldest first; `nil` without a measurement.
    public var points: [Point?]

    /// The extremes of a stretch of time.
    public struct Point: Hashable, Sendable {
        /// The lowest value.
        public var low: VitalValue
        /// The highest value.
        public var high: VitalValue

        public init(low: VitalValue, high: VitalValue) {
            self.low = low
            self.high = high
        }
    }

    public init(vital: Vital, stepSeconds: Int, points: [Point?]) {
        self.vital = vital
        self.stepSeconds = stepSeconds
        self.points = points
    }

    /// The last half hour of a vital of a monitor, in steps of 15 s; `nil` without a measurement.
    public init?(_ state: VitalState, at now: Moment) {
        let (step, count) = (15, 120)
        let start = now.advanced(by: .seconds(-step * count))
        let columns = state.trend.samples(from: start, to: now, columns: count)
        guard columns.contains(where: { $0 != nil }) else { return nil }
        self.init(
            vital: state.vital, stepSeconds: step,
            points: columns.map { $0.map { Point(low: $0.minimum, high: $0.maximum) } })
    }
}
