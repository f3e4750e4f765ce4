import Vitals

/// A measured value with everything needed to show it: source, time and quality.
public struct Sample: Codable, Hashable, Sendable {
    public var value: VitalValue
    /// Its quality, as the sensor reports it.
    public var quality: Reading.Quality
    /// When it arrived.
    public var moment: Moment
    /// Its sensor.
    public var sensor: SensorIdentity
    /// The site on the body, if the sensor reports it.
    public var site: BodySite?

    public init(
        value: VitalValue, quality: Reading.Quality, moment: Moment, sensor: SensorIdentity, site: BodySite? = nil
    ) {
        self.value = value
        self.quality = quality
        self.moment = moment
        self.sensor = sensor
        self.site = site
    }
}

/// A missing measurement: why, and since when.
public struct Absence: Codable, Hashable, Sendable {
    public var reason: AbsenceReason
    /// Since when this reason has applied; for silence, when the last data arrived.
    public var since: Moment
    /// The sensor that reports it, is silent or is not connected.
    public var sensor: SensorIdentity
    /// The last value before, if there ever was one.
    public var last: Sample?

    public init(reason: AbsenceReason, since: Moment, sensor: SensorIdentity, last: Sample? = nil) {
        self.reason = reason
        self.since = since
        self.sensor = sensor
        self.last = last
    }
}

/// The condition of a vital: never a bare number.
public enum VitalCondition: Codable, Hashable, Sendable {
    /// No sensor has reported it.
    case neverSeen
    /// A current value.
    case measured(Sample)
    /// A value that should have been renewed by now (older than 3 usual intervals).
    case stale(Sample)
    /// A value too old to be shown as one, for no known reason: the sensor has reconnected and sent nothing yet, or its
    /// connection is unknown.
    case lost(Sample)
    /// There is no measurement, and the reason is known.
    case noMeasurement(Absence)
    /// The sensor was disconnected by the user: calm, no alarm.
    case notConnected(last: Sample?, since: Moment)

    /// The newest value, current or not; show its condition with it.
    public var lastSample: Sample? {
        switch self {
        case .neverSeen: nil
        case .measured(let sample), .stale(let sample), .lost(let sample): sample
        case .noMeasurement(let absence): absence.last
        case .notConnected(let last, _): last
        }
    }

    /// The reason for the absence of a measurement, if known.
    public var absence: Absence? {
        if case .noMeasurement(let absence) = self { absence } else { nil }
    }

    /// Whether there is a current value.
    public var isMeasured: Bool {
        if case .measured = self { true } else { false }
    }
}
