/// Which part of the store is kept, and the small steps in which the rest goes.
public struct Retention: Hashable, Sendable {
    /// How long everything is kept; `nil` for ever.
    public var age: Duration?
    /// How many octets the store may fill before its oldest readings go; `nil` for no bound.
    public var size: Int64?

    /// Describes what is kept; everything, unless it is said otherwise.
    public init(age: Duration? = nil, size: Int64? = nil) {
        self.age = age
        self.size = size
    }

    /// How many rows of a table a step removes at most; it takes some milliseconds.
    static let stepSize: Int64 = 5000

    /// The tables that are pruned, with the column of their time and what makes milliseconds of it.
    private static let tables: [(name: String, column: String, factor: Int64)] = [
        ("reading", "wall_ms", 1), ("notification", "wall_ms", 1), ("minute", "minute", 60_000),
        ("wearing", "to_wall_ms", 1), ("gap", "to_wall_ms", 1), ("alarm_log", "wall_ms", 1),
        ("manual_entry", "taken_wall_ms", 1),
    ]

    /// Removes the oldest rows that are not to be kept, a bounded number of them.
    ///
    /// - Parameter now: The wall time in milliseconds since 1970 (UTC).
    /// - Returns: Whether there is more to remove.
    func prune(_ database: SQLiteDatabase, now: Int64) throws(StoreFailure) -> Bool {
        let byAge = try pruneByAge(database, now: now)
        let bySize = try pruneBySize(database)
        return byAge || bySize
    }

    private func pruneByAge(_ database: SQLiteDatabase, now: Int64) throws(StoreFailure) -> Bool {
        guard let age else { return false }
        let oldest = now - age.components.seconds * 1000
        var isMore = false
        for table in Self.tables {
            let bound = oldest / table.factor
            let edge = try database.integer(
                """
                SELECT \(table.column) FROM \(table.name) WHERE \(table.column) < ?1
                ORDER BY \(table.column) LIMIT 1 OFFSET \(Self.stepSize)
                """, .integer(bound))
            try database.run("DELETE FROM \(table.name) WHERE \(table.column) < ?1", .integer(edge ?? bound))
            if edge != nil { isMore = true }
        }
        return isMore
    }

    private func pruneBySize(_ database: SQLiteDatabase) throws(StoreFailure) -> Bool {
        guard let size, try Self.usedSize(of: database) > size else { return false }
        // Sums by the minute are small, and stay until they are too old, so that the trends reach farther back.
        let edge = try database.integer(
            """
            SELECT min(wall_ms) FROM (
                SELECT * FROM (SELECT wall_ms FROM reading ORDER BY wall_ms LIMIT 1 OFFSET \(Self.stepSize))
                UNION ALL
                SELECT * FROM (SELECT wall_ms FROM notification ORDER BY wall_ms LIMIT 1 OFFSET \(Self.stepSize)))
            """)
        guard let edge else { return false }
        for table in ["reading", "notification"] {
            try database.run("DELETE FROM \(table) WHERE wall_ms < ?1", .integer(edge))
        }
        return try Self.usedSize(of: database) > size
    }

    /// How many octets of the file are in use; what was freed is used again, so that the file need not grow.
    static func usedSize(of database: SQLiteDatabase) throws(StoreFailure) -> Int64 {
        let pages = try database.integer("PRAGMA page_count") ?? 0
        let free = try database.integer("PRAGMA freelist_count") ?? 0
        return (pages - free) * (try database.integer("PRAGMA page_size") ?? 0)
    }
}
