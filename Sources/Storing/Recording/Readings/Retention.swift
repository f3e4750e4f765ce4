/// The limits of age and size of the store, and its pruning in small steps.
public struct Retention: Hashable, Sendable {
    /// The greatest age; `nil` for no limit.
    public var age: Duration?
    /// The greatest age of waves, which are never kept for longer than readings; `nil` for the same age.
    public var waveAge: Duration?
    /// The greatest age of the entries of the record; `nil` for no limit.
    public var entryAge: Duration?
    /// The size of the store in bytes above which first its oldest waves, then its oldest readings are removed; `nil` for
    /// no limit.
    public var size: Int64?

    /// Creates limits; by default everything is kept.
    public init(age: Duration? = nil, waveAge: Duration? = nil, entryAge: Duration? = nil, size: Int64? = nil) {
        self.age = age
        self.waveAge = waveAge
        self.entryAge = entryAge
        self.size = size
    }

    /// The greatest number of rows removed per step, which takes some milliseconds.
    static let stepSize: Int64 = 5000

    /// The smallest lead of the clock over the record that is reported, in milliseconds.
    private static let noticedLead: Int64 = 3_600_000

    /// The tables that are pruned, with the column of their time and its factor to milliseconds; entries have a
    /// separate age limit.
    private static let tables: [(name: String, column: String, factor: Int64)] = [
        ("reading", "wall_ms", 1), ("notification", "wall_ms", 1), ("rr", "wall_ms", 1), ("minute", "minute", 60_000),
        ("quarter", "quarter", QuarterTable.length),
        ("wearing", "to_wall_ms", 1), ("gap", "to_wall_ms", 1), ("alarm_log", "wall_ms", 1),
        ("night", "stored_wall_ms", 1),
    ]

    /// The tables whose oldest rows are removed when the store is too large; those of the first group as long as there are
    /// more than a step of them.
    private static let sizedTables = [["wave"], ["reading", "notification", "rr"]]

    /// The tables that are pruned by age, each with its limit in milliseconds.
    private var agedTables: [(table: (name: String, column: String, factor: Int64), age: Int64)] {
        // Longer than any record, and short enough for every sum.
        func milliseconds(_ age: Duration) -> Int64 { min(age.components.seconds, 3_155_760_000_000) * 1000 }
        let recorded = age.map { age in Self.tables.map { ($0, milliseconds(age)) } } ?? []
        let waves =
            [age, waveAge].compactMap { $0 }.min().map { [(("wave", "wall_ms", Int64(1)), milliseconds($0))] } ?? []
        return recorded + waves + (entryAge.map { [(("record_entry", "entered_wall_ms", 1), milliseconds($0))] } ?? [])
    }

    /// Removes a bounded number of the oldest rows beyond the limits.
    ///
    /// ``RecordAge`` determines their age, not the wall clock.
    ///
    /// - Parameter now: The wall time in milliseconds since 1970 (UTC).
    /// - Returns: Whether there is more to remove.
    func prune(_ database: SQLiteDatabase, now: Int64) throws(StoreError) -> Bool {
        let byAge = try pruneByAge(database, now: now)
        let bySize = try pruneBySize(database)
        return byAge || bySize
    }

    /// The lead of the wall clock over the trusted time, in milliseconds, if the wall clock alone would erase rows.
    ///
    /// - Returns: `nil` if no row is affected.
    func waitingLead(_ database: SQLiteDatabase, now: Int64) throws(StoreError) -> Int64? {
        let aged = agedTables
        guard !aged.isEmpty else { return nil }
        let lines = try ClockLine.read(from: database)
        guard let believed = RecordAge(lines).believedNow,
            now - believed >= Self.noticedLead
        else { return nil }
        for (table, age) in aged {
            let found = try database.integer(
                "SELECT 1 FROM \(table.name) WHERE \(table.column) >= ?1 AND \(table.column) < ?2 LIMIT 1",
                .integer((believed - age) / table.factor), .integer((now - age) / table.factor))
            if found != nil { return now - believed }
        }
        return nil
    }

