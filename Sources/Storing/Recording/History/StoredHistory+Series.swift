import Base
import Vitals

/// The recorded values of one vital of one sensor, the oldest first, in periods that become longer with age.
public struct RecordedSeries: Hashable, Sendable {
    /// The sensor, under its newest name.
    public var sensor: SensorIdentity
    public var vital: Vital
    /// The periods with data.
    public var stretches: [Stretch]

    /// The data of a period.
    public struct Stretch: Hashable, Sendable {
        /// The beginning of the period, in milliseconds since 1970 (UTC).
        public var from: Int64
        /// The length of the period in milliseconds.
        public var length: Int64
        /// The lowest, the highest and the newest value; `nil` without a value.
        public var values: RecordedBucket.Values?
        /// Whether it ended without a measurement.
        public var endsAbsent: Bool
    }
}

extension StoredHistory {
    /// The resolutions of a series: the length of a period, up to an age, both in milliseconds.
    static let resolutions: [(length: Int64, age: Int64)] = [
        (1000, 15 * 60_000), (10_000, 3 * 3_600_000), (60_000, 48 * 3_600_000),
    ]

    /// The past for the trends of a starting monitor: two days by minutes, the last three hours by ten seconds, the
    /// last quarter of an hour by seconds.
    ///
    /// - Parameters:
    ///   - now: The present wall time in milliseconds since 1970 (UTC); later data, from before the clock was set back,
    ///     are ignored.
    ///   - since: Earlier data are ignored.
    /// - Returns: A series for each vital and sensor; of several sensors for a vital the one with the newest value
    ///   first.
    /// - Throws: ``StoreError``.
    public func series(until now: Int64, since: Int64 = .min) throws(StoreError) -> [RecordedSeries] {
        var collector = SeriesCollector(self)
        let (fine, middle, coarse) = (Self.resolutions[0], Self.resolutions[1], Self.resolutions[2])
        // Whole minutes, so that none is counted twice.
        let middleStart = MinuteTable.minute(of: now.subtractingSaturated(middle.age)).multipliedSaturated(
            by: coarse.length)
        try collectMinutes(
            in: min(max(now.subtractingSaturated(coarse.age), since), middleStart)..<middleStart, &collector)
        let fineStart = now.subtractingSaturated(fine.age) / middle.length * middle.length
        let end = now.addingSaturated(1)
        try collectReadings(in: min(max(middleStart, since), end)..<end, &collector) {
            $0 >= fineStart ? fine.length : middle.length
        }
        return collector.series
    }

    /// The recorded data of a period, at a resolution.
    ///
    /// - Parameters:
    ///   - range: Wall times in milliseconds since 1970 (UTC).
    ///   - finest: The finest useful resolution; from 60 s on the table of minutes is used.
    /// - Returns: A series for each vital and sensor; of several sensors for a vital the one with the newest value
    ///   first.
    /// - Throws: ``StoreError``.
    public func series(in range: Range<Int64>, finest: Duration) throws(StoreError) -> [RecordedSeries] {
        var collector = SeriesCollector(self)
        let wanted = finest.nanoseconds / 1_000_000
        let length = Self.resolutions.last { $0.length <= wanted }?.length ?? Self.resolutions[0].length
        if length >= 60_000 {
            try collectMinutes(in: range, &collector)
        } else {
            try collectReadings(in: range, &collector) { _ in length }
        }
        return collector.series
    }

    // Reads only the columns for drawing, because there may be a hundred thousand rows.

