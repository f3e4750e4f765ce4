import UserFiles
import Vitals

/// A store of readings that another computer has recorded, with the same tables; each reading is stored once, by its key.
///
/// It belongs to one thread. What ``append(_:)`` has returned from is on the disk.
public final class CollectedStore {
    private let database: SQLiteDatabase
    private var readings: ReadingStore
    private let retention: Retention
    private let use: FileUse?

    /// A reading with its key within its store.
    public struct Row: Hashable, Sendable {
        /// The reading.
        public var reading: Reading
        /// What distinguishes it from others of its millisecond.
        public var number: Int64
        /// The run of the program that recorded it.
        public var run: Int64

        public init(reading: Reading, number: Int64, run: Int64) {
            (self.reading, self.number, self.run) = (reading, number, run)
        }
    }

    /// The version of the program in the epochs, because the recording one is not known here.
    private static let programVersion = "collected"
    /// The first number of the epochs after a clock was set; those of runs have the runs' own numbers.
    private static let firstOtherEpoch: Int64 = 1 << 40
    /// How far both clocks may drift apart within an epoch, in milliseconds.
    private static let drift: Int64 = 1000

    /// Opens a store, and creates it if it is missing.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - day: Today's date, which becomes part of a damaged store's name.
    ///   - retention: How long readings are kept.
    /// - Throws: ``StoreError``.
    public init(path: String, day: String, retention: Retention) throws(StoreError) {
        database = try StoreFile.open(path, day: day).database
        // A collector has hundreds open, and appends: 256 KiB of pages in place of SQLite's usual 2 MB.
        try database.execute("PRAGMA cache_size = -256")
        readings = ReadingStore(database, run: 0)
        self.retention = retention
        use = try? FileUse(of: path)
        use?.share()
    }

    /// Stores readings, except those that are stored already.
    ///
    /// - Returns: How many were new.
    /// - Throws: ``StoreError``; then none of them is stored.
    public func append(_ rows: [Row]) throws(StoreError) -> Int {
        var (readings, count) = (readings, 0)
        try database.transaction { () throws(StoreError) in
            for row in rows {
                let epoch = try epoch(of: row)
                if try readings.append(row.reading, number: row.number, epoch: epoch) { count += 1 }
            }
            try readings.end()
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

    /// The epoch in which both clocks run together as in a reading; begun where there is none.
    private func epoch(of row: Row) throws(StoreError) -> Int64 {
        let moment = row.reading.moment
        let offset = moment.wallMilliseconds - moment.monotonicNanoseconds / 1_000_000
        let known = try database.integer(
            """
            SELECT id FROM epoch WHERE ifnull(run, id) = ?1 AND abs(wall_ms - monotonic_ns / 1000000 - ?2) <= \(Self.drift)
            ORDER BY id DESC LIMIT 1
            """, .integer(row.run), .integer(offset))
        if let known { return known }
        let isFirst = try database.integer("SELECT 1 FROM epoch WHERE id = ?1", .integer(row.run)) == nil
        let number: Int64 =
            isFirst
            ? row.run
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
            isFirst ? .null : .integer(row.run))
        return number
    }
}
