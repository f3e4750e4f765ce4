import Testing

@testable import Recording

@Suite("The store's tables")
struct SchemaTests {
    @Test("are made in an empty file, and left alone the second time")
    func empty() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        try Schema.migrate(database)
        #expect(try Schema.checkedVersion(of: database) == Schema.version)
        try database.run("INSERT INTO sensor VALUES (1, 'A', 'B', 'C')")
        try Schema.migrate(database)
        #expect(try database.integer("SELECT count(*) FROM sensor") == 1)
        #expect(try database.text("PRAGMA integrity_check") == "ok")
    }

    @Test("of a newer program are refused, and stay as they are")
    func newer() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        try Schema.migrate(database)
        try database.execute("PRAGMA user_version = \(Schema.version + 1)")
        #expect {
            try Schema.migrate(database)
        } throws: {
            ($0 as? StoreFailure)?.kind == .tooNew
        }
        #expect(try database.integer("PRAGMA user_version") == Schema.version + 1)
    }

    @Test("are not mixed with those of another program")
    func foreign() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        try database.execute("CREATE TABLE photo (id INTEGER)")
        #expect {
            try Schema.migrate(database)
        } throws: {
            ($0 as? StoreFailure)?.kind == .corrupt
        }
        #expect(try database.integer("SELECT count(*) FROM sqlite_schema") == 1)
    }
}
