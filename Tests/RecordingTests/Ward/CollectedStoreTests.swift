import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("Readings on their way to a collector's store")
struct CollectedStoreTests {
    private static let day = "2026-01-02"

    /// The rows of a store as the collector gets them, in batches of a size.
    private func batches(of path: String, size: Int, from start: HistoryCursor? = nil) throws -> [RecordedBatch] {
        var (batches, cursor): ([RecordedBatch], HistoryCursor?) = ([], start)
        while let batch = try RecordedBatch.read(from: path, after: cursor, atMost: size), !batch.rows.isEmpty {
            batches.append(batch)
            cursor = batch.next
        }
        return batches
    }

    private func rows(_ batch: RecordedBatch) -> [CollectedStore.Row] {
        batch.rows.map { CollectedStore.Row(reading: $0.reading.reading, number: $0.number, run: $0.reading.run) }
    }

    /// Everything about readings in a store, without the numbers that each store gives by itself.
    private func content(_ path: String) throws -> [String] {
        let database = try SQLiteDatabase(path: path)
        var lines: [String] = []
        try database.forEach(
            """
            SELECT reading.wall_ms || ' ' || n || ' ' || reading.monotonic_ns || ' ' || address || ' ' || vital.text
                || ' ' || ifnull(value, '-') || ' ' || ifnull(absence.text, '-') || ' ' || ifnull(epoch.run, epoch.id)
            FROM reading JOIN sensor ON sensor.id = sensor JOIN word AS vital ON vital.id = vital
            JOIN epoch ON epoch.id = epoch LEFT JOIN word AS absence ON absence.id = absence ORDER BY reading.wall_ms, n
            """
        ) { lines.append($0.text(0) ?? "") }
        try database.forEach(
            "SELECT minute || ' ' || readings || ' ' || total || ' ' || absences FROM minute ORDER BY 1"
        ) { lines.append($0.text(0) ?? "") }
        return lines
    }

    /// A store with a hundred readings, in the middle of which the clock is set back by a minute.
    private func recorded(in folder: ScratchFolder) throws -> String {
        let path = folder.path + "/bed.sqlite"
        var store = try TestStore(path: path)
        try store.database.transaction { () throws(StoreError) in
            try store.readings.begin()
            for second in 0..<50 {
                try store.readings.append(.rate(60 + second, at: .at(second)))
                if second % 10 == 0 { try store.readings.append(.noRate(.noContact, at: .at(second))) }
            }
            let after = Moment(
                monotonicNanoseconds: Moment.at(50).monotonicNanoseconds,
                wallMilliseconds: Moment.at(50).wallMilliseconds - 60_000)
            try store.readings.append(
                Gap(from: .at(50), to: after, reason: .clockSet), reason: GapReason.clockSet.rawValue)
            for second in 0..<45 {
                try store.readings.append(.rate(70, at: after.advanced(by: .seconds(second))))
            }
            try store.readings.end()
        }
        return path
    }

    @Test("All are sent once, in the order in which they were recorded, also after the clock was set back")
    func order() throws {
        let folder = try ScratchFolder()
        let path = try recorded(in: folder)
        for size in [1, 7, 200] {
            let all = try batches(of: path, size: size).flatMap(\.rows)
            #expect(all.count == 100)
            let times = all.map(\.reading.reading.moment.monotonicNanoseconds)
            #expect(times == times.sorted())
        }
    }

    @Test("A cursor survives on the disk, and one of another store says nothing")
    func cursor() throws {
        let folder = try ScratchFolder()
        let path = try recorded(in: folder)
        let first = try #require(try RecordedBatch.read(from: path, after: nil, atMost: 60))
        first.next.write(beside: path)
        // A batch ends with its epoch.
        #expect(first.rows.count == 55)
        let kept = try #require(HistoryCursor.read(beside: path))
        #expect(kept == first.next)
        #expect(try batches(of: path, size: 200, from: kept).flatMap(\.rows).count == 45)
        var other = kept
        other.store.wallMilliseconds += 1
        #expect(try batches(of: path, size: 200, from: other).flatMap(\.rows).count == 100)
        _ = try folder.write("no cursor", to: "bed.sqlite.ward")
        #expect(HistoryCursor.read(beside: path) == nil)
    }

    @Test("A collector's store has the same readings, runs and sums, however often each batch comes")
    func doubles() throws {
        let folder = try ScratchFolder()
        let path = try recorded(in: folder)
        let copy = folder.path + "/copy.sqlite"
        var random = SeededGenerator(seed: 3)
        for batch in try batches(of: path, size: 9) {
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                // As after a kill: nothing but the file is left between two batches.
                let store = try CollectedStore(path: copy, day: Self.day, retention: Retention())
                _ = try store.append(rows(batch))
            }
        }
        #expect(try content(copy) == content(path))
        let history = try #require(try StoredHistory.open(copy))
        var count = 0
        try history.forEachReading(in: .min ..< .max) { _ in
            count += 1
            return true
        }
        #expect(count == 100)
        let store = try CollectedStore(path: copy, day: Self.day, retention: Retention())
        #expect(try store.append(try batches(of: path, size: 200).flatMap(rows)) == 0)
    }

    @Test("What is too old is removed from a collector's store, too")
    func retention() throws {
        let folder = try ScratchFolder()
        let path = try recorded(in: folder)
        let copy = folder.path + "/copy.sqlite"
        let store = try CollectedStore(path: copy, day: Self.day, retention: Retention(age: .seconds(20)))
        _ = try store.append(try batches(of: path, size: 200).flatMap(rows))
        while try store.prune(now: Moment.at(35).wallMilliseconds) {}
        let left = try SQLiteDatabase(path: copy).integer("SELECT count(*) FROM reading") ?? 0
        #expect((1..<100).contains(left))
    }
}
