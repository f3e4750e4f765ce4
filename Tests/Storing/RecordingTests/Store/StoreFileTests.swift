import CSystem
import Glibc
import TestSupport
import Testing
import UserFiles

@testable import Recording

@Suite("The store's file")
struct StoreFileTests {
    let folder: ScratchFolder
    var path: String { "\(folder.path)/data/\(StoreFile.name)" }

    init() throws {
        folder = try ScratchFolder()
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
    }

    @Test("and its folder are the user's alone, whatever the umask says")
    func modes() throws {
        let opened = try StoreFile.open(path, day: "2026-01-02")
        try opened.database.run("INSERT INTO sensor VALUES (1, 'a', 'b', 'c')")
        #expect(mode("\(folder.path)/data") == 0o700)
        for tail in ["", "-wal", "-shm"] { #expect(mode(path + tail) == 0o600) }
        #expect(opened.damagedStore == nil)
    }

    @Test(
        "is set aside when it is no store or damaged, and a new one begun",
        arguments: [[UInt8](repeating: 0, count: 4096), Array("No store at all, but a letter.".utf8)])
    func damaged(bytes: [UInt8]) throws {
        try #require(mkdir("\(folder.path)/data", 0o700) == 0)
        try write(bytes, to: path)
        let opened = try StoreFile.open(path, day: "2026-01-02")
        #expect(opened.damagedStore == "\(path).damaged-2026-01-02")
        #expect(try opened.database.text("PRAGMA integrity_check") == "ok")
        let kept = try #require(fopen("\(path).damaged-2026-01-02", "r"))
        defer { fclose(kept) }
        var buffer = [UInt8](repeating: 0, count: bytes.count + 1)
        #expect(fread(&buffer, 1, buffer.count, kept) == bytes.count)
        #expect(Array(buffer.dropLast()) == bytes)
    }

    @Test(
        "is refused by whoever adds to it when it is no store or damaged, and left as it is",
        arguments: [[UInt8](repeating: 0, count: 4096), Array("No store at all, but a letter.".utf8)])
    func refused(bytes: [UInt8]) throws {
        try #require(mkdir("\(folder.path)/data", 0o700) == 0)
        try write(bytes, to: path)
        for attempt in [
            { try EntryWriter.write([], to: path, programVersion: "1.0") },
            { try SensorMemoryFile.remember([], in: path) },
        ] {
            #expect {
                try attempt()
            } throws: {
                ($0 as? StoreError)?.kind == .corrupt
            }
        }
        #expect(try PrivateFile.read(path) == bytes)
        #expect(StoreFile.damagedStores(beside: path).isEmpty)
    }