    private func pruneByAge(_ database: SQLiteDatabase, now: Int64) throws(StoreError) -> Bool {
        let aged = agedTables
        guard !aged.isEmpty else { return false }
        let lines = try ClockLine.read(from: database)
        let record = RecordAge(lines)
        var isMore = false
        for (table, age) in aged {
            for range in record.erasable(olderThan: age, present: now)
            where try prune(table.name, table.column, table.factor, range, database) { isMore = true }
        }
        return isMore
    }

    private func prune(
        _ table: String, _ column: String, _ factor: Int64, _ range: Range<Int64>, _ database: SQLiteDatabase
    ) throws(StoreError) -> Bool {
        // Only rounded times whose whole unit is in the range.
        let start = range.lowerBound / factor + (range.lowerBound > 0 && range.lowerBound % factor != 0 ? 1 : 0)
        let bound = range.upperBound / factor
        let edge = try database.integer(
            """
            SELECT \(column) FROM \(table) WHERE \(column) >= ?1 AND \(column) < ?2
            ORDER BY \(column) LIMIT 1 OFFSET \(Self.stepSize)
            """, .integer(start), .integer(bound))
        try database.run(
            "DELETE FROM \(table) WHERE \(column) >= ?1 AND \(column) < ?2", .integer(start),
            .integer(edge ?? bound))
        return edge != nil
    }

    private func pruneBySize(_ database: SQLiteDatabase) throws(StoreError) -> Bool {
        guard let size, try Self.usedSize(of: database) > size else { return false }
        // Summaries of minutes are small and are kept until they are too old, so that trends reach farther back.
        for tables in Self.sizedTables where try pruneOldest(of: tables, database) {
            return try Self.usedSize(of: database) > size
        }
        return false
    }

    /// Removes a bounded number of the oldest rows of some tables; returns whether there were enough for that.
    private func pruneOldest(of tables: [String], _ database: SQLiteDatabase) throws(StoreError) -> Bool {
        let oldest = try oldestStretch(of: tables, database)
        var edge: Int64?
        for table in tables {
            let found = try database.integer(
                """
                SELECT wall_ms FROM \(table) WHERE wall_ms BETWEEN ?1 AND ?2
                ORDER BY wall_ms LIMIT 1 OFFSET \(Self.stepSize)
                """, .integer(oldest.range.lowerBound), .integer(oldest.range.upperBound))
            if let found { edge = min(edge ?? found, found) }
        }
        if edge == nil, oldest.isNewest { return false }
        for table in tables {
            try database.run(
                "DELETE FROM \(table) WHERE wall_ms >= ?1 AND wall_ms <= ?2", .integer(oldest.range.lowerBound),
                .integer(edge.map { $0 - 1 } ?? oldest.range.upperBound))
        }
        return true
    }

    /// The wall times of the stretch that was recorded first among those with rows of some tables, whatever the wall
    /// clock showed then; all times if no stretch has any.
    private func oldestStretch(
        of tables: [String], _ database: SQLiteDatabase
    ) throws(StoreError) -> (range: ClosedRange<Int64>, isNewest: Bool) {
        let lines = try ClockLine.read(from: database)
        let stretches = lines.map { $0.wall...$0.offset + $0.ended }
        for (index, range) in stretches.enumerated() {
            for table in tables {
                let found = try database.integer(
                    "SELECT 1 FROM \(table) WHERE wall_ms BETWEEN ?1 AND ?2 LIMIT 1", .integer(range.lowerBound),
                    .integer(range.upperBound))
                if found != nil { return (range, index == stretches.count - 1) }
            }
        }
        return (.min ... .max, true)
    }

    /// The number of bytes of the file in use; freed pages are reused, so the file need not grow.
    static func usedSize(of database: SQLiteDatabase) throws(StoreError) -> Int64 {
        let pages = try database.integer("PRAGMA page_count") ?? 0
        let free = try database.integer("PRAGMA freelist_count") ?? 0
        return (pages - free) * (try database.integer("PRAGMA page_size") ?? 0)
    }
}
