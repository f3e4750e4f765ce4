/// The tables of the store, as steps from one version to the next.
///
/// A step that was ever released is never changed: a store of that version exists somewhere. The version of a file is
/// SQLite's `user_version`; `application_id` marks the file as Bedside's.
enum Schema {
    /// A step from one version to the next.
    struct Step {
        /// The tables that it adds.
        var tables: [String]
        /// The statements that create them and change other tables.
        var sql: String
    }

    /// `application_id` of our files: "Beds" in ASCII.
    static let applicationIdentifier: Int64 = 0x4265_6473

    /// `application_id` of the stores that development versions made before the first release: "BEDS" in ASCII.
    static let developmentIdentifier: Int64 = 0x4245_4453

    /// The step from version *n* to *n* + 1, by *n*.
    static let steps: [Step] = [version1]

    /// The version that this program reads and writes.
    static var version: Int64 { Int64(steps.count) }

    /// Migrates a database to the version after the last step, if necessary.
    ///
    /// - Throws: ``StoreError``: `otherVersion` when a newer program or a development version made the file, `corrupt`
    ///   when it is another program's.
    static func migrate(_ database: SQLiteDatabase, by steps: [Step] = steps) throws(StoreError) {
        let found = try checkedVersion(of: database, steps)
        guard found < steps.count else { return }
        try database.transaction { () throws(StoreError) in
            // Another program may have migrated it meanwhile.
            let present = try checkedVersion(of: database, steps)
            for step in steps.dropFirst(Int(present)) { try database.execute(step.sql) }
            try database.execute("PRAGMA application_id = \(applicationIdentifier)")
            try database.execute("PRAGMA user_version = \(steps.count)")
        }
    }

    /// The version of a file that this program can use; 0 for an empty one.
    ///
    /// Its tables are plain ones: a view or a computed column in place of one could run without end.
    ///
    /// - Throws: ``StoreError``: `otherVersion` when a newer program or a development version made the file, `corrupt`
    ///   when it is another program's, or a table is missing or not plain.
    static func checkedVersion(
        of database: SQLiteDatabase, _ steps: [Step] = steps
    ) throws(StoreError) -> Int64 {
        let found = try database.integer("PRAGMA user_version") ?? 0
        let identifier = try database.integer("PRAGMA application_id") ?? 0
        try refuseOtherVersion(identifier, found, of: database.path, steps)
        if try database.integer("SELECT count(*) FROM sqlite_schema") == 0, found == 0 { return 0 }
        guard identifier == applicationIdentifier, found > 0 else {
            throw StoreError(
                .corrupt, "\(database.path) is an SQLite file of another program, not a store of Bedside")
        }
        for table in steps.prefix(Int(found)).flatMap(\.tables) { try requireTable(table, in: database) }
        return found
    }

    /// Refuses the file of another version of Bedside, by its application identifier and format.
    ///
    /// - Throws: ``StoreError``: `otherVersion`.
    static func refuseOtherVersion(
        _ identifier: Int64, _ version: Int64, of path: String, _ steps: [Step] = steps
    ) throws(StoreError) {
        if identifier == developmentIdentifier {
            throw StoreError(
                .otherVersion,
                // The alarm's line has room for what comes first.
                "\(path) was made by a development version of Bedside; move it away (it is from before the first release:"
                    + " only that version reads it, and it is left as it is)")
        }
        if identifier == applicationIdentifier, version > steps.count {
            throw StoreError(
                .otherVersion,
                "\(path) was written by a newer version of Bedside (its format is \(version), this program knows"
                    + " \(steps.count)); use the newer program, or move the file away")
        }
    }

    private static func requireTable(_ table: String, in database: SQLiteDatabase) throws(StoreError) {
        let count = try database.integer(
            "SELECT count(*) FROM sqlite_schema WHERE name = ?1 AND type = 'table' AND rootpage > 0", .text(table))
        let computed = try database.integer(
            "SELECT count(*) FROM pragma_table_xinfo(?1) WHERE hidden <> 0", .text(table))
        guard count == 1, computed == 0 else {
            throw StoreError(
                .corrupt, "\(database.path) is damaged or not a store of Bedside (`\(table)` is not one of its tables)")
        }
    }
}