    @Test("names the damaged ones beside it, and none of their companions or of another store")
    func beside() throws {
        let name = StoreFile.name
        for other in [
            "\(name).damaged-2026-01-03", "\(name).damaged-2026-01-02", "\(name).damaged-2026-01-02-2",
            "\(name).damaged-2026-01-02-wal", "\(name).damaged-2026-01-02-shm", "\(name)-wal.left-2026-01-02",
            "other.sqlite.damaged-2026-01-02", name, "\(name).use",
        ] { _ = try folder.write("", to: other) }
        #expect(
            StoreFile.damagedStores(beside: "\(folder.path)/\(name)") == [
                "\(name).damaged-2026-01-02", "\(name).damaged-2026-01-02-2", "\(name).damaged-2026-01-03",
            ])
        #expect(StoreFile.damagedStores(beside: "\(folder.path)/nowhere/\(name)").isEmpty)
        #expect(
            StoreFile.damagedStoresSentence(beside: "\(folder.path)/\(name)")?.contains(
                "\(folder.path)/\(name).damaged-2026-01-02 and 2 more") == true)
    }

    @Test(
        "of another version stays where it is with its log, and nothing is written beside it",
        arguments: [
            "PRAGMA user_version = 1000",
            "PRAGMA application_id = \(Schema.developmentIdentifier); PRAGMA user_version = 11",
        ], [true, false])
    func otherVersion(_ pragmas: String, hasLog: Bool) throws {
        do {
            let opened = try StoreFile.open(path, day: "2026-01-02")
            try opened.database.execute(pragmas + "; PRAGMA wal_checkpoint(TRUNCATE)")
            try opened.database.run("INSERT INTO sensor VALUES (1, 'a', 'b', 'c')")
            if hasLog { opened.database.leaveLog() }
        }
        let tails = ["", "-wal"]
        func bytes() throws -> [[UInt8]?] { try tails.map { try PrivateFile.read(path + $0) } }
        let before = try bytes()
        #expect((before[1] != nil) == hasLog)
        for attempt in [
            { _ = try StoreFile.open(path, day: "2026-01-02") }, { _ = try StoreFile.openForReading(path) },
            { try EntryWriter.write([], to: path, programVersion: "1.0") },
            { try SensorMemoryFile.remember([], in: path) },
        ] {
            let error = #expect(throws: StoreError.self, performing: attempt)
            #expect(error?.kind == .otherVersion)
            #expect(try bytes() == before)
        }
        #expect(StoreFile.isPartOfStore(path))
        #expect(StoreFile.damagedStores(beside: path).isEmpty)
    }

    @Test("that is not there cannot be read, which is no failure")
    func nothing() throws {
        #expect(try StoreFile.openForReading(path) == nil)
    }

    @Test("is read while somebody writes")
    func readingWhileWriting() throws {
        let writer = try StoreFile.open(path, day: "2026-01-02").database
        let reader = try #require(try StoreFile.openForReading(path))
        try writer.execute("BEGIN IMMEDIATE")
        try writer.run("INSERT INTO sensor VALUES (1, 'a', 'b', 'c')")
        #expect(try reader.integer("SELECT count(*) FROM sensor") == 0)
        try writer.execute("COMMIT")
        #expect(try reader.integer("SELECT count(*) FROM sensor") == 1)
    }

    @Test("at an impossible path is reported with the path")
    func unreachable() throws {
        try write([], to: "\(folder.path)/data")
        #expect {
            _ = try StoreFile.open(path, day: "2026-01-02")
        } throws: {
            guard let failure = $0 as? StoreError else { return false }
            return failure.kind == .unreachable && failure.description.contains("\(folder.path)/data")
        }
    }

    @Test("is not opened where something other than a file is found, and never blocks")
    func notAFile() throws {
        try #require(mkdir("\(folder.path)/data", 0o700) == 0)
        try #require(mkfifo(path, 0o600) == 0)
        func isRefused(_ body: () throws -> Void) {
            #expect {
                try body()
            } throws: {
                ($0 as? StoreError)?.description.contains("not an ordinary file") == true
            }
        }
        isRefused { _ = try StoreFile.open(path, day: "2026-01-02") }
        isRefused { _ = try StoreFile.openForReading(path) }
    }

    @Test("is read without any other file where nothing can be written, by any name")
    func unchanging() throws {
        let path = folder.path + "/a ?mode=memory#ü%41.sqlite"
        do {
            let writer = try StoreFile.open(path, day: "2026-01-02").database
            try writer.run("INSERT INTO sensor VALUES (1, 'a', 'b', 'c')")
        }
        let names = try folder.names()
        let reader = try SQLiteDatabase(path: path, for: .readUnchanging)
        #expect(try reader.integer("SELECT count(*) FROM sensor") == 1)
        #expect(try folder.names() == names && names.count == 1)
    }

    @Test("is recognised by whatever name, with all that belongs to it")
    func recognised() throws {
        let other = "\(folder.path)/other.sqlite"
        let store = try StoreFile.open(path, day: "2026-01-02").database
        try store.run("INSERT INTO sensor VALUES (1, 'a', 'b', 'c')")
        do { _ = try StoreFile.open(other, day: "2026-01-02") }
        try #require(link(path + "-wal", folder.path + "/hard") == 0)
        try #require(symlink(path, folder.path + "/soft") == 0)
        try #require(link(other, folder.path + "/copy.csv") == 0)
        for name in [
            "data/store.sqlite", "data/store.sqlite-wal", "data/store.sqlite-shm", "hard", "soft", "other.sqlite",
            "copy.csv",
        ] {
            #expect(StoreFile.isPartOfStore("\(folder.path)/\(name)", of: [path]), "\(name)")
        }
        // Stores without an identifier are recognised by their content.
        for name in ["other.sqlite", "copy.csv", "data/store.sqlite", "data/store.sqlite-wal"] {
            #expect(StoreFile.isPartOfStore("\(folder.path)/\(name)"), "\(name)")
        }
        _ = try folder.write("time,sensor", to: "out.csv")
        let photos = try SQLiteDatabase(path: folder.path + "/photos.sqlite")
        try photos.execute("CREATE TABLE photo (id INTEGER)")
        for name in ["out.csv", "photos.sqlite", "nothing.csv"] {
            #expect(!StoreFile.isPartOfStore("\(folder.path)/\(name)", of: [path]), "\(name)")
        }
    }
}
