import CSQLite
import TestSupport

extension FileMutator {
    /// Damages a store: its bytes, its content by SQL, its schema, or several of them.
    mutating func damageStore(_ path: String, write: ([UInt8]) throws -> Void) throws {
        if below(3) == 0 { return try write(damaged(SeedStore.bytes)) }
        try write(SeedStore.bytes)
        var connection: OpaquePointer?
        guard sqlite3_open(path, &connection) == SQLITE_OK else { return }
        defer { sqlite3_close(connection) }
        // What SQLite refuses leaves the store as it was.
        for _ in 0...below(3) { sqlite3_exec(connection, damage(), nil, nil, nil) }
    }

    /// Columns of whole numbers that the program calculates with.
    private static let columns: [(table: String, columns: [String])] = [
        (
            "reading",
            ["wall_ms", "n", "epoch", "drift_ns", "sensor", "vital", "value", "quality", "absence", "site"]
        ),
        ("epoch", ["id", "wall_ms", "monotonic_ns", "run", "last_wall_ms"]),
        ("notification", ["epoch", "wall_ms", "monotonic_ns", "sensor", "characteristic"]),
        ("minute", ["minute", "sensor", "vital", "readings", "total", "minimum", "maximum", "last", "absence"]),
        ("quarter", ["quarter", "vital", "reports"]),
        ("wearing", ["epoch", "sensor", "from_wall_ms", "to_wall_ms", "readings", "ending"]),
        ("gap", ["from_wall_ms", "to_wall_ms", "reason"]), ("word", ["id"]), ("sensor", ["id"]),
        ("alarm_log", ["wall_ms", "monotonic_ns", "episode", "since_wall_ms", "value", "peak", "until_wall_ms"]),
        ("remembered_sensor", ["id", "wanted", "battery", "battery_wall_ms"]),
        ("changed_limit", ["id", "value", "milliseconds"]),
        ("neutrophil_count", ["per_microlitre", "sampled_wall_ms"]),
        ("record_entry", ["taken_wall_ms", "entered_wall_ms", "entered_monotonic_ns", "value", "content"]),
    ]

    /// Values of other kinds than the columns are made for.
    private static let strangers = [
        "NULL", "'many'", "''", "x'00ff'", "9e999", "-9e999", "1e300", "0.5", "zeroblob(100000)", "'12 monkeys'",
    ]

    private mutating func damage() -> String {
        let (table, columns) = one(of: Self.columns)
        let column = one(of: columns)
        // Readings and minutes have no number of their own, so a row is found by its place.
        let row = "(SELECT \(column) FROM \(table) LIMIT 1 OFFSET \(below(300)))"
        switch below(10) {
        case 0, 1, 2: return "UPDATE OR REPLACE \(table) SET \(column) = \(extremeInteger()) WHERE \(column) = \(row)"
        case 3:
            return "UPDATE OR IGNORE \(table) SET \(column) = \(column) + \(extremeInteger()) WHERE \(column) > \(row)"
        case 4:
            return loosened(table)
                + "UPDATE \(table) SET \(column) = \(one(of: Self.strangers)) WHERE \(column) >= \(row)"
        case 5: return disguised(table, column)
        case 6:
            return """
                INSERT INTO reading SELECT \(below(2) == 0 ? "wall_ms" : "wall_ms + value"), n + 10 + v.i, epoch,
                \(below(2) == 0 ? "drift_ns" : "5000000000000"), sensor, vital, value, quality, absence, site,
                device_time FROM reading, (WITH RECURSIVE v(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM v LIMIT 60)
                SELECT i FROM v) AS v
                """
        case 7:
            let (first, second) = (extremeInteger(), extremeInteger())
            return one(of: [
                "UPDATE wearing SET from_wall_ms = \(first), to_wall_ms = \(second)",
                "UPDATE gap SET from_wall_ms = \(first), to_wall_ms = \(second)",
                "UPDATE epoch SET wall_ms = \(first), last_wall_ms = \(second), monotonic_ns = \(second)",
                "UPDATE record_entry SET taken_wall_ms = \(first), entered_monotonic_ns = \(second) WHERE id = 1",
                "UPDATE sensor SET name = hex(zeroblob(200000)), address = char(27) || address",
                "UPDATE sensor SET kind = 'x', address = ''", "UPDATE word SET text = text || 'x'",
                "DELETE FROM epoch", "UPDATE epoch SET run = id + 1, cause = 'clock_set'",
                "UPDATE reading SET device_time = '99999999999999999999-99-99T99:99:99'",
                "UPDATE alarm_log SET episodes = '9223372036854775807 -1 x', text = char(27, 155, 8206)",
            ])
        case 8:
            return "PRAGMA \(one(of: ["user_version", "application_id"])) = \(extremeInteger() % (1 << 31))"
        default: return "PRAGMA page_size = \(512 << below(8)); VACUUM"
        }
    }

    /// What makes a table one that takes values of every kind.
    private func loosened(_ table: String) -> String {
        "CREATE TABLE loose AS SELECT * FROM \(table); DROP TABLE \(table); ALTER TABLE loose RENAME TO \(table);"
    }

    /// What puts something else in place of a table: a view that is endless, goes in a circle or looks the same, a
    /// computed column, or nothing.
    private mutating func disguised(_ table: String, _ column: String) -> String {
        let aside = "ALTER TABLE \(table) RENAME TO aside;"
        switch below(6) {
        case 0: return "DROP TABLE \(table)"
        case 1: return aside + "CREATE VIEW \(table) AS SELECT * FROM aside"
        case 2:
            return aside + "CREATE VIEW \(table) AS SELECT * FROM circle; CREATE VIEW circle AS SELECT * FROM \(table)"
        case 3:
            return aside + """
                CREATE VIEW \(table) AS WITH RECURSIVE v(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM v)
                SELECT aside.* FROM aside, v
                """
        case 4: return "ALTER TABLE \(table) DROP COLUMN \(column)"
        default:
            return "ALTER TABLE \(table) DROP COLUMN \(column); "
                + "ALTER TABLE \(table) ADD COLUMN \(column) INTEGER AS (length(hex(zeroblob(100000000))))"
        }
    }
}
