import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("Recorded rows on their way to a collector's store")
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

    /// Everything that is collected in a store, without the numbers that each store gives by itself.
    private func content(_ path: String) throws -> [String] {
        let database = try SQLiteDatabase(path: path)
        var lines: [String] = []
        try database.forEach(
            """
            SELECT reading.wall_ms || ' ' || n || ' '
                || (epoch.monotonic_ns + (reading.wall_ms - epoch.wall_ms) * 1000000 + drift_ns) || ' ' || address
                || ' ' || vital.text || ' ' || ifnull(value, '-') || ' ' || ifnull(absence.text, '-') || ' ' || ifnull(epoch.run, epoch.id)
            FROM reading JOIN sensor ON sensor.id = sensor JOIN word AS vital ON vital.id = vital
            JOIN epoch ON epoch.id = epoch LEFT JOIN word AS absence ON absence.id = absence ORDER BY reading.wall_ms, n
            """
        ) { lines.append($0.text(0) ?? "") }
        try database.forEach(
            "SELECT minute || ' ' || readings || ' ' || total || ' ' || absences FROM minute ORDER BY 1"
        ) { lines.append($0.text(0) ?? "") }
        try database.forEach(
            """
            SELECT rr.wall_ms || ' ' || n || ' '
                || (epoch.monotonic_ns + (rr.wall_ms - epoch.wall_ms) * 1000000 + drift_ns) || ' ' || address || ' '
                || hex(intervals) || ' ' || ifnull(epoch.run, epoch.id)
            FROM rr JOIN sensor ON sensor.id = sensor JOIN epoch ON epoch.id = epoch ORDER BY rr.wall_ms, n
            """
        ) { lines.append($0.text(0) ?? "") }
        try database.forEach(
            """
            SELECT concat_all FROM (SELECT log.id, epoch || ' ' || wall_ms || ' ' || monotonic_ns || ' '
                || ifnull(episode, '-') || ' ' || ifnull(since_wall_ms, '-') || ' ' || ifnull(log.kind, '-') || ' '
                || ifnull(priority, '-') || ' ' || ifnull(state, '-') || ' ' || ifnull(address, '-') || ' '
                || ifnull(vital, '-') || ' ' || ifnull(site, '-') || ' ' || ifnull(value, '-') || ' '
                || ifnull(peak, '-') || ' ' || ifnull(crossed_limit, '-') || ' ' || ifnull(actor, '-') || ' '
                || ifnull(action, '-') || ' ' || ifnull(episodes, '-') || ' ' || ifnull(until_wall_ms, '-') || ' ' || text
                AS concat_all FROM alarm_log AS log LEFT JOIN sensor ON sensor.id = log.sensor ORDER BY log.id)
            """
        ) { lines.append($0.text(0) ?? "") }
        try database.forEach(
            """
            SELECT ifnull(epoch.run, epoch) || ' ' || taken_wall_ms || ' ' || entered_wall_ms || ' '
                || entered_monotonic_ns || ' ' || kind || ' ' || ifnull(value, '-') || ' ' || ifnull(content, '-') || ' '
                || ifnull(note, '-') || ' ' || ifnull(retracted_wall_ms, '-') || ' ' || ifnull(sensor_address, '-') || ' '
                || ifnull(sequence, '-') || ' ' || ifnull(device_user, '-') || ' ' || ifnull(corrected_wall_ms, '-') || ' '
                || ifnull(corrected_monotonic_ns, '-') || ' ' || record
            FROM record_entry JOIN epoch ON epoch.id = epoch WHERE record_entry.kind <> 'note'
            ORDER BY entered_monotonic_ns, entered_wall_ms
            """
        ) { lines.append($0.text(0) ?? "") }
        try database.forEach("SELECT record || ' ' || since_wall_ms FROM patient_record ORDER BY 1") {
            lines.append($0.text(0) ?? "")
        }
        return lines
    }

    /// An entry of the alarm log: a change of an alarm, an action, or another patient.
    private func logEntry(_ number: Int, at moment: Moment) -> AlarmLogEntry {
        if number % 5 == 4 {
            let word = number % 10 == 9 ? "new_patient" : "acknowledged"
            return AlarmLogEntry(
                moment: moment,
                content: .action(
                    AlarmLogEntry.Action(actor: .user, word: word, text: "action \(number)", episodes: [number / 5])))
        }
        return AlarmLogEntry(
            moment: moment,
            content: .change(
                AlarmLogEntry.Change(
                    AlarmReport(
                        id: number / 5, kind: .low, priority: .medium, sensor: number % 2 == 0 ? .strap : nil,
                        vital: .heartRate, value: VitalValue(whole: number), limit: VitalValue(whole: 50),
                        sinceWallMilliseconds: moment.wallMilliseconds - 5, text: "alarm \(number)"),
                    [.active, .suspended, .acknowledged, .ended][number % 5])))
    }

    /// Records an entry, which is a note now and then, and corrects the one before now and then.
    private func record(
        _ number: Int, at now: Moment, in store: TestStore, _ entries: inout [RecordEntry]
    ) throws(StoreError) {
        let contents: [RecordEntry.Content] = [
            .bloodPressure(BloodPressure(systolic: 100 + number % 90, diastolic: 60)), .note("note \(number)"),
            .medication(Medication("Paracetamol \(number)")), .weight(VitalValue(whole: number)),
        ]
        let source: RecordEntry.Source = number % 3 == 0 ? .sensor(.strap) : .typed
        let facts = EntryFacts(sequence: number % 3 == 0 ? number : nil, user: number % 6 == 0 ? number % 256 : nil)
        var entry = RecordEntry(
            contents[number % contents.count], from: source, facts, taken: now.advanced(by: .seconds(-number % 7)),
            enteredAt: now)
        if number % 5 == 0, let last = entries.last { entry.correction = .init(of: last.id) }
        try EntryStore(database: store.database).append(entry, run: store.run)
        entries.append(entry)
    }

    /// Records everything that a bed records, in an order of chance, over several runs and changes of the clock.
    private func recordByChance(
        _ path: String, from start: Moment, _ entries: inout [RecordEntry], _ random: inout SeededGenerator
    ) throws -> Moment {
        var now = start
        var number = 0
        for _ in 0..<3 {
            var store = try TestStore(path: path, at: now)
            try store.database.transaction { () throws(StoreError) in
                try store.readings.begin()
                for _ in 0..<80 {
                    now = now.advanced(by: .milliseconds(Int.random(in: 0...700, using: &random)))
                    number += 1
                    switch Int.random(in: 0..<12, using: &random) {
                    case 0..<4: try store.readings.append(.rate(60 + number % 40, at: now))
                    case 4: try store.readings.append(.noRate(.noContact, at: now))
                    case 5..<7:
                        try store.readings.append(
                            RRIntervals(sensor: .strap, intervals: [UInt16(number), 800], moment: now))
                    case 7..<9:
                        try AlarmStore(database: store.database).append(logEntry(number, at: now), run: store.run)
                    case 9: try record(number, at: now, in: store, &entries)
                    case 10:
                        guard
                            let mistake = entries.indices.filter({ !entries[$0].isRetracted }).randomElement(
                                using: &random)
                        else { continue }
                        entries[mistake].retract(at: now)
                        try EntryStore(database: store.database).append(entries[mistake], run: store.run)
                        try AlarmStore(database: store.database).append(
                            AlarmLogEntry(
                                moment: now,
                                content: .action(.init(actor: .user, word: "entry_retracted", text: "a mistake"))),
                            run: store.run)
                    default:
                        let shift = Int.random(in: -90_000...90_000, using: &random)
                        let after = Moment(
                            monotonicNanoseconds: now.monotonicNanoseconds,
                            wallMilliseconds: now.wallMilliseconds + Int64(shift))
                        try store.readings.append(
                            Gap(from: now, to: after, reason: .clockSet), reason: GapReason.clockSet.rawValue)
                        now = after
                    }
                }
                try store.readings.settle()
            }
            now = now.advanced(by: .seconds(5))
        }
        return now
    }

    @Test("Whatever is recorded, sent, lost, doubled and late, everything is there once", arguments: 1...40)
    func exactlyOnce(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let folder = try ScratchFolder()
        let (path, copy) = (folder.path + "/bed.sqlite", folder.path + "/copy.sqlite")
        var (cursor, sent): (HistoryCursor?, [RecordedBatch]) = (nil, [])
        var entries: [RecordEntry] = []
        var now = try recordByChance(path, from: .at(0), &entries, &random)
        var idle = 0
        while idle < 2 {
            // The bed may be killed: what it knows then is on its disk, if it is.
            if Int.random(in: 0..<6, using: &random) == 0 { cursor = HistoryCursor.read(beside: path) }
            let size = Int.random(in: 1...60, using: &random)
            guard let batch = try RecordedBatch.read(from: path, after: cursor, atMost: size), !batch.rows.isEmpty
            else {
                idle += 1
                if idle == 1 { now = try recordByChance(path, from: now, &entries, &random) }
                continue
            }
            sent.append(batch)
            // Lost on its way.
            if Int.random(in: 0..<4, using: &random) == 0 { continue }
            // An earlier batch comes once more, before or after this one.
            var arriving = [batch]
            if Bool.random(using: &random), let again = sent.randomElement(using: &random) { arriving.append(again) }
            for arrived in arriving.shuffled(using: &random) {
                let store = try CollectedStore(path: copy, day: Self.day, retention: Retention())
                _ = try store.append(arrived.rows)
            }
            // The answer may be lost, too.
            if Int.random(in: 0..<4, using: &random) == 0 { continue }
            cursor = batch.next
            if Bool.random(using: &random) { batch.next.write(beside: path) }
        }
        #expect(try content(copy) == content(path))
        // Notes are the only thing that is not there.
        let notes = try SQLiteDatabase(path: copy).integer("SELECT count(*) FROM record_entry WHERE kind = 'note'")
        #expect(notes == 0)
        #expect(entries.contains { $0.isRetracted && $0.kind != .note })
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
            try store.readings.settle()
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
            #expect(try batches(of: path, size: size).dropLast().allSatisfy(\.isFull))
            let times = all.map(\.content.moment.monotonicNanoseconds)
            #expect(times == times.sorted())
        }
    }

    @Test("Entries that another version has recorded do not hold up those that follow")
    func unreadable() throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/bed.sqlite"
        let store = try TestStore(path: path)
        for second in 0..<70 {
            let entry = RecordEntry(.weight(VitalValue(whole: 20 + second)), enteredAt: .at(second))
            try EntryStore(database: store.database).append(entry, run: store.run)
        }
        try store.database.execute("UPDATE record_entry SET kind = 'mood' WHERE id <= 60")
        let first = try #require(try RecordedBatch.read(from: path, after: nil, atMost: 200))
        let second = try #require(try RecordedBatch.read(from: path, after: first.next, atMost: 200))
        #expect((first.rows + second.rows).count == 10)
    }

    @Test("A cursor survives on the disk, and one of another store says nothing")
    func cursor() throws {
        let folder = try ScratchFolder()
        let path = try recorded(in: folder)
        let first = try #require(try RecordedBatch.read(from: path, after: nil, atMost: 60))
        first.next.write(beside: path)
        #expect(first.rows.count == 60)
        let kept = try #require(HistoryCursor.read(beside: path))
        #expect(kept == first.next)
        #expect(try batches(of: path, size: 200, from: kept).flatMap(\.rows).count == 40)
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
                _ = try store.append(batch.rows)
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
        #expect(try store.append(try batches(of: path, size: 200).flatMap(\.rows)) == 0)
    }

    @Test("What is too old is removed from a collector's store, too")
    func retention() throws {
        let folder = try ScratchFolder()
        let path = try recorded(in: folder)
        let copy = folder.path + "/copy.sqlite"
        let store = try CollectedStore(path: copy, day: Self.day, retention: Retention(age: .seconds(20)))
        _ = try store.append(try batches(of: path, size: 200).flatMap(\.rows))
        while try store.prune(now: Moment.at(35).wallMilliseconds) {}
        let left = try SQLiteDatabase(path: copy).integer("SELECT count(*) FROM reading") ?? 0
        #expect((1..<100).contains(left))
    }
}
