/// A stored reading.
public struct RecordedReading: Hashable, Sendable {
    public var reading: Reading
    /// The number of the program's run that recorded it.
    public var run: Int64
    /// Distinguishes it from others of the same millisecond.
    public var number: Int64
    /// The sensor's number in the store, under the name that it had.
    public var sensorNumber: Int64

    /// The position of a reading in the store.
    public struct Place: Hashable, Comparable, Sendable {
        /// When it arrived, in milliseconds since 1970 (UTC).
        public var wallMilliseconds: Int64
        /// Distinguishes it from others of the same millisecond.
        public var number: Int64

        public init(wallMilliseconds: Int64, number: Int64) {
            self.wallMilliseconds = wallMilliseconds
            self.number = number
        }

        /// Orders places by time.
        public static func < (lhs: Place, rhs: Place) -> Bool {
            (lhs.wallMilliseconds, lhs.number) < (rhs.wallMilliseconds, rhs.number)
        }
    }

    public init(_ reading: Reading, run: Int64, number: Int64, sensorNumber: Int64) {
        self.reading = reading
        self.run = run
        self.number = number
        self.sensorNumber = sensorNumber
    }
}

/// A vital of one sensor in the store.
public struct RecordedSource: Hashable, Sendable {
    /// The sensor, under its newest name.
    public var sensor: SensorIdentity
    public var vital: Vital
    /// The sensor's numbers in the store, one for each name that it had.
    public var sensorNumbers: [Int64]

    public init(sensor: SensorIdentity, vital: Vital, sensorNumbers: [Int64]) {
        self.sensor = sensor
        self.vital = vital
        self.sensorNumbers = sensorNumbers
    }
}

/// A recorded period in which a sensor was worn.
public struct RecordedWearPeriod: Hashable, Sendable {
    /// Its number in the store.
    public var number: Int64
    public var sensor: SensorIdentity
    /// The wall times of its first and its last value, in milliseconds since 1970 (UTC).
    public var from, to: Int64
    /// The number of values.
    public var readings: Int64
    /// Why there was no value after the last one; `nil` if the period continues, or the reason is unknown.
    public var ending: AbsenceReason?

    public init(number: Int64, sensor: SensorIdentity, from: Int64, to: Int64, readings: Int64, ending: AbsenceReason?)
    {
        self.number = number
        self.sensor = sensor
        self.from = from
        self.to = to
        self.readings = readings
        self.ending = ending
    }
}

/// A period that was not recorded, or a change of the clock.
public struct RecordedGap: Hashable, Sendable {
    /// Its wall times in milliseconds since 1970 (UTC); `to` is before `from` if the clock was set back.
    public var from, to: Int64
    /// The cause: the raw value of a `GapReason`, or `storage` if the store could not be written.
    public var reason: String

    public init(from: Int64, to: Int64, reason: String) {
        self.from = from
        self.to = to
        self.reason = reason
    }
}
