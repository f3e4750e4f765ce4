import Monitoring
import UserFiles
import Vitals

/// A store of another computer's records, with the same tables; each row is stored once, however often it is sent.
///
/// Use it on one thread. When ``append(_:)`` returns, the rows are on the disk.
public final class CollectedStore {
    private let database: SQLiteDatabase
    private var readings: ReadingStore
    private let retention: Retention
    private let use: FileUse?
    /// The new path of a damaged store that was found in its place; `nil` for none.
    public let damagedStore: String?

    /// The version of the program in the epochs, because the recording one is not known here.
    private static let programVersion = "collected"
    /// The first number of epochs after a clock change; the first epoch of a run has the run's own number.
    private static let firstOtherEpoch: Int64 = 1 << 40
    /// How far both clocks may drift apart within an epoch, in milliseconds.
    private static let drift: Int64 = 1000

    /// Opens a store, and creates it if it is missing.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - day: Today's date, for a damaged store's name.
    ///   - retention: How long readings are kept.
    ///   - isDoubted: Whether an error suggests that the file is damaged, so that the whole file is checked.
    /// - Throws: ``StoreError``.
    public init(
        path: String, day: String, retention: Retention, isDoubted: Bool = false
    ) throws(StoreError) {
        let opened = try StoreFile.open(path, day: day, isDoubted: isDoubted)
        (database, damagedStore) = (opened.database, opened.damagedStore)
        readings = ReadingStore(database, run: 0)
        self.retention = retention
        use = try? FileUse(of: path)
        use?.share()
    }

    /// Stores rows, except those that are stored already.
    ///
    /// - Returns: The number of new rows.
    /// - Throws: ``StoreError``; then none of them is stored.
    public func append(_ rows: [RecordedBatch.Row]) throws(StoreError) -> Int {
        var (readings, count) = (readings, 0)
        try database.transaction { () throws(StoreError) in
            for row in rows {
                let isNew =
                    switch row.content {
                    case .reading(let reading):
                        try readings.append(
                            reading, number: row.number, epoch: try epoch(at: reading.moment, run: row.run))
                    case .rrIntervals(let intervals):
                        try readings.append(
                            intervals, number: row.number, epoch: try epoch(at: intervals.moment, run: row.run))
                    case .alarmLog(let entry): try append(entry, run: row.run)
                    case .entry(let entry, let patient): try append(entry, of: patient, run: row.run)
                    }
                if isNew { count += 1 }
            }
            try readings.settle()
        }
        self.readings = readings
        return count
    }

    /// Removes a bounded number of readings beyond the limits.
    ///
    /// - Parameter now: The wall time in milliseconds since 1970 (UTC).
    /// - Returns: Whether there is more to remove.
    /// - Throws: ``StoreError``.
    public func prune(now: Int64) throws(StoreError) -> Bool {
        try database.transaction { () throws(StoreError) in try retention.prune(database, now: now) }
    }

    private func append(_ entry: AlarmLogEntry, run: Int64) throws(StoreError) -> Bool {
        // The log refers to the run, which must exist.
        _ = try epoch(at: entry.moment, run: run)
        return try AlarmStore(database: database).appendUnlessThere(entry, run: run)
    }

    /// Stores an entry of the record, or its retraction.
    private func append(_ entry: RecordEntry, of patient: Int, run: Int64) throws(StoreError) -> Bool {
        let known = try database.integer(
            "SELECT 1 FROM record_entry WHERE entered_wall_ms = ?1 AND entered_monotonic_ns = ?2",
            .integer(entry.enteredAt.wallMilliseconds), .integer(entry.enteredAt.monotonicNanoseconds))
        let epoch = try epoch(at: entry.enteredAt, run: run)
        try EntryStore(database: database).append(entry, run: epoch, patient: patient)
        return known == nil
    }

    /// The epoch whose clocks match a moment; a new one if there is none.
    private func epoch(at moment: Moment, run: Int64) throws(StoreError) -> Int64 {
        let offset = moment.wallMilliseconds - moment.monotonicNanoseconds / 1_000_000
        let known = try database.integer(
            """
            SELECT id FROM epoch WHERE ifnull(run, id) = ?1 AND abs(wall_ms - monotonic_ns / 1000000 - ?2) <= \(Self.drift)
            ORDER BY id DESC LIMIT 1
            """, .integer(run), .integer(offset))
        if let known { return known }
        let isFirst = try database.integer("SELECT 1 FROM epoch WHERE id = ?1", .integer(run)) == nil
        let number: Int64 =
            isFirst
            ? run
            : max(Self.firstOtherEpoch, try database.integer("SELECT max(id) FROM epoch") ?? 0) + 1
        try database.run(
            """
            INSERT INTO epoch (id, wall_ms, monotonic_ns, program_version, cause, run, last_wall_ms, running_ms,
                last_running_ms)
            SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?2, running, running
            FROM (SELECT ifnull(max(last_running_ms), 0) AS running FROM epoch)
            """,
            .integer(number), .integer(moment.wallMilliseconds), .integer(moment.monotonicNanoseconds),
            .text(Self.programVersion), .text(isFirst ? GapReason.program.rawValue : GapReason.clockSet.rawValue),
            isFirst ? .null : .integer(run))
        return number
    }
}
