import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("The store's tables")
struct SchemaTests {
    private let database: SQLiteDatabase

    init() throws { database = try SQLiteDatabase(path: ":memory:") }

    @Test("are made in an empty file, and left alone the second time")
    func empty() throws {
        try Schema.migrate(database)
        #expect(try Schema.checkedVersion(of: database) == Schema.version)
        try database.run("INSERT INTO sensor VALUES (1, 'A', 'B', 'C')")
        try Schema.migrate(database)
        #expect(try database.integer("SELECT count(*) FROM sensor") == 1)
        #expect(try database.text("PRAGMA integrity_check") == "ok")
    }

    // MARK: Later versions

    /// Two made-up versions after the first one.
    private static let laterSteps =
        Schema.steps + [
            Schema.Step(
                tables: ["posture"],
                sql: """
                    CREATE TABLE posture (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
                    INSERT INTO posture (name) SELECT 'lying: ' || name FROM sensor;
                    """),
            Schema.Step(tables: [], sql: "ALTER TABLE posture ADD COLUMN angle INTEGER NOT NULL DEFAULT 0"),
        ]

    /// A store of the first version with a reading.
    private func fill() throws {
        try Schema.migrate(database, by: [Schema.version1])
        let run = try RunTable(database: database).begin(at: .at(0), programVersion: "1.0")
        var readings = ReadingStore(database, run: run)
        try readings.append(.rate(72, at: .at(1)))
        try readings.settle()
    }

    @Test("of the first version are brought to a later one step by step, with everything that is in them")
    func migration() throws {
        try fill()
        for count in 1...Self.laterSteps.count {
            let steps = Array(Self.laterSteps.prefix(count))
            try Schema.migrate(database, by: steps)
            #expect(try Schema.checkedVersion(of: database, steps) == Int64(count))
        }
        #expect(try database.text("SELECT name FROM posture WHERE angle = 0") == "lying: Polar H10")
        #expect(try database.integer("SELECT value FROM reading") == 7200)
        #expect(try database.text("PRAGMA integrity_check") == "ok")
        #expect(try database.integer("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }

    @Test("are made at once in the newest version where there are none")
    func newest() throws {
        try Schema.migrate(database, by: Self.laterSteps)
        #expect(try Schema.checkedVersion(of: database, Self.laterSteps) == 3)
        #expect(try database.integer("SELECT count(*) FROM posture") == 0)
    }

    @Test("stay as they are when a step fails")
    func failure() throws {
        try fill()
        let broken = Self.laterSteps + [Schema.Step(tables: [], sql: "ALTER TABLE nowhere ADD COLUMN x")]
        #expect(throws: StoreError.self) { try Schema.migrate(database, by: broken) }
        #expect(try Schema.checkedVersion(of: database) == 1)
        #expect(try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'posture'") == 0)
        #expect(try database.integer("SELECT value FROM reading") == 7200)
    }

    @Test("of a later version need its tables, those of an earlier one only their own")
    func tables() throws {
        try fill()
        #expect(try Schema.checkedVersion(of: database, Self.laterSteps) == 1)
        try Schema.migrate(database, by: Self.laterSteps)
        try database.execute("DROP TABLE posture")
        let error = #expect(throws: StoreError.self) {
            try Schema.checkedVersion(of: database, Self.laterSteps)
        }
        #expect(error?.kind == .corrupt)
    }

    // MARK: Other programs

    @Test(
        "of other programs and versions are refused, and stay as they are",
        arguments: [
            ("PRAGMA user_version = \(Schema.version + 1)", StoreError.Kind.otherVersion, "newer version"),
            (
                "PRAGMA application_id = \(Schema.developmentIdentifier)", .otherVersion,
                "was made by a development version of Bedside; move it away"
            ),
            (
                "PRAGMA application_id = \(Schema.developmentIdentifier); PRAGMA user_version = 11", .otherVersion,
                "only that version reads it, and it is left as it is"
            ),
            ("PRAGMA application_id = 0", .corrupt, "of another program"),
            ("PRAGMA user_version = 0", .corrupt, "of another program"),
            ("PRAGMA user_version = -1", .corrupt, "of another program"),
        ])
    func others(_ change: String, kind: StoreError.Kind, sentence: String) throws {
        try fill()
        try database.execute(change)
        let version = try database.integer("PRAGMA user_version")
        let error = #expect(throws: StoreError.self) { try Schema.migrate(database) }
        #expect(error?.kind == kind)
        #expect(error?.description.contains(sentence) == true, "\(error?.description ?? "")")
        #expect(try database.integer("PRAGMA user_version") == version)
        #expect(try database.integer("SELECT value FROM reading") == 7200)
    }

    @Test("are not mixed with those of another program")
    func foreign() throws {
        try database.execute("CREATE TABLE photo (id INTEGER)")
        let error = #expect(throws: StoreError.self) { try Schema.migrate(database) }
        #expect(error?.kind == .corrupt)
        #expect(try database.integer("SELECT count(*) FROM sqlite_schema") == 1)
    }
}
