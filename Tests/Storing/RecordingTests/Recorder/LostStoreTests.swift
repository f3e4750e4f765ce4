import EventLoops
import Glibc
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("A store that is taken away while it is written to")
struct LostStoreTests {
    private let folder: ScratchFolder
    private let running = RunningLoop()
    private let watching = RunningLoop()
    private let inbox = RecorderInbox()
    private let states = TestSupport.Recorder<StorageState>()
    private let notices = TestSupport.Recorder<String>()
    private var path: String { "\(folder.path)/data/store.sqlite" }

    init() throws {
        folder = try ScratchFolder()
    }

    /// A recorder without maintenance, which would find the last batch in its place before it is lost.
    private func recorder(retryDelay: Duration = .milliseconds(10), diskLimit: Duration = .seconds(60))
        -> Recording.Recorder
    {
        Recording.Recorder(
            .init(path: path, day: "2026-01-02", programVersion: "1.0"), inbox: inbox, loop: running.loop,
            receptionLoop: watching.loop, retryDelay: retryDelay, firstMaintenance: .seconds(3600),
            diskLimit: diskLimit,
            onNotice: { [notices] in notices.record($0) }
        ) { [states] in states.record($0) }
    }

    private func rates(in path: String) throws -> [Int] {
        var found: [Int] = []
        try StoredHistory.open(path)?.forEachReading(in: .min..<(.max)) {
            if case .measured(let value, _) = $0.reading.outcome { found.append(value.hundredths / 100) }
            return true
        }
        return found
    }

    private func isHealthy(_ path: String) throws -> Bool {
        try SQLiteDatabase(path: path, for: .read).text("PRAGMA integrity_check") == "ok"
    }

    enum Misfortune: String, CaseIterable {
        case fileRemoved, fileMoved, folderRemoved, folderMoved, logRemoved, indexRemoved, cutToNothing, cutInTwo
        case overwritten, replacedByAnotherStore
    }

    private func strike(_ misfortune: Misfortune) throws {
        let data = folder.path + "/data"
        switch misfortune {
        case .fileRemoved: try #require(unlink(path) == 0)
        case .fileMoved: try #require(rename(path, folder.path + "/elsewhere.sqlite") == 0)
        case .folderRemoved:
            for name in try folder.names(in: data) { unlink("\(data)/\(name)") }
            try #require(rmdir(data) == 0)
        case .folderMoved: try #require(rename(data, folder.path + "/elsewhere") == 0)
        case .logRemoved: try #require(unlink(path + "-wal") == 0)
        case .indexRemoved: try #require(unlink(path + "-shm") == 0)
        case .cutToNothing: try #require(truncate(path, 0) == 0)
        case .cutInTwo: try #require(truncate(path, 8192) == 0)
        case .overwritten:
            _ = try folder.write(String(repeating: "no store ", count: 100_000), to: "data/store.sqlite", inPlace: true)
        case .replacedByAnotherStore:
            let other = folder.path + "/other.sqlite"
            do {
                var store = try TestStore(path: other)
                try store.write([.rate(99, at: .at(-5))])
            }
            try #require(rename(other, path) == 0)
        }
    }

