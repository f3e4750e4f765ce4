import CFaultyDisk
import CSQLite
import Glibc
import Monitoring
import Synchronization
import TestSupport
import Testing
import UserFiles
import Vitals

@testable import Recording

@Suite("A power cut")
struct PowerCutTests {
    private let folder: ScratchFolder
    private let running = RunningLoop()

    init() throws {
        folder = try ScratchFolder(isInMemory: true)
        try #require(faulty_disk_install() == SQLITE_OK)
    }

    /// What is recorded, by the second of its moment.
    private enum Item: Hashable {
        case reading(Int), alarm(Int), entry(Int), wish(Int)

        var second: Int {
            switch self {
            case .reading(let second), .alarm(let second), .entry(let second), .wish(let second): second
            }
        }

        var isReading: Bool { if case .reading = self { true } else { false } }
    }

    /// Items in the order in which they were written, and how many operations of the disk had ended by then.
    private struct Written {
        var items: [(item: Item, end: Int)] = []

        /// What must be there after a cut behind some operations.
        func required(after operations: Int) -> Set<Item> {
            let done = items.prefix { $0.end <= operations }.map(\.item)
            let safe = done.lastIndex { !$0.isReading }.map { done[...$0] } ?? []
            let now = done.last?.second ?? .min
            return Set(safe).union(done.filter { $0.second <= now - 10 })
        }
    }

    /// A clock that a test sets.
    private final class Clock: Sendable {
        private let second = Mutex(0)
        var now: Moment { .at(second.withLock { $0 }) }
        func set(_ now: Int) { second.withLock { $0 = now } }
    }

    private static func sensor(_ number: Int) -> RememberedSensor {
        RememberedSensor(
            address: "C0:52:49:00:10:\(number / 10)\(number % 10)", name: "Strap", kind: .heartRateStrap,
            isWanted: true)
    }

    /// Gives the items of a second to a recorder, and has them written.
    private static func record(
        _ second: Int, _ inbox: RecorderInbox, _ random: inout SeededGenerator, wishes: inout Int
    ) -> [Item] {
        var items: [Item] = []
        for kind in 0..<4 where kind == 0 || Int.random(in: 0..<25, using: &random) == 0 {
            switch kind {
            case 0:
                inbox.append(Reading.rate(60 + second % 40, at: .at(second)))
                items.append(.reading(second))
            case 1:
                inbox.append(AlarmLogEntry.acknowledgement(at: second))
                items.append(.alarm(second))
            case 2:
                inbox.append(RecordEntry(.note("note"), enteredAt: .at(second)))
                items.append(.entry(second))
            default:
                inbox.append(.remembered(sensor(wishes)), at: .at(second))
                items.append(.wish(wishes))
                wishes += 1
            }
        }
        return items
    }

    /// Records for some minutes, over two starts, and lists what was written when.
    private func record(_ path: String, on disk: RecordedDisk, _ seed: Int) async throws -> Written {
        let (clock, length) = (Clock(), 150)
        var written = Written()
        for start in 0..<2 {
            let inbox = RecorderInbox()
            let recorder = Recording.Recorder(
                .init(path: path, day: "2026-01-02", programVersion: "1.0"), inbox: inbox, loop: running.loop,
                retryDelay: .seconds(3600), now: { clock.now }
            ) { _ in }
            clock.set(start * length)
            let before = written
            written = await recorder.alone { recorder in
                var random = SeededGenerator(seed: UInt64(seed * 2 + start))
                var (written, wishes) = (before, start * 50)
                _ = recorder.open(at: clock.now)
                // So that the log is brought in and begun again now and then.
                try? recorder.checkpoint(every: 40)
                for second in start * length..<(start + 1) * length {
                    clock.set(second)
                    let items = Self.record(second, inbox, &random, wishes: &wishes)
                    recorder.flush()
                    if second % 60 == 59 { _ = try? recorder.runStoreMaintenance(at: clock.now) }
                    written.items += items.map { ($0, disk.length) }
                }
                let isWaiting = recorder.isWaiting
                #expect(!isWaiting)
                recorder.close()
                return written
            }
        }
        return written
    }

    /// What a store has.
    private func items(in path: String) throws -> Set<Item> {
        var items: Set<Item> = []
        func second(_ wall: Int64) -> Int { Int(wall - Moment.at(0).wallMilliseconds) / 1000 }
        let history = try #require(try StoredHistory.open(path))
        try history.forEachReading(in: .min..<(.max)) { recorded in
            items.insert(.reading(second(recorded.reading.moment.wallMilliseconds)))
            return true
        }
        for recorded in try history.recordEntries(in: .min..<(.max)) {
            items.insert(.entry(second(recorded.entry.enteredAt.wallMilliseconds)))
        }
        try AlarmHistory.forEach(in: path) { items.insert(.alarm(second($0.moment.wallMilliseconds))) }
        let sensors = try SensorMemory.read(path).map(\.address)
        for number in 0..<100 where sensors.contains(Self.sensor(number).address) { items.insert(.wish(number)) }
        return items
    }

