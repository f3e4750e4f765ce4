import Monitoring
import TestSupport
import Testing
import Vitals

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

    @Test("of the first version are brought to the present one, with everything that is in them")
    func migration() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        try database.execute(FirstVersion.schema)
        try database.execute(FirstVersion.rows)
        try Schema.migrate(database)
        #expect(try Schema.checkedVersion(of: database) == Schema.version)
        #expect(try database.text("PRAGMA integrity_check") == "ok")
        #expect(try database.integer("SELECT count(*) FROM pragma_foreign_key_check") == 0)
        var entries: [AlarmLogEntry] = []
        try AlarmStore(database: database).forEach { entries.append($0) }
        #expect(entries.count == 2)
        #expect(entries.map(\.run) == [1, 1])

        // The run of today follows, and says since when there was none.
        let run = try RunTable(database: database).begin(at: .at(3600), programVersion: "1.0")
        var readings = ReadingStore(database, run: run)
        try readings.append(.rate(72, at: .at(3601)))
        try readings.end()
        let history = try StoredHistory(database)
        #expect(try history.gaps(in: .min..<(.max)).map(\.reason) == ["program"])
        #expect(try history.sources(in: .min..<(.max - 1)).map(\.vital) == [.heartRate])
    }

    @Test("of the third version count recording time from now on, and nothing in them is older for that")
    func recordingTime() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        for step in Schema.steps.prefix(3) { try database.execute(step) }
        try database.execute("PRAGMA application_id = \(Schema.applicationIdentifier); PRAGMA user_version = 3")
        try database.execute(
            """
            INSERT INTO epoch (wall_ms, monotonic_ns, program_version, last_wall_ms)
            VALUES (1700000000000, 5000, '0.9', 1700000060000);
            INSERT INTO word VALUES (1, 'program');
            INSERT INTO gap (epoch, from_wall_ms, to_wall_ms, reason) VALUES (1, 1600000000000, 1700000000000, 1);
            """)
        try Schema.migrate(database)
        #expect(try database.integer("SELECT count(*) FROM epoch WHERE running_ms IS NULL") == 1)
        let run = try RunTable(database: database).begin(at: .at(100 * 86_400), programVersion: "1.0")
        var readings = ReadingStore(database, run: run)
        let asleep = Gap(from: .at(100 * 86_400 + 10), to: .at(100 * 86_400 + 70), reason: .asleep)
        try readings.append(asleep, reason: "asleep")
        try readings.append(.rate(70, at: .at(100 * 86_400 + 90)))
        try readings.end()
        let lines = try ClockLine.read(from: database)
        #expect(lines.uncounted == [1_700_000_000_000...1_700_000_060_000])
        #expect(
            lines.counted == [ClockLine(began: 0, ended: 90_000, wall: Moment.at(100 * 86_400).wallMilliseconds)])
        let retention = Retention(age: .seconds(30 * 86_400))
        #expect(try !retention.prune(database, now: Moment.at(100 * 86_400 + 90).wallMilliseconds))
        #expect(try database.integer("SELECT count(*) FROM gap WHERE to_wall_ms = 1700000000000") == 1)
    }

    @Test("of the sixth version have no RR intervals, and take them after the migration")
    func intervals() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        for step in Schema.steps.prefix(6) { try database.execute(step) }
        try database.execute("PRAGMA application_id = \(Schema.applicationIdentifier); PRAGMA user_version = 6")
        let run = try RunTable(database: database).begin(at: .at(0), programVersion: "0.9")
        var readings = ReadingStore(database, run: run)
        try readings.append(.rate(72, at: .at(1)))
        try readings.end()
        func found() throws -> [RRIntervals] {
            var found: [RRIntervals] = []
            try StoredHistory(database).forEachRRIntervals(in: .min..<(.max)) {
                found.append($0.intervals)
                return true
            }
            try database.execute("COMMIT")
            return found
        }
        #expect(try found().isEmpty)
        try Schema.migrate(database)
        #expect(try Schema.checkedVersion(of: database) == Schema.version)
        #expect(try database.integer("SELECT value FROM reading") == 7200)
        // Two notifications of one millisecond, and the greatest and the least interval.
        let sent = [[832, 816], [UInt16.max, 0]].map { RRIntervals(sensor: .strap, intervals: $0, moment: .at(2)) }
        for intervals in sent { try readings.append(intervals) }
        #expect(try found() == sent)
        #expect(try database.text("PRAGMA integrity_check") == "ok")
    }

    @Test("of the eighth version keep their wear periods, whose index is dropped")
    func wearPeriods() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        for step in Schema.steps.prefix(8) { try database.execute(step) }
        try database.execute("PRAGMA application_id = \(Schema.applicationIdentifier); PRAGMA user_version = 8")
        let run = try RunTable(database: database).begin(at: .at(0), programVersion: "0.9")
        var readings = ReadingStore(database, run: run)
        for second in [1, 2, 700] { try readings.append(.rate(72, at: .at(second))) }
        try readings.end()
        func indices() throws -> Int64? {
            try database.integer("SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'wearing'")
        }
        func wearPeriods(from begin: Int64) throws -> [RecordedWearPeriod] {
            let found = try StoredHistory(database).wearings(in: begin..<(.max))
            try database.execute("COMMIT")
            return found
        }
        let before = try wearPeriods(from: .min)
        #expect(before.map(\.readings) == [2, 1])
        #expect(try indices() == 1)
        try Schema.migrate(database)
        #expect(try indices() == 0)
        #expect(try wearPeriods(from: .min) == before)
        #expect(try wearPeriods(from: Moment.at(3).wallMilliseconds) == before.suffix(1))
        #expect(try database.text("PRAGMA integrity_check") == "ok")
    }

    @Test("of the first version are made in the same words as ever")
    func firstVersion() throws {
        let (old, new) = (try SQLiteDatabase(path: ":memory:"), try SQLiteDatabase(path: ":memory:"))
        try old.execute(FirstVersion.schema)
        try new.execute(Schema.steps[0])
        func tables(_ database: SQLiteDatabase) throws -> String? {
            try database.text("SELECT group_concat(sql, ';') FROM (SELECT sql FROM sqlite_schema ORDER BY name)")
        }
        #expect(try tables(old) == tables(new))
    }

    @Test("without readings are no history, and no failure")
    func noHistory() throws {
        let folder = try ScratchFolder()
        let path = "\(folder.path)/store.sqlite"
        #expect(try StoredHistory.open(path) == nil)
        do {
            let database = try SQLiteDatabase(path: path)
            try database.execute(FirstVersion.schema)
        }
        #expect(try StoredHistory.open(path) == nil)
    }

    @Test("of a newer program are refused, and stay as they are")
    func newer() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        try Schema.migrate(database)
        try database.execute("PRAGMA user_version = \(Schema.version + 1)")
        #expect {
            try Schema.migrate(database)
        } throws: {
            ($0 as? StoreError)?.kind == .tooNew
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
            ($0 as? StoreError)?.kind == .corrupt
        }
        #expect(try database.integer("SELECT count(*) FROM sqlite_schema") == 1)
    }
}
