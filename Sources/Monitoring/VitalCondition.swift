import Vitals

/// A measured value with everything that must be known to show it: where it came from, when, and how good it is.
public struct Sample: Codable, Hashable, Sendable {
    /// The value.
    public var value: VitalValue
    /// How far it may be trusted, by the sensor's own word.
    public var quality: Reading.Quality
    /// When it arrived.
    public var moment: Moment
    /// The sensor that it came from.
    public var sensor: SensorIdentity
    /// Where on the body it was taken, when the sensor says so.
    public var site: BodySite?

    /// Makes a sample.
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

/// That there is no measurement, why, and since when.
public struct Absence: Codable, Hashable, Sendable {
    /// Why.
    public var reason: AbsenceReason
    /// Since when this very reason has held; for silence, when something last came.
    public var since: Moment
    /// The sensor that says so, or that is silent or away.
    public var sensor: SensorIdentity
    /// The last value before, if there ever was one.
    public var last: Sample?

    /// Makes an absence.
    public init(reason: AbsenceReason, since: Moment, sensor: SensorIdentity, last: Sample? = nil) {
        self.reason = reason
        self.since = since
        self.sensor = sensor
        self.last = last
    }
}

/// What is known about a vital: never a bare number.
public enum VitalCondition: Codable, Hashable, Sendable {
    /// No sensor has said anything about it.
    case neverSeen
    /// A current value.
    case measured(Sample)
    /// A value that should have been renewed by now (older than 3 usual intervals).
    case stale(Sample)
    /// A value too old to be shown as one, and no reason is known (yet): the sensor is connected again after a loss and
    /// has not said anything, or its connection is not known.
    case lost(Sample)
    /// There is no measurement, and the reason is known.
    case noMeasurement(Absence)
    /// The sensor was disconnected by the user: calm, no alarm.
    case notConnected(last: Sample?, since: Moment)

    /// The newest value, current or not; whoever shows it must show what has become of it.
    public var lastSample: Sample? {
        switch self {
        case .neverSeen: nil
        case .measured(let sample), .stale(let sample), .lost(let sample): sample
        case .noMeasurement(let absence): absence.last
        case .notConnected(let last, _): last
        }
    }

    /// The reason for the absence of a measurement, when one is known.
    public var absence: Absence? {
        if case .noMeasurement(let absence) = self { absence } else { nil }
    }

    /// Whether there is a current value.
    public var isMeasured: Bool {
        if case .measured = self { true } else { false }
    }
}