    @Test(
        "at any moment leaves a whole store with every alarm, entry and wish, and costs at most ten seconds of readings",
        arguments: 0..<3)
    func anyMoment(_ seed: Int) async throws {
        let disk = try RecordedDisk(folder.path + "/store/")
        let written = try await record(folder.path + "/store/store.sqlite", on: disk, seed)
        try #require(written.items.count > 300)
        let given = Set(written.items.map(\.item))
        var (random, lost) = (SeededGenerator(seed: UInt64(seed)), 0)
        let moments = (written.items.first?.end ?? 0)...disk.length
        let cuts = (0..<40).map { _ in Int.random(in: moments, using: &random) }.sorted()
        for (number, cut) in cuts.enumerated() {
            let path = try disk.cut(after: cut, into: "\(folder.path)/\(number)", &random) + "/store.sqlite"
            let opened = try StoreFile.open(path, day: "2026-01-02")
            #expect(opened.damagedStore == nil, "\(cut)")
            #expect(try opened.database.text("PRAGMA integrity_check") == "ok", "\(cut)")
            let found = try items(in: path)
            #expect(written.required(after: cut).subtracting(found).isEmpty, "\(cut)")
            #expect(found.subtracting(given).isEmpty, "\(cut)")
            // Another start counts what is there once more, and finds the same.
            try settle(opened.database)
            lost += written.items.prefix { $0.end <= cut }.count { !found.contains($0.item) }
        }
        #expect(lost > 0, "each batch was synced")
    }

    /// Sums up what was not, and compares the sums with the readings.
    private func settle(_ database: SQLiteDatabase) throws {
        try ReadingStore.settleEarlier(in: database, of: nil)
        let missing = try database.integer(
            "SELECT (SELECT count(*) FROM reading) - (SELECT ifnull(sum(readings + absences), 0) FROM minute)")
        #expect(missing == 0)
        #expect(try database.integer("SELECT max(last_wall_ms) < (SELECT max(wall_ms) FROM reading) FROM epoch") != 1)
    }

    @Test("costs nothing of what a collector has acknowledged")
    func collected() throws {
        let bed = folder.path + "/bed.sqlite"
        var store = try TestStore(path: bed)
        try store.write((0..<500).map { .rate(60 + $0 % 100, at: .at($0)) })
        let disk = try RecordedDisk(folder.path + "/store/")
        let collected = try CollectedStore(
            path: folder.path + "/store/store.sqlite", day: "2026-01-02", retention: Retention(age: .seconds(86_400)))
        var (cursor, count, random) = (HistoryCursor?.none, 0, SeededGenerator(seed: 4))
        while let batch = try RecordedBatch.read(from: bed, after: cursor, atMost: 60), !batch.rows.isEmpty {
            count += try collected.append(batch.rows)
            cursor = batch.next
            let path = try disk.cut(after: disk.length, into: "\(folder.path)/\(count)", &random) + "/store.sqlite"
            #expect(try items(in: path).count == count)
            _ = try collected.prune(now: 0)
        }
        #expect(count == 500)
    }

    @Test("is no reason to write a page twice: a batch of readings is a statement each, three more, and one page")
    func statements() async throws {
        let (disk, clock) = (try RecordedDisk(folder.path + "/store/"), Clock())
        let inbox = RecorderInbox()
        let recorder = Recording.Recorder(
            .init(path: folder.path + "/store/store.sqlite", day: "2026-01-02", programVersion: "1.0"), inbox: inbox,
            loop: running.loop, now: { clock.now }
        ) { _ in }
        try await recorder.alone { recorder in
            _ = recorder.open(at: clock.now)
            let database = try #require(recorder.store?.database)
            for second in 0..<8 {
                clock.set(second)
                let (runs, writes) = (database.runCount, disk.writes)
                for _ in 0..<4 { inbox.append(Reading.rate(70, at: .at(second))) }
                recorder.flush()
                if second == 0 { continue }
                // The beginning, the newest number, and the end of the transaction.
                #expect(database.runCount - runs == 4 + 3)
                // SQLite writes the header of a page in the log apart.
                #expect(disk.writes - writes == 2)
            }
            recorder.close()
        }
    }

