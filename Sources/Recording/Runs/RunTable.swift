import Vitals

/// The runs of the program in the store: each is the epoch that it began with.
struct RunTable {
    let database: SQLiteDatabase

    /// Begins a run, and tells from when to when there was none before it.
    ///
    /// - Parameter known: The number of this run, where it may have begun in this store already.
    /// - Returns: Its number.
    func begin(at moment: Moment, programVersion: String, known: Int64? = nil) throws(StoreFailure) -> Int64 {
        let (wall, monotonic) = (moment.wallMilliseconds, moment.monotonicNanoseconds)
        if let known {
            let found = try database.integer(
                "SELECT id FROM epoch WHERE id = ?1 AND wall_ms = ?2 AND monotonic_ns = ?3", .integer(known),
                .integer(wall), .integer(monotonic))
            if found != nil { return known }
        }
        return try database.transaction { () throws(StoreFailure) in
            let before = try database.integer("SELECT max(ifnull(last_wall_ms, wall_ms)) FROM epoch")
            try database.run(
                "INSERT INTO epoch (wall_ms, monotonic_ns, program_version, last_wall_ms) VALUES (?1, ?2, ?3, ?1)",
                .integer(wall), .integer(monotonic), .text(programVersion))
            let run = database.lastInsertedRow
            if let before, before < wall {
                var readings = ReadingStore(database, run: run)
                try readings.appendGap(from: before, to: wall, reason: GapReason.program.rawValue)
            }
            return run
        }
    }
}
