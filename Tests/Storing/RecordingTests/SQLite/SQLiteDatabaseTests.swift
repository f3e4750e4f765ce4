import Glibc
import Testing

@testable import Recording

@Suite("An SQLite file")
struct SQLiteDatabaseTests {
    @Test("gives back every kind of value that was stored")
    func values() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        try database.execute("CREATE TABLE t (a INTEGER, b TEXT, c BLOB, d TEXT) STRICT")
        try database.run(
            "INSERT INTO t VALUES (?1, ?2, ?3, ?4)", .integer(.min), "SpO₂\u{0}%", .blob([0, 0xFF]), nil)
        try database.run("INSERT INTO t VALUES (?1, ?2, ?3, ?4)", 0, "", .blob([]), "x")
        let rows = try database.statement("SELECT a, b, c, d FROM t ORDER BY rowid")
        #expect(try rows.step())
        #expect(rows.integer(0) == .min)
        #expect(rows.text(1) == "SpO₂\u{0}%")
        #expect(rows.blob(2) == [0, 0xFF])
        #expect(rows.text(3) == nil)
        #expect(try rows.step())
        #expect(rows.integer(0) == 0)
        #expect(rows.text(1) == "")
        #expect(rows.blob(2) == [])
        #expect(rows.text(3) == "x")
        #expect(try !rows.step())
    }

    @Test("runs a transaction as a whole or not at all")
    func transaction() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        try database.execute("CREATE TABLE t (a INTEGER UNIQUE) STRICT")
        #expect(throws: StoreError.self) {
            try database.transaction { () throws(StoreError) in
                try database.run("INSERT INTO t VALUES (?1)", 1)
                try database.run("INSERT INTO t VALUES (?1)", 1)
            }
        }
        #expect(try database.integer("SELECT count(*) FROM t") == 0)
        try database.transaction { () throws(StoreError) in try database.run("INSERT INTO t VALUES (?1)", 1) }
        #expect(try database.integer("SELECT count(*) FROM t") == 1)
    }

    @Test("can run a statement again after it has failed")
    func statementAfterFailure() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        try database.execute("CREATE TABLE t (a INTEGER UNIQUE) STRICT")
        for _ in 0..<2 { try? database.run("INSERT INTO t VALUES (?1)", 1) }
        try database.run("INSERT INTO t VALUES (?1)", 2)
        #expect(try database.integer("SELECT sum(a) FROM t") == 3)
    }

    @Test(
        "reports troubles apart that ask for different remedies",
        arguments: [
            (Int32(13), StoreError.Kind.full), (8, .readOnly), (5, .locked), (6, .locked), (11, .corrupt),
            (26, .corrupt),
            (14, .unreachable), (10 | 3 << 8, .unreachable), (8 | 1 << 8, .readOnly), (1, .other), (19, .other),
        ])
    func kinds(code: Int32, kind: StoreError.Kind) {
        #expect(StoreError.Kind(code: code) == kind)
    }

    @Test("that is not there cannot be opened for reading")
    func missing() {
        #expect { _ = try SQLiteDatabase(path: "/nonexistent/store.sqlite", for: .read) } throws: {
            ($0 as? StoreError)?.kind == .unreachable
        }
    }
}