    @Test(
        "is noticed with the next value, an alarm is raised, and what comes is recorded", arguments: Misfortune.allCases
    )
    func lost(_ misfortune: Misfortune) async throws {
        let recorder = recorder()
        _ = await recorder.open(at: .at(0))
        inbox.append(Reading.rate(70, at: .at(1)))
        try await awaitCondition("the first is written") { try rates(in: path) == [70] }
        try await recorder.bringLog()
        inbox.append(Reading.rate(71, at: .at(2)))
        try await awaitCondition("the second is written") { try rates(in: path) == [70, 71] }
        try strike(misfortune)
        inbox.append(Reading.rate(72, at: .at(3)))
        try await awaitCondition("it is reported") {
            states.elements.contains { if case .failed = $0 { true } else { false } }
        }
        let aside = "store.sqlite.damaged-2026-01-02"
        let isDamaged = [.cutToNothing, .cutInTwo, .overwritten].contains(misfortune)
        try await awaitCondition("it is over, and what was set aside is named") {
            states.elements.last == (isDamaged ? .incomplete(reason: "earlier values are in \(aside)") : .working)
        }
        #expect(StoreFile.damagedStores(beside: path) == (isDamaged ? [aside] : []))
        try await awaitCondition("the third is written") { try rates(in: path).last == 72 }
        inbox.append(Reading.rate(73, at: .at(4)))
        #expect(await recorder.close() == 0)
        #expect(try isHealthy(path))
        let kept = try rates(in: path)
        switch misfortune {
        case .logRemoved, .indexRemoved: #expect(kept == [70, 71, 72, 73], "nothing is lost, and nothing is twice")
        // What was written last is written again, because it may have gone into the lost store only.
        case .replacedByAnotherStore: #expect(kept == [99, 71, 72, 73])
        default: #expect(kept == [71, 72, 73])
        }
        if misfortune == .fileMoved { #expect(try rates(in: folder.path + "/elsewhere.sqlite") == [70, 71]) }
        if misfortune == .folderMoved { #expect(try rates(in: folder.path + "/elsewhere/store.sqlite") == [70, 71]) }
        #expect(notices.elements.count == 1)
        #expect(notices.elements.allSatisfy { $0.contains(path) && $0.contains(aside) == isDamaged })
    }

    @Test("keeps its data in memory while nothing can be written in its place")
    func noPlace() async throws {
        let recorder = recorder()
        _ = await recorder.open(at: .at(0))
        inbox.append(Reading.rate(70, at: .at(1)))
        try await awaitCondition("the first is written") { try rates(in: path) == [70] }
        try #require(rename(folder.path + "/data", folder.path + "/elsewhere") == 0)
        let obstacle = try folder.write("in the way", to: "data")
        for second in 2...9 { inbox.append(Reading.rate(70 + second, at: .at(second))) }
        try await awaitCondition("it is reported") { states.elements.count == 2 }
        unlink(obstacle)
        try await awaitCondition("all is written") { (try? rates(in: path)) == [70] + (72...79) }
        #expect(await recorder.close() == 0)
    }

    @Test("on a disk that does not answer is reported by another thread, and is over when it does")
    func hungDisk() async throws {
        let recorder = recorder(diskLimit: .milliseconds(100))
        _ = await recorder.open(at: .at(0))
        // Waiting for a lock is like waiting for a disk: the thread stands still for two seconds.
        let other = try SQLiteDatabase(path: path)
        try other.execute("BEGIN IMMEDIATE")
        inbox.append(Reading.rate(70, at: .at(1)))
        try await awaitCondition("it is reported") { states.elements.first == StorageReporter.stalled }
        try other.execute("COMMIT")
        try await awaitCondition("it is over") { states.elements.last == .working }
        try await awaitCondition("it is written") { try rates(in: path) == [70] }
        #expect(await recorder.close() == 0)
    }

    @Test("waits for a day of a steady clock before it erases by it, and says so")
    func clockAhead() async throws {
        let (day, year) = (86_400, 365 * 86_400)
        let place = Recording.Recorder.Place(
            path: path, day: "2026-01-02", programVersion: "1.0", retention: Retention(age: .seconds(30 * day)))
        let first = Recording.Recorder(place, inbox: RecorderInbox(), loop: running.loop, now: { .at(30) }) { _ in }
        _ = await first.open(at: .at(0))
        #expect(try await !first.runStoreMaintenance(at: .at(3 * day)))
        await first.close()

        let inbox = RecorderInbox()
        let second = Recording.Recorder(
            place, inbox: inbox, loop: running.loop, now: { .at(2 * year + 30) },
            onNotice: { [notices] in notices.record($0) }
        ) { _ in }
        _ = await second.open(at: .at(2 * year))
        inbox.append(Reading.rate(70, at: .at(2 * year)))
        let reader = try SQLiteDatabase(path: path, for: .read)
        try await awaitCondition("it is written") { try reader.integer("SELECT count(*) FROM reading") == 1 }
        // The gap of two years is an old thing by the clock, and by nothing else.
        #expect(try reader.integer("SELECT count(*) FROM gap") == 1)
        let writer = try SQLiteDatabase(path: path)
        try writer.run(
            """
            INSERT INTO alarm_log (epoch, wall_ms, monotonic_ns, actor, action, text)
            VALUES (1, ?1, 0, 'user', 'acknowledged', '')
            """, .integer(Moment.at(5).wallMilliseconds))
        #expect(try await !second.runStoreMaintenance(at: .at(2 * year + 60)))
        #expect(try await !second.runStoreMaintenance(at: .at(2 * year + 120)))
        #expect(try reader.integer("SELECT count(*) FROM alarm_log") == 1)
        #expect(notices.elements.count == 1)
        #expect(notices.elements.first?.hasPrefix("The clock is 727 days ahead") == true, "\(notices.elements)")
        #expect(try await !second.runStoreMaintenance(at: .at(2 * year + day + 60)))
        #expect(try reader.integer("SELECT count(*) FROM alarm_log") == 0)
        await second.close()
    }
}

extension Recording.Recorder {
    /// Brings the log into the file, as SQLite does now and then.
    fileprivate func bringLog() throws {
        _ = try store?.database.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    }
}

extension ScratchFolder {
    fileprivate func names(in folder: String) throws -> [String] {
        var names: [String] = []
        let stream = try #require(opendir(folder))
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Writes into a file that is there, which stays the same file.
    fileprivate func write(_ text: String, to name: String, inPlace: Bool) throws -> String {
        let file = try #require(fopen("\(path)/\(name)", "r+"))
        defer { fclose(file) }
        try #require(fputs(text, file) >= 0)
        return name
    }
}
