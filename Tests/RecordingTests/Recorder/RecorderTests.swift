import Glibc
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("The recorder")
struct RecorderTests {
    private let folder: ScratchFolder
    private let running = RunningLoop()
    private let states = TestSupport.Recorder<StorageState>()
    private var path: String { "\(folder.path)/data/store.sqlite" }

    init() throws {
        folder = try ScratchFolder()
    }

    private func recorder() -> Recording.Recorder {
        Recording.Recorder(
            .init(path: path, day: "2026-01-02", programVersion: "1.0"), loop: running.loop,
            retryDelay: .milliseconds(10)
        ) { [states] in states.record($0) }
    }

    private func stored() throws -> [AlarmLogEntry] {
        var entries: [AlarmLogEntry] = []
        try AlarmHistory.forEach(in: path) { entries.append($0) }
        return entries
    }

    @Test("writes what happens while the program runs, and the next run finds it")
    func surviving() async throws {
        let first = recorder()
        #expect(await first.open(at: .at(0)) == .init())
        await first.record([.fever(at: 1)])
        try await awaitCondition("it is written without being asked") { try stored().count == 1 }
        await first.record([.acknowledgement(at: 2)])
        #expect(await first.close() == 0)

        let second = recorder()
        let opening = await second.open(at: .at(10))
        #expect(opening.log.map(\.moment) == [.at(1), .at(2), .at(10)])
        #expect(opening.trouble == nil)
        await second.close()
        #expect(states.elements.isEmpty)
    }

    /// The states of the alarms in the store, with the run that they were in.
    private func states(of entries: [AlarmLogEntry]) -> [String] {
        entries.compactMap { entry in
            if case .change(let change) = entry.content { "\(entry.run) \(change.state.rawValue)" } else { nil }
        }
    }

    @Test("ends the alarms of a run that was killed, once, and leaves those of a program that still runs alone")
    func interrupted() async throws {
        let first = recorder()
        _ = await first.open(at: .at(0))
        await first.record([.fever(at: 1), .adapterOff(at: 2)])
        try await awaitCondition("it is written") { try stored().count == 2 }

        let beside = recorder()
        #expect(states(of: await beside.open(at: .at(3)).log) == ["1 active", "1 ended"])
        await beside.close()
        // A killed program leaves its alarms as they are.
        await first.close()

        let next = recorder()
        let log = await next.open(at: .at(10)).log
        #expect(states(of: log) == ["1 active", "1 ended", "1 interrupted"])
        #expect(log.last?.moment == .at(10))
        await next.close()
        let again = recorder()
        #expect(await again.open(at: .at(20)).log == log)
        await again.close()
    }

    @Test("goes on in memory while there is no place for the store, and writes all of it when there is")
    func returning() async throws {
        let obstacle = try folder.write("in the way", to: "data")
        let recorder = recorder()
        let opening = await recorder.open(at: .at(0))
        #expect(opening.trouble?.hasPrefix("Nothing is recorded for now: ") == true)
        await recorder.record([.fever(at: 1), .acknowledgement(at: 2)])
        #expect(states.elements.count == 1)
        unlink(obstacle)
        try await awaitCondition("the store is back") { states.elements.last == .working }
        try await awaitCondition("all is written") { try stored().count == 2 }
        #expect(await recorder.close() == 0)
    }

    @Test("says so when a damaged store was set aside")
    func damaged() async throws {
        try #require(mkdir("\(folder.path)/data", 0o700) == 0)
        _ = try folder.write("no store", to: "data/store.sqlite")
        let recorder = recorder()
        let trouble = try #require(await recorder.open(at: .at(0)).trouble)
        #expect(trouble.contains("\(path).damaged-2026-01-02"))
        await recorder.record([.fever(at: 1)])
        await recorder.close()
        #expect(try stored().count == 1)
    }

    @Test("waits while another program holds the store, and loses nothing")
    func locked() async throws {
        let recorder = recorder()
        _ = await recorder.open(at: .at(0))
        let other = try SQLiteDatabase(path: path)
        try other.execute("BEGIN IMMEDIATE")
        await recorder.record([.fever(at: 1)])
        try await awaitCondition("the trouble is told", within: .seconds(60)) {
            if case .failed = states.elements.last { true } else { false }
        }
        try other.execute("COMMIT")
        try await awaitCondition("it is over", within: .seconds(60)) { states.elements.last == .working }
        #expect(try stored().count == 1)
        await recorder.close()
    }

    @Test("tells how much it could not write when it is closed")
    func closing() async throws {
        _ = try folder.write("in the way", to: "data")
        let recorder = recorder()
        _ = await recorder.open(at: .at(0))
        await recorder.record([.fever(at: 1)])
        #expect(await recorder.close() == 1)
    }
}