    @Test("is survived with seven syncs a minute, in which readings are written sixty times, and one for each alarm")
    func syncs() async throws {
        let (disk, clock) = (try RecordedDisk(folder.path + "/store/"), Clock())
        let inbox = RecorderInbox()
        let recorder = Recording.Recorder(
            .init(path: folder.path + "/store/store.sqlite", day: "2026-01-02", programVersion: "1.0"), inbox: inbox,
            loop: running.loop, now: { clock.now }
        ) { _ in }
        await recorder.alone { recorder in
            _ = recorder.open(at: clock.now)
            func record(_ second: Int, by recorder: isolated Recording.Recorder) -> Int {
                let before = disk.syncs
                clock.set(second)
                inbox.append(Reading.rate(70, at: .at(second)))
                recorder.flush()
                return disk.syncs - before
            }
            #expect((0..<60).map { record($0, by: recorder) }.reduce(0, +) == 7)
            inbox.append(AlarmLogEntry.acknowledgement(at: 60))
            #expect(record(60, by: recorder) == 1)
            #expect((61..<69).map { record($0, by: recorder) }.reduce(0, +) == 0)
            #expect(record(69, by: recorder) == 1)
            recorder.close()
        }
    }
}

/// A disk of which everything is known that was done to it, by SQLite's layer over the files.
private final class RecordedDisk: Sendable {
    private let list: Int32
    private let place: String
    private let replayed = Mutex(Replayed())

    /// What was done so far.
    private struct Replayed {
        /// The content of each file that is on the disk, and what was done to it since it was synced.
        var files: [String: (safe: [UInt8], since: [faulty_operation])] = [:]
        var operations = 0
    }

    init(_ place: String) throws {
        list = faulty_disk_record(place)
        self.place = place
        try #require(list >= 0)
    }

    deinit { faulty_disk_forget(list) }

    /// The number of operations.
    var length: Int { Int(faulty_disk_length(list)) }

    /// The number of writes.
    var writes: Int { (0..<length).count { Int(faulty_disk_operation(list, Int32($0)).kind) == FAULTY_WRITE } }

    /// The number of syncs.
    var syncs: Int { (0..<length).count { Int(faulty_disk_operation(list, Int32($0)).kind) == FAULTY_SYNC } }

    /// Makes the files that a power cut behind some operations leaves: all that was synced, and of what was written to a
    /// file since then nothing, the beginning with a torn end, or any of its sectors.
    ///
    /// - Parameter operations: Not fewer than the last time.
    /// - Returns: Their folder.
    func cut(after operations: Int, into folder: String, _ random: inout SeededGenerator) throws -> String {
        let files = replayed.withLock { replayed in
            for number in replayed.operations..<operations {
                replay(faulty_disk_operation(list, Int32(number)), in: &replayed.files)
            }
            replayed.operations = operations
            return replayed.files
        }
        try #require(mkdir(folder, 0o700) == 0)
        for (name, file) in files.sorted(by: { $0.key < $1.key }) {
            var octets = file.safe
            let (way, end) = (
                Int.random(in: 0..<3, using: &random), Int.random(in: 0...file.since.count, using: &random)
            )
            for (number, operation) in file.since.enumerated() {
                if way == 0 || way == 1 && number > end { break }
                let isWhole = way == 1 && number < end
                Self.apply(operation, to: &octets) { _ in isWhole || Bool.random(using: &random) }
            }
            if !octets.isEmpty { try PrivateFile.replace("\(folder)/\(name)", with: octets) }
        }
        return folder
    }

    private func replay(
        _ operation: faulty_operation, in files: inout [String: (safe: [UInt8], since: [faulty_operation])]
    ) {
        let name = String(String(cString: operation.path).dropFirst(place.utf8.count))
        guard Int(operation.kind) == FAULTY_SYNC else { return files[name, default: ([], [])].since.append(operation) }
        for operation in files[name]?.since ?? [] {
            Self.apply(operation, to: &files[name, default: ([], [])].safe) { _ in true }
        }
        files[name]?.since = []
        // File systems bring the names of files onto the disk in their order, at the latest with the next sync.
        for (name, file) in files {
            let removal = file.since.lastIndex { Int($0.kind) == FAULTY_REMOVE }
            if let removal { files[name] = ([], Array(file.since[(removal + 1)...])) }
        }
    }

    /// Applies an operation to the content of a file, a write only in some sectors.
    private static func apply(_ operation: faulty_operation, to octets: inout [UInt8], _ isKept: (Int) -> Bool) {
        let place = Int(operation.place)
        switch Int(operation.kind) {
        case FAULTY_REMOVE where isKept(0): octets = []
        case FAULTY_TRUNCATE where isKept(0):
            octets = Array(octets.prefix(place)) + Array(repeating: 0, count: max(0, place - octets.count))
        case FAULTY_WRITE:
            let written = UnsafeBufferPointer(start: operation.octets, count: Int(operation.count))
            for start in stride(from: 0, to: written.count, by: 512) where isKept(start) {
                let sector = written[start..<min(start + 512, written.count)]
                let needed = place + start + sector.count - octets.count
                if needed > 0 { octets += Array(repeating: 0, count: needed) }
                octets.replaceSubrange(place + start..<place + start + sector.count, with: sector)
            }
        default: break
        }
    }
}
