import Nights
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("The recorder, keeping a night")
struct RecorderNightsTests {
    private static let night = StoredNight(
        sensor: SensorIdentity(address: "C0:52:49:00:00:53", name: "O2Ring S", kind: .oximeter), name: "20260921221320",
        start: 1_790_000_000_000, interval: 1, samples: [NightSample(saturation: 97, pulseRate: 60, movement: 0)])
    private let folder: ScratchFolder
    private let running = RunningLoop()
    private let inbox = RecorderInbox()
    private var path: String { "\(folder.path)/store.sqlite" }

    init() throws { folder = try ScratchFolder() }

    private func recorder(_ path: String, _ inbox: RecorderInbox) -> Recording.Recorder {
        Recording.Recorder(
            .init(path: path, day: "2026-01-02", programVersion: "1.0"), inbox: inbox, loop: running.loop,
            now: { .at(1) }
        ) { _ in }
    }

    @Test("has it in the store and its file beside that, and the next run knows it")
    func kept() async throws {
        let opened = recorder(path, inbox)
        _ = await opened.open(at: .at(0))
        #expect(await opened.keep(Self.night, file: [1, 3, 0], by: inbox) == nil)
        await opened.close()
        let files = NightFiles(beside: path)
        #expect(try files.read(name: Self.night.name, from: Self.night.sensor.address) == [1, 3, 0])
        let database = try #require(try StoreFile.openForReading(path))
        #expect(try MemoryStore(database: database).read().nights == [Self.night.sensor.address: [Self.night.name]])
    }

    @Test("removes its file once it is too old, and does not ask its ring for it again")
    func outlived() async throws {
        let opened = recorder(path, inbox)
        _ = await opened.open(at: .at(0))
        #expect(await opened.keep(Self.night, file: [1, 3, 0], by: inbox) == nil)
        await opened.close()
        let files = NightFiles(beside: path)
        let again = recorder(path, RecorderInbox())
        _ = await again.open(at: .at(2))
        _ = try await again.runStoreMaintenance(at: .at(2))
        #expect(try files.read(name: Self.night.name, from: Self.night.sensor.address) != nil)
        try await again.removeNights()
        _ = try await again.runStoreMaintenance(at: .at(3))
        #expect(try files.read(name: Self.night.name, from: Self.night.sensor.address) == nil)
        await again.close()
        let database = try #require(try StoreFile.openForReading(path))
        #expect(try NightStore(database: database).outlived().isEmpty)
        #expect(try MemoryStore(database: database).read().nights == [Self.night.sensor.address: [Self.night.name]])
    }

    @Test("keeps neither and says why where the store cannot be opened, or the file cannot be written")
    func failing() async throws {
        let closed = recorder("/proc/nowhere/store.sqlite", inbox)
        _ = await closed.open(at: .at(0))
        #expect(await closed.keep(Self.night, file: [1], by: inbox) != nil)
        await closed.close()
        _ = try folder.write("no folder", to: "nights")
        let other = RecorderInbox()
        let opened = recorder(path, other)
        _ = await opened.open(at: .at(0))
        #expect(await opened.keep(Self.night, file: [1], by: other)?.contains("nights") == true)
        await opened.close()
        let database = try #require(try StoreFile.openForReading(path))
        #expect(try MemoryStore(database: database).read().nights.isEmpty)
    }
}

extension Recording.Recorder {
    /// Removes all nights, as if they were too old.
    fileprivate func removeNights() throws { try store?.database.run("DELETE FROM night") }
}
