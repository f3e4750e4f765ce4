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
    /// - Parameters:
    ///   - now: The present wall time in milliseconds since 1970 (UTC); what was recorded later, before the clock was set
    ///     back, is left out.
    ///   - since: What was recorded earlier is of no interest.
    /// - Returns: A series for each vital and sensor; of several sensors for a vital the one first that spoke last.
    /// - Throws: ``StoreFailure``.
    public func series(until now: Int64, since: Int64 = .min) throws(StoreFailure) -> [RecordedSeries] {
        var collector = SeriesCollector()
        let (fine, middle, coarse) = (Self.resolutions[0], Self.resolutions[1], Self.resolutions[2])
        // Whole minutes, so that none is told twice.
        let middleStart = MinuteTable.minute(of: now - middle.age) * coarse.length
        try forEachMinute(in: min(max(now - coarse.age, since), middleStart)..<middleStart) { minute in
            collector.add(
                minute.sensor, minute.vital, from: minute.from, length: coarse.length, minute.values,
                endsAbsent: minute.absence != nil)
        }
        let fineStart = (now - fine.age) / middle.length * middle.length
        try forEachReading(in: min(max(middleStart, since), now + 1)..<now + 1) { recorded in
            let isFine = recorded.reading.moment.wallMilliseconds >= fineStart
            collector.add(recorded.reading, length: isFine ? fine.length : middle.length)
            return true
        }
        return collector.series
    }

    /// What was recorded in a stretch of time, as finely as it is wanted.
    ///
    /// - Parameters:
    ///   - range: Wall times in milliseconds since 1970 (UTC).
    ///   - finest: No stretch shorter than this is of use; the minutes that are summed up already serve from 60 s on.
    /// - Returns: A series for each vital and sensor; of several sensors for a vital the one first that spoke last.
    /// - Throws: ``StoreFailure``.
    public func series(in range: Range<Int64>, finest: Duration) throws(StoreFailure) -> [RecordedSeries] {
        var collector = SeriesCollector()
        let wanted = finest.milliseconds
        let length = Self.resolutions.last { $0.length <= wanted }?.length ?? Self.resolutions[0].length
        if length >= 60_000 {
            try forEachMinute(in: range) { minute in
                collector.add(
                    minute.sensor, minute.vital, from: minute.from, length: length, minute.values,
                    endsAbsent: minute.absence != nil)
            }
        } else {
            try forEachReading(in: range) { recorded in
                collector.add(recorded.reading, length: length)
                return true
            }
        }
        return collector.series
    }

    /// When the oldest that is kept was recorded, to the minute, in milliseconds since 1970 (UTC); `nil` for nothing.
    ///
    /// - Throws: ``StoreFailure``.
    public func oldest() throws(StoreFailure) -> Int64? {
        var minute: Int64?
        try database.forEach("SELECT min(minute) FROM minute") { minute = $0.integer(0) }
        return minute.map { $0 * 60_000 }
    }
}

extension Duration {
    /// Whole milliseconds.
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
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

    mutating func add(_ reading: Reading, length: Int64) {
        var values: RecordedBucket.Values?
        if case .measured(let value, _) = reading.outcome {
            values = RecordedBucket.Values(minimum: value, maximum: value, last: value)
        }
        add(
            reading.sensor, reading.vital, from: reading.moment.wallMilliseconds / length * length, length: length,
            values, endsAbsent: values == nil)
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
