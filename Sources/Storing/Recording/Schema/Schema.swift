/// The tables of the store, as steps from one version to the next.
///
/// A step that was ever released is never changed: a store of that version exists somewhere. The version of a file is
/// SQLite's `user_version`; `application_id` marks the file as Bedside's.
enum Schema {
    /// `application_id` of our files: "BEDS" in ASCII.
    static let applicationIdentifier: Int64 = 0x4245_4453

    /// The step from version *n* to *n* + 1, by *n*.
    static let steps: [String] = [
        version1, version2, version3, version4, version5, version6, version7, version8, version9, version10,
        version11,
    ]

    /// The first version that has readings.
    static let versionWithReadings: Int64 = 2

    /// The first version that has manual entries.
    static let versionWithEntries: Int64 = 3

    /// The first version with late readings.
    static let versionWithLateReadings: Int64 = 5

    /// The first version that remembers sensors and changed limits.
    static let versionWithMemory: Int64 = 6

    /// The first version whose entries may come from sensors.
    static let versionWithSensorEntries: Int64 = 7

    /// The first version that has blood counts, medication, symptoms and corrections.
    static let versionWithCareEntries: Int64 = 10

    /// The first version that separates patients and has imported entries.
    static let versionWithPatients: Int64 = 11

    /// The first version that has RR intervals.
    static let versionWithRRIntervals: Int64 = 8

    /// The version that this program reads and writes.
    static var version: Int64 { Int64(steps.count) }

    /// Migrates a database to the present version, if necessary.
    ///
    /// - Throws: ``StoreError``: `tooNew` when a newer program made the file, `corrupt` when it is another program's.
    static func migrate(_ database: SQLiteDatabase) throws(StoreError) {
        let found = try checkedVersion(of: database)
        guard found < version else { return }
        try database.transaction { () throws(StoreError) in
            // Another program may have migrated it meanwhile.
            let present = try checkedVersion(of: database)
            for step in steps.dropFirst(Int(present)) { try database.execute(step) }
            try database.execute("PRAGMA application_id = \(applicationIdentifier)")
            try database.execute("PRAGMA user_version = \(version)")
        }
    }

    /// The version of a file that this program can use; 0 for an empty one.
    static func checkedVersion(of database: SQLiteDatabase) throws(StoreError) -> Int64 {
        let found = try database.integer("PRAGMA user_version") ?? 0
        let identifier = try database.integer("PRAGMA application_id") ?? 0
        let isEmpty = try database.integer("SELECT count(*) FROM sqlite_schema") == 0
        guard isEmpty || identifier == applicationIdentifier, found >= 0 else {
            throw StoreError(
                .corrupt, "\(database.path) is an SQLite file of another program, not a store of Bedside")
        }
        guard found <= version else {
            throw StoreError(
                .tooNew,
                "\(database.path) was written by a newer version of Bedside (its format is \(found), this program knows"
                    + " \(version)); use the newer program, or move the file away")
        }
        return found
    }

    /// Alarms: everything that became of every episode, and what people did about them, in the order in which it
    /// happened.
    ///
    /// Times are stored as both clocks saw them: `wall_ms` in milliseconds since 1970 (UTC), for reading;
    /// `monotonic_ns` in nanoseconds since the computer started, for durations within an epoch. Values are in
    /// hundredths of the vital's unit. A row is about an alarm (`kind` …) or an action (`actor` …).
    private static let version1 = """
        CREATE TABLE epoch (
            id INTEGER PRIMARY KEY,
            wall_ms INTEGER NOT NULL,
            monotonic_ns INTEGER NOT NULL,
            program_version TEXT NOT NULL
        ) STRICT;
        CREATE TABLE sensor (
            id INTEGER PRIMARY KEY,
            address TEXT NOT NULL,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            UNIQUE (address, name, kind)
        ) STRICT;
        CREATE TABLE alarm_log (
            id INTEGER PRIMARY KEY,
            epoch INTEGER NOT NULL REFERENCES epoch (id),
            wall_ms INTEGER NOT NULL,
            monotonic_ns INTEGER NOT NULL,
            episode INTEGER,
            since_wall_ms INTEGER,
            kind TEXT,
            class TEXT,
            priority TEXT,
            state TEXT,
            sensor INTEGER REFERENCES sensor (id),
            vital TEXT,
            site TEXT,
            value INTEGER,
            peak INTEGER,
            crossed_limit INTEGER,
            actor TEXT,
            action TEXT,
            episodes TEXT,
            until_wall_ms INTEGER,
            text TEXT NOT NULL,
            CHECK ((kind IS NULL) = (action IS NOT NULL))
        ) STRICT;
        CREATE INDEX alarm_log_by_time ON alarm_log (wall_ms);
        """
}
