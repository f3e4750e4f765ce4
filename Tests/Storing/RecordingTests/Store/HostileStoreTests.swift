import CSQLite
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("A store from anybody")
struct HostileStoreTests {
    static let tables = [
        "alarm_log", "changed_limit", "deferred_reminder", "device_user", "epoch", "fetched_night", "gap",
        "left_out_measurement", "minute", "neutrophil_count", "night", "notification", "owned_link", "patient_record",
        "quarter", "reading", "record_entry", "remembered_sensor", "rr", "running_wave", "sensor", "waiting_entry",
        "wave", "wearing", "word",
    ]

    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder.path + "/store.sqlite"
        try Schema.migrate(SQLiteDatabase(path: path))
    }

    private func change(_ sql: String) throws {
        try SQLiteDatabase(path: path).execute("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON;" + sql)
    }

    private func refusal() -> StoreError? {
        let failures = [
            #expect(throws: StoreError.self) { _ = try StoredHistory.open(path) },
            #expect(throws: StoreError.self) { try AlarmHistory.forEach(in: path) { _ in } },
            // Who adds something looks at a store as readers do.
            #expect(throws: StoreError.self) { try EntryWriter.write([.note], to: path, programVersion: "1.0") },
            #expect(throws: StoreError.self) { try SensorMemoryFile.remember([.strap], in: path) },
        ]
        #expect(Set(failures).count == 1, "\(failures)")
        #expect(StoreFile.damagedStores(beside: path).isEmpty)
        return failures[0]
    }

    @Test("every table of the present version is demanded of a store")
    func complete() throws {
        let database = try SQLiteDatabase(path: path)
        var found: [String] = []
        try database.forEach("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") {
            found.append($0.text(0) ?? "")
        }
        #expect(found == Self.tables)
    }

    @Test("with a view in place of a table is refused in a sentence, and not run", arguments: tables)
    func views(_ table: String) throws {
        try change(
            """
            ALTER TABLE \(table) RENAME TO aside;
            CREATE VIEW \(table) AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT aside.* FROM aside, n;
            """)
        let failure = refusal()
        #expect(failure?.kind == .corrupt)
        #expect(failure?.description.contains("`\(table)` is not one of its tables") == true)
    }

    @Test("without a table is refused in a sentence", arguments: tables)
    func missing(_ table: String) throws {
        try change("DROP TABLE \(table)")
        #expect(refusal()?.description.contains("`\(table)`") == true)
    }

    @Test("with a computed column or a table of another kind is refused")
    func disguises() throws {
        try change("ALTER TABLE word ADD COLUMN size INTEGER AS (length(hex(zeroblob(100000000))))")
        #expect(refusal()?.kind == .corrupt)
        try change("DROP TABLE word; CREATE VIRTUAL TABLE word USING fts5(id, text)")
        #expect(refusal()?.kind == .corrupt)
    }

    @Test("that hides a view behind the row of a table is refused, too")
    func forgedSchema() throws {
        try change("DROP TABLE word")
        // Not by a connection of ours, which keeps the schema from being written like this.
        var forger: OpaquePointer?
        #expect(sqlite3_open(path, &forger) == SQLITE_OK)
        let view = "CREATE VIEW word AS SELECT 1 AS id, 2 AS text"
        #expect(
            sqlite3_exec(
                forger,
                "PRAGMA writable_schema = ON; INSERT INTO sqlite_schema VALUES ('table', 'word', 'word', 2, '\(view)')",
                nil, nil, nil) == SQLITE_OK)
        sqlite3_close(forger)
        #expect(refusal() != nil)
    }

    @Test("with a view in place of a table is set aside by a recorder, which records into a new one", arguments: tables)
    func recorded(_ table: String) throws {
        try change(
            """
            ALTER TABLE \(table) RENAME TO aside;
            CREATE VIEW \(table) AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
            SELECT aside.* FROM aside, n;
            """)
        let opened = try StoreFile.open(path, day: "2026-01-02")
        #expect(opened.damagedStore == "\(path).damaged-2026-01-02")
        try EntryWriter.write([.note], to: path, programVersion: "1.0")
        #expect(try opened.database.integer("SELECT count(*) FROM record_entry") == 1)
    }

    @Test("with a trigger without end takes what is written, and does not run it", arguments: tables)
    func triggers(_ table: String) throws {
        try change(
            """
            CREATE TRIGGER without_end AFTER INSERT ON \(table) BEGIN
                INSERT INTO notification (epoch, wall_ms, monotonic_ns, sensor, characteristic, octets)
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT 1, i, i, 1, 1, x'' FROM n;
            END
            """)
        try EntryWriter.write([.note], to: path, programVersion: "1.0")
        try SensorMemoryFile.remember([.strap], in: path)
        let database = try StoreFile.open(path, day: "2026-01-02").database
        var store = ReadingStore(database, run: 1)
        try store.append(.rate(70, at: .at(1)))
        try store.settle()
        #expect(try database.integer("SELECT count(*) FROM notification") == 0)
        #expect(StoreFile.damagedStores(beside: path).isEmpty)
    }
}

extension RecordEntry {
    fileprivate static let note = RecordEntry(.note("refuses the strap"), enteredAt: .at(1))
}
