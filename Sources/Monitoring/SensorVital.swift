import Vitals

/// What one sensor says about one vital.
public struct SensorVital: Hashable, Sendable {
    /// Which vital.
    public let vital: Vital
    /// What is known about it from this sensor.
    public internal(set) var condition: VitalCondition = .neverSeen
    /// The last value that it gave.
    public internal(set) var lastSample: Sample?
    /// When it last gave a value or an absence.
    public internal(set) var lastReading: Moment?
    /// The reason that it last gave, and since when; `nil` when its newest reading was a value.
    var reported: (reason: AbsenceReason, since: Moment)? {
        get { reportedReason.map { ($0, reportedSince) } }
        set {
            reportedReason = newValue?.reason
            if let newValue { reportedSince = newValue.since }
        }
    }
    private var reportedReason: AbsenceReason?
    private var reportedSince = Moment(monotonicNanoseconds: 0, wallMilliseconds: 0)

    init(vital: Vital) {
        self.vital = vital
    }
}
