import Vitals

/// A part of the record in which both clocks advanced together.
public struct RecordedEpoch: Hashable, Sendable {
    /// Its number in the store; later epochs have greater numbers.
    public var number: Int64
    /// The number of its run of the program.
    public var run: Int64
    /// The recorded period as wall times, in milliseconds since 1970 (UTC).
    public var range: ClosedRange<Int64>
    /// The monotonic time at its beginning, in nanoseconds.
    public var monotonicNanoseconds: Int64
    /// The cause of its beginning: the raw value of a `GapReason`; `program` for the first of a run.
    public var cause: String
}

public struct RecordedNotification: Hashable, Sendable {
    /// The notification, with the sensor's name at that time.
    public var notification: RawNotification
    public var sensor: SensorIdentity

    public init(_ notification: RawNotification, sensor: SensorIdentity) {
        self.notification = notification
        self.sensor = sensor
    }
}

extension StoredHistory {
    /// The wall times of the oldest and the newest reading, in milliseconds since 1970 (UTC); `nil` without readings.
    ///
    /// - Throws: ``StoreError``.
    public func readingRange() throws(StoreError) -> ClosedRange<Int64>? {
        guard let first = try database.integer("SELECT wall_ms FROM reading ORDER BY wall_ms LIMIT 1"),
            let last = try database.integer("SELECT wall_ms FROM reading ORDER BY wall_ms DESC LIMIT 1")
        else { return nil }
        // A damaged index may return them in the wrong order.
        return min(first, last)...max(first, last)
    }

    /// The epochs with recorded data, in chronological order.
    ///
    /// - Throws: ``StoreError``.
    public func epochs() throws(StoreError) -> [RecordedEpoch] {
        var unsettled: [Int64: Int64] = [:]
        try database.forEach(
            "SELECT open.id, max(wall_ms) FROM \(ReadingStore.unsettled) GROUP BY open.id"
        ) { row in
            if let number = row.integer(0), let last = row.integer(1) { unsettled[number] = last }
        }
        var epochs: [RecordedEpoch] = []
        try database.forEach(
            "SELECT id, ifnull(run, id), wall_ms, last_wall_ms, monotonic_ns, cause FROM epoch ORDER BY id"
        ) { row in
            guard let number = row.integer(0), let run = row.integer(1), let first = row.integer(2),
                let monotonic = row.integer(4)
            else { return }
            let last = max(first, row.integer(3) ?? first, unsettled[number] ?? first)
            epochs.append(
                RecordedEpoch(
                    number: number, run: run, range: first...last, monotonicNanoseconds: monotonic,
                    cause: row.text(5) ?? ""))
        }
        return epochs
    }

    /// Some readings of one epoch in the order of their time.
    ///
    /// - Parameters:
    ///   - epoch: The number of the epoch.
    ///   - range: Wall times in milliseconds since 1970 (UTC).
    ///   - last: The place before the first one; `nil` for the beginning of the range.
    ///   - limit: The most rows.
    /// - Returns: The readings, and the place of the last row, even if that is unreadable; `nil` when there are no more
    ///   rows.
    /// - Throws: ``StoreError``.
    public func readings(
        ofEpoch epoch: Int64, in range: ClosedRange<Int64>, after last: RecordedReading.Place?, limit: Int
    ) throws(StoreError) -> (readings: [RecordedReading], end: RecordedReading.Place?) {
        let rows = try database.statement(
            """
            SELECT \(RowReader.columns) FROM reading
            WHERE (wall_ms, n) > (?1, ?2) AND wall_ms <= ?3 AND epoch = ?4 ORDER BY wall_ms, n LIMIT ?5
            """)
        defer { rows.reset() }
        try rows.bind([
            .integer(last?.wallMilliseconds ?? range.lowerBound), .integer(last?.number ?? .min),
            .integer(range.upperBound), .integer(epoch), .integer(Int64(limit)),
        ])
        let reader = RowReader(self)
        var readings: [RecordedReading] = []
        var (count, end): (Int, RecordedReading.Place?) = (0, nil)
        while try rows.step() {
            count += 1
            end = RecordedReading.Place(wallMilliseconds: rows.integer(0) ?? 0, number: rows.integer(1) ?? 0)
            if let reading = reader.reading(rows) { readings.append(reading) }
        }
        return (readings, count < limit ? nil : end)
    }

    /// The notifications of one epoch in the order of their time.
    ///
    /// - Parameters:
    ///   - epoch: The number of the epoch.
    ///   - range: Wall times in milliseconds since 1970 (UTC).
    ///   - limit: The most notifications.
    /// - Throws: ``StoreError``.
    public func notifications(
        ofEpoch epoch: Int64, in range: ClosedRange<Int64>, limit: Int
    ) throws(StoreError) -> [RecordedNotification] {
        let characteristics = meanings { $0 }
        var notifications: [RecordedNotification] = []
        try database.forEach(
            """
            SELECT sensor, characteristic, octets, monotonic_ns, wall_ms, mistake FROM notification
            WHERE wall_ms >= ?1 AND wall_ms <= ?2 AND epoch = ?3 ORDER BY wall_ms, id LIMIT ?4
            """, .integer(range.lowerBound), .integer(range.upperBound), .integer(epoch), .integer(Int64(limit))
        ) { row in
            guard let sensor = row.integer(0).flatMap({ self.sensor($0) }),
                let characteristic = row.integer(1).flatMap({ characteristics.at($0) }), let octets = row.blob(2),
                let monotonic = row.integer(3), let wall = row.integer(4)
            else { return }
            notifications.append(
                RecordedNotification(
                    RawNotification(
                        source: .sensor(sensor), characteristic: characteristic, octets: octets,
                        moment: Moment(monotonicNanoseconds: monotonic, wallMilliseconds: wall), mistake: row.text(5)),
                    sensor: sensor))
        }
        return notifications
    }
}
