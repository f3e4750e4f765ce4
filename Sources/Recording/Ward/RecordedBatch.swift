import Vitals

/// Some recorded readings in the order in which they were recorded, for a collector.
///
/// The order is that of epochs, and of time within each: where the clock was set back, later readings have earlier times.
public struct RecordedBatch: Hashable, Sendable {
    /// A recorded reading with the number that distinguishes it from others of its millisecond.
    public struct Row: Hashable, Sendable {
        /// The reading.
        public var reading: RecordedReading
        /// The number.
        public var number: Int64
    }

    /// When a store began, by both clocks; it names the store wherever it is copied to.
    public struct Beginning: Hashable, Sendable {
        /// Milliseconds since 1970 (UTC).
        public var wallMilliseconds: Int64
        /// Nanoseconds since the computer started.
        public var monotonicNanoseconds: Int64
    }

    /// The store.
    public var store: Beginning
    /// The readings.
    public var rows: [Row]
    /// Where the next batch begins.
    public var next: HistoryCursor

    /// Reads the readings that follow a cursor.
    ///
    /// - Parameters:
    ///   - path: The store.
    ///   - cursor: Where the last batch ended; `nil` for the beginning.
    ///   - count: How many at most.
    /// - Returns: `nil` where nothing was recorded yet.
    /// - Throws: ``StoreError``.
    public static func read(
        from path: String, after cursor: HistoryCursor?, atMost count: Int
    ) throws(StoreError) -> RecordedBatch? {
        guard let history = try StoredHistory.open(path) else { return nil }
        return try history.batch(after: cursor, atMost: count)
    }
}

extension StoredHistory {
    /// How much earlier than its epoch a reading may be, in milliseconds.
    private static let slack: Int64 = 60_000

    func batch(after cursor: HistoryCursor?, atMost count: Int) throws(StoreError) -> RecordedBatch? {
        var epochs: [(number: Int64, wall: Int64, monotonic: Int64)] = []
        try database.forEach("SELECT id, wall_ms, monotonic_ns FROM epoch ORDER BY id") { row in
            epochs.append((row.integer(0) ?? 0, row.integer(1) ?? 0, row.integer(2) ?? 0))
        }
        guard let first = epochs.first else { return nil }
        let store = RecordedBatch.Beginning(wallMilliseconds: first.wall, monotonicNanoseconds: first.monotonic)
        // A cursor of another store says nothing.
        let known = cursor.flatMap { $0.store == store ? $0 : nil }
        var next = known ?? HistoryCursor(store: store, epoch: first.number, wallMilliseconds: .min, number: -1)
        let reader = RowReader(self)
        for epoch in epochs where epoch.number >= next.epoch {
            if epoch.number > next.epoch {
                next = HistoryCursor(
                    store: store, epoch: epoch.number, wallMilliseconds: epoch.wall - Self.slack, number: -1)
            }
            let rows = try rows(after: &next, atMost: count, reader)
            if !rows.isEmpty { return RecordedBatch(store: store, rows: rows, next: next) }
        }
        return RecordedBatch(store: store, rows: [], next: next)
    }

    private func rows(
        after next: inout HistoryCursor, atMost count: Int, _ reader: RowReader
    ) throws(StoreError) -> [RecordedBatch.Row] {
        let found = try database.statement(
            """
            SELECT wall_ms, n, epoch, monotonic_ns, sensor, vital, value, quality, absence, site, device_time, \(late)
            FROM reading WHERE (wall_ms, n) > (?1, ?2) AND epoch = ?3 ORDER BY wall_ms, n LIMIT ?4
            """)
        defer { found.reset() }
        try found.bind([
            .integer(next.wallMilliseconds), .integer(next.number), .integer(next.epoch), .integer(Int64(count)),
        ])
        var rows: [RecordedBatch.Row] = []
        while try found.step() {
            next.wallMilliseconds = found.integer(0) ?? next.wallMilliseconds
            next.number = found.integer(1) ?? next.number
            // Unreadable rows come from another version.
            if let reading = reader.reading(found) {
                rows.append(RecordedBatch.Row(reading: reading, number: next.number))
            }
        }
        return rows
    }
}
