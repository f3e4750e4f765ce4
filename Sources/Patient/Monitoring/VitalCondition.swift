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
    /// Whether it is a measurement that nobody has confirmed yet.
    public var isUnconfirmed: Bool
    /// What a value of the quality `calibrated` was calibrated with; `nil` for any other.
    public var calibration: AppliedCalibration?

    public init(
        value: VitalValue, quality: Reading.Quality, moment: Moment, sensor: SensorIdentity, site: BodySite? = nil,
        isUnconfirmed: Bool = false, calibration: AppliedCalibration? = nil
    ) {
        self.value = value
        self.quality = quality
        self.moment = moment
        self.sensor = sensor
        self.site = site
        self.isUnconfirmed = isUnconfirmed
        self.calibration = calibration
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

    /// Since when there is no measurement, whatever the reasons were; where nothing was measured before, since when this reason
    /// has applied.
    public var unmeasuredSince: Moment {
        guard let last, last.moment.monotonic < since.monotonic else { return since }
        return last.moment
    }

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

/// A condition without its value: how useful a source is, and why it has no value.
///
/// A change between two conditions of the same standing needs no decisions, only a new display of the value.
struct Standing: Codable, Hashable, Sendable {
    /// The higher, the more useful the source is when several sensors measure the same vital.
    var rank: Rank
    /// Why there is no measurement, if known.
    var reason: AbsenceReason?
    /// The alarm that the sensor asks for beside its newest value: a malfunction, or a needed calibration.
    var complaint: AlarmKind?

    init(_ condition: VitalCondition) {
        switch condition {
        case .neverSeen: rank = .neverSeen
        case .notConnected: rank = .notConnected
        case .lost: rank = .away
        case .noMeasurement(let absence):
            rank = absence.reason == .linkLost ? .away : .absent
            reason = absence.reason
        case .stale(let sample):
            rank = .stale
            complaint = sample.quality.complaint
        case .measured(let sample):
            rank = .measured
            complaint = sample.quality.complaint
        }
    }

    /// Whether there is a usable value: current, or at least not lost.
    var hasValue: Bool { rank >= .stale }

    /// The ranks, from nothing at all to a current value.
    enum Rank: Int, Codable, Hashable, Sendable, Comparable {
        case neverSeen, notConnected, away, absent, stale, measured

        static func < (lhs: Rank, rhs: Rank) -> Bool { lhs.rawValue < rhs.rawValue }
    }
}

extension Reading.Quality {
    /// The alarm that a sensor asks for beside a value of this quality; `nil` for none.
    var complaint: AlarmKind? {
        switch self {
        case .good, .questionable, .rawEstimate, .calibrated: nil
        case .malfunction: .equipment
        case .calibrationWanted: .calibrationWanted
        }
    }

    /// Whether a value of this quality counts in figures of many values: lowest, highest, median, trend, time outside the
    /// limits.
    ///
    /// What a sensor measures while it reports a malfunction of its own is shown with that word beside it, and limits judge
    /// it. A figure has no space for the word, so it leaves the value out, as if there were none.
    public var countsInFigures: Bool { complaint != .equipment }
}

extension Reading.Outcome {
    /// The value if it counts in figures (``Vitals/Reading/Quality/countsInFigures``).
    public var figure: VitalValue? {
        guard case .measured(let value, let quality) = self, quality.countsInFigures else { return nil }
        return value
    }
}

/// One vital of the patient: its condition by the sensor chosen for it, and its trend.
public struct VitalState: Codable, Hashable, Sendable {
    public let vital: Vital
    public private(set) var condition: VitalCondition = .neverSeen
    /// The standing of the condition.
    private(set) var standing = Standing(.neverSeen)
    /// Its sensor: the first that delivers, kept while it delivers.
    public internal(set) var source: SensorIdentity?
    /// The ordinal of that sensor.
    var sourceOrdinal: Int?
    /// The interval at which that sensor usually sends it.
    public internal(set) var interval: Duration
    /// The values over time, each from the source of its time.
    public internal(set) var trend = Trend()
    /// The number of values from its sources in this run of the program.
    public internal(set) var valueCount = 0

    init(vital: Vital, interval: Duration) {
        self.vital = vital
        self.interval = interval
    }

    /// Takes over the source's condition.
    mutating func handle(from sensor: borrowing SensorState, place: Int) {
        let source = sensor.vitals.span
        condition = source[place].condition
        standing = source[place].standing
        interval = source[place].interval
    }

    /// The reason of a missing measurement and its remedy, or `nil` without one.
    public var banner: Banner? {
        condition.absence.map { Banner(absence: $0, vitals: [vital]) }
    }
}
