/// The RR intervals of one notification of a heart-rate sensor: the times between successive beats.
public struct RRIntervals: Codable, Hashable, Sendable {
    public var sensor: SensorIdentity
    /// The intervals in units of 1/1024 s, the oldest first.
    public var intervals: [UInt16]
    /// The heart rate in the same notification, in beats a minute; `nil` without one.
    public var heartRate: UInt16?
    /// When the notification arrived.
    public var moment: Moment

    /// Creates the intervals of a notification.
    public init(sensor: SensorIdentity, intervals: [UInt16], heartRate: UInt16? = nil, moment: Moment) {
        self.sensor = sensor
        self.intervals = intervals
        self.heartRate = heartRate
        self.moment = moment
    }
}

/// RR intervals as stored.
public struct RecordedRRIntervals: Hashable, Sendable {
    /// The intervals; the store has no heart rate for them.
    public var intervals: RRIntervals
    /// The number of the program's run.
    public var run: Int64

    public init(_ intervals: RRIntervals, run: Int64) {
        self.intervals = intervals
        self.run = run
    }
}
