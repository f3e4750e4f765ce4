import Vitals

/// What was recorded of one vital of one sensor, in stretches that become coarser with their age, the oldest first.
public struct RecordedSeries: Hashable, Sendable {
    /// The sensor, under its newest name.
    public var sensor: SensorIdentity
    /// The vital.
    public var vital: Vital
    /// The stretches of which something is known.
    public var stretches: [Stretch]

    /// What happened within some time.
    public struct Stretch: Hashable, Sendable {
        /// When it began, in milliseconds since 1970 (UTC).
        public var from: Int64
        /// How long it was, in milliseconds.
        public var length: Int64
        /// The lowest, the highest and the newest value; `nil` when there was none.
        public var values: RecordedBucket.Values?
        /// Whether it ended without a measurement.
        public var endsAbsent: Bool
    }
}

extension StoredHistory {
    /// How finely a series is: stretches of a length, back to an age, both in milliseconds.
    static let resolutions: [(length: Int64, age: Int64)] = [
        (1000, 15 * 60_000), (10_000, 3 * 3_600_000), (60_000, 48 * 3_600_000),
    ]

    /// What a monitor that starts shows of the past: two days by the minute, the last three hours by ten seconds, the
    /// last quarter of an hour by the second.
    ///
    /// - Parameter now: The present wall time in milliseconds since 1970 (UTC); what was recorded later, before the clock
    ///   was set back, is left out.
    /// - Returns: A series for each vital and sensor; of several sensors for a vital the one first that spoke last.
    /// - Throws: ``StoreFailure``.
    public func series(until now: Int64) throws(StoreFailure) -> [RecordedSeries] {
        var collector = SeriesCollector()
        let (fine, middle, coarse) = (Self.resolutions[0], Self.resolutions[1], Self.resolutions[2])
        // Whole minutes, so that none is told twice.
        let middleStart = MinuteTable.minute(of: now - middle.age) * coarse.length
        try forEachMinute(in: now - coarse.age..<middleStart) { minute in
            collector.add(
                minute.sensor, minute.vital, from: minute.from, length: coarse.length, minute.values,
                endsAbsent: minute.absence != nil)
        }
        let fineStart = (now - fine.age) / middle.length * middle.length
        try forEachReading(in: middleStart..<now + 1) { recorded in
            let reading = recorded.reading
            let wall = reading.moment.wallMilliseconds
            let length = wall < fineStart ? middle.length : fine.length
            var values: RecordedBucket.Values?
            if case .measured(let value, _) = reading.outcome {
                values = RecordedBucket.Values(minimum: value, maximum: value, last: value)
            }
            collector.add(
                reading.sensor, reading.vital, from: wall / length * length, length: length, values,
                endsAbsent: values == nil)
            return true
        }
        return collector.series
    }
}

/// Joins what falls into the same stretch.
private struct SeriesCollector {
    private struct Key: Hashable {
        var address: String
        var vital: Vital
    }

    private var found: [Key: RecordedSeries] = [:]

    mutating func add(
        _ sensor: SensorIdentity, _ vital: Vital, from: Int64, length: Int64, _ values: RecordedBucket.Values?,
        endsAbsent: Bool
    ) {
        let key = Key(address: sensor.address, vital: vital)
        found[key, default: RecordedSeries(sensor: sensor, vital: vital, stretches: [])].add(
            sensor, .init(from: from, length: length, values: values, endsAbsent: endsAbsent))
    }

    var series: [RecordedSeries] {
        found.values.sorted { ($0.newest, $1.sensor.address) > ($1.newest, $0.sensor.address) }
    }
}

extension RecordedSeries {
    fileprivate var newest: Int64 { stretches.last?.from ?? .min }

    fileprivate mutating func add(_ sensor: SensorIdentity, _ stretch: Stretch) {
        self.sensor = sensor
        guard let last = stretches.indices.last, stretches[last].from == stretch.from else {
            stretches.append(stretch)
            return
        }
        stretches[last].endsAbsent = stretch.endsAbsent
        guard let values = stretch.values else { return }
        let before = stretches[last].values ?? values
        stretches[last].values = RecordedBucket.Values(
            minimum: min(before.minimum, values.minimum), maximum: max(before.maximum, values.maximum),
            last: values.last)
    }
}
