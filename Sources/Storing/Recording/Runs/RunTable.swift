import Vitals

/// The runs of the program in the store, each identified by its first epoch.
struct RunTable {
    let database: SQLiteDatabase

    /// Begins a run, and records the gap before it.
    ///
    /// - Parameters:
    ///   - known: The number of this run, if it may have begun in this store already.
    ///   - isAlone: Whether no other program records into the store; otherwise there is no gap.
    /// - Returns: Its number.
    func begin(
        at moment: Moment, programVersion: String, known: Int64? = nil, isAlone: Bool = true
    ) throws(StoreError) -> Int64 {
        let (wall, monotonic) = (moment.wallMilliseconds, moment.monotonicNanoseconds)
        if let known {
            let found = try database.integer(
                "SELECT id FROM epoch WHERE id = ?1 AND wall_ms = ?2 AND monotonic_ns = ?3", .integer(known),
                .integer(wall), .integer(monotonic))
            if found != nil { return known }
        }
        return try database.transaction { () throws(StoreError) in
            try insert(at: moment, programVersion: programVersion, isAlone: isAlone)
        }
    }

    /// Begins a run within the caller's transaction; parameters as for ``begin(at:programVersion:known:isAlone:)``.
    ///
    /// - Returns: Its number.
    func insert(at moment: Moment, programVersion: String, isAlone: Bool = true) throws(StoreError) -> Int64 {
        let (wall, monotonic) = (moment.wallMilliseconds, moment.monotonicNanoseconds)
        let before = try database.integer("SELECT max(ifnull(last_wall_ms, wall_ms)) FROM epoch")
        try database.run(
            """
            INSERT INTO epoch (wall_ms, monotonic_ns, program_version, last_wall_ms, running_ms, last_running_ms)
            SELECT ?1, ?2, ?3, ?1, running, running
            FROM (SELECT ifnull(max(last_running_ms), 0) AS running FROM epoch)
            """,
            .integer(wall), .integer(monotonic), .text(programVersion))
        let run = database.lastInsertedRow
        if isAlone, let before, before < wall {
            var readings = ReadingStore(database, run: run)
            try readings.appendGap(from: before, to: wall, reason: GapReason.program.rawValue)
        }
        return run
    }
}