    private func collectMinutes(in range: Range<Int64>, _ collector: inout SeriesCollector) throws(StoreError) {
        guard !range.isEmpty else { return }
        let rows = try database.statement(
            """
            SELECT minute, sensor, vital, minimum, maximum, last, absence FROM minute
            WHERE minute >= ?1 AND minute <= ?2 ORDER BY minute, sensor, vital
            """)
        defer { rows.reset() }
        try rows.bind([
            .integer(MinuteTable.minute(of: range.lowerBound)),
            .integer(MinuteTable.minute(of: range.upperBound.subtractingSaturated(1))),
        ])
        while try rows.step() {
            guard let minute = rows.integer(0), let sensor = rows.integer(1), let vital = rows.integer(2) else {
                continue
            }
            var values: RecordedBucket.Values?
            if let minimum = rows.value(3), let maximum = rows.value(4), let last = rows.value(5) {
                values = RecordedBucket.Values(minimum: minimum, maximum: maximum, last: last)
            }
            collector.add(
                sensor, vital,
                .init(
                    from: minute.multipliedSaturated(by: 60_000), length: 60_000, values: values,
                    endsAbsent: rows.integer(6) != nil))
        }
    }

    private func collectReadings(
        in range: Range<Int64>, _ collector: inout SeriesCollector, length: (_ wall: Int64) -> Int64
    ) throws(StoreError) {
        let counted = CountedQualities(self)
        let rows = try database.statement(
            """
            SELECT wall_ms, sensor, vital, value, quality FROM reading
            WHERE wall_ms >= ?1 AND wall_ms < ?2 AND late IS NULL ORDER BY wall_ms, n
            """)
        defer { rows.reset() }
        try rows.bind([.integer(range.lowerBound), .integer(range.upperBound)])
        while try rows.step() {
            guard let wall = rows.integer(0), let sensor = rows.integer(1), let vital = rows.integer(2) else {
                continue
            }
            let value = counted.allow(rows.integer(4)) ? rows.value(3) : nil
            let values = value.map { RecordedBucket.Values(minimum: $0, maximum: $0, last: $0) }
            let length = length(wall)
            collector.add(
                sensor, vital,
                .init(from: wall / length * length, length: length, values: values, endsAbsent: values == nil))
        }
    }

    /// The time of the oldest record, to the minute, in milliseconds since 1970 (UTC); `nil` for nothing.
    ///
    /// - Throws: ``StoreError``.
    public func oldest() throws(StoreError) -> Int64? {
        var minute: Int64?
        try database.forEach("SELECT min(minute) FROM minute") { minute = $0.integer(0) }
        return minute.map { $0.multipliedSaturated(by: 60_000) }
    }
}

/// Merges rows of the same period.
private struct SeriesCollector {
    private let history: StoredHistory
    private let vitals: [Vital?]
    private var found: [RecordedSeries] = []
    /// The index of a series by the numbers of sensor and vital; `nil` for a vital that this version does not know.
    private var indices: [Key: Int?] = [:]
    /// A renamed sensor has several numbers.
    private var byAddress: [AddressKey: Int] = [:]

    private struct Key: Hashable {
        var sensor: Int64
        var vital: Int64
    }

    private struct AddressKey: Hashable {
        var address: String
        var vital: Vital
    }

    init(_ history: StoredHistory) {
        self.history = history
        vitals = history.meanings { Vital(rawValue: $0) }
    }

    mutating func add(_ sensor: Int64, _ vital: Int64, _ stretch: RecordedSeries.Stretch) {
        let key = Key(sensor: sensor, vital: vital)
        let known = indices[key]
        guard let index = known ?? begin(key) else { return }
        found[index].add(stretch)
    }

    private mutating func begin(_ key: Key) -> Int? {
        guard let sensor = history.sensor(key.sensor), let vital = vitals.at(key.vital) else {
            indices[key] = .some(nil)
            return nil
        }
        let addressKey = AddressKey(address: sensor.address, vital: vital)
        if let index = byAddress[addressKey] {
            // Rows are in chronological order, so the last name is the newest.
            found[index].sensor = sensor
            indices[key] = index
            return index
        }
        found.append(RecordedSeries(sensor: sensor, vital: vital, stretches: []))
        byAddress[addressKey] = found.count - 1
        indices[key] = found.count - 1
        return found.count - 1
    }

    var series: [RecordedSeries] {
        found.sorted { ($0.newest, $1.sensor.address) > ($1.newest, $0.sensor.address) }
    }
}

extension RecordedSeries {
    fileprivate var newest: Int64 { stretches.last?.from ?? .min }

    fileprivate mutating func add(_ stretch: Stretch) {
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
