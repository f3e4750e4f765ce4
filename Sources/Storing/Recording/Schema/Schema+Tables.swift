extension Schema {
    /// The tables that each version added, by its number less 1.
    private static let tables: [[String]] = [
        ["alarm_log", "epoch", "sensor"],
        ["gap", "minute", "notification", "reading", "wearing", "word"],
        ["manual_entry"],
        [],
        [],
        ["changed_limit", "neutrophil_count", "owned_link", "remembered_sensor"],
        [],
        ["rr"],
        [],
        [],
        ["deferred_reminder", "patient_record"],
    ]

    /// The name of a table in a version, where it had another one once.
    private static func name(of table: String, in version: Int64) -> String {
        table == "manual_entry" && version >= versionWithSensorEntries ? "record_entry" : table
    }

    /// Checks that a file has the tables of its version, and that they are plain ones: a view or a computed column
    /// could run without end.
    ///
    /// - Throws: ``StoreError``: `corrupt` when a table is missing or not plain.
    static func requireTables(of version: Int64, in database: SQLiteDatabase) throws(StoreError) {
        for original in tables.prefix(Int(clamping: version)).joined() {
            let table = name(of: original, in: version)
            let count = try database.integer(
                "SELECT count(*) FROM sqlite_schema WHERE name = ?1 AND type = 'table' AND rootpage > 0", .text(table))
            let computed = try database.integer(
                "SELECT count(*) FROM pragma_table_xinfo(?1) WHERE hidden <> 0", .text(table))
            guard count == 1, computed == 0 else {
                throw StoreError(
                    .corrupt,
                    "\(database.path) is damaged or not a store of Bedside (`\(table)` is not one of its tables)")
            }
        }
    }
}
