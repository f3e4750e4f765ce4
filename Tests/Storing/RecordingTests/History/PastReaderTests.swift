import EventLoops
import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("Looking back", .timeLimit(.minutes(10)))
struct PastReaderTests {
    private let folder: ScratchFolder
    private let running = RunningLoop()
    private var store: TestStore

    init() throws {
        folder = try ScratchFolder()
        store = try TestStore(path: folder.path + "/store.sqlite")
        try store.write((0..<7200).map { .rate(60 + $0 / 60, at: .at($0)) })
    }

    private var reader: PastReader { PastReader(path: folder.path + "/store.sqlite", loop: running.loop) }

    private func newPatient(at second: Int) throws {
        let alarms = AlarmStore(database: store.database)
        try alarms.append(.fever(at: second - 100), run: store.run)
        let record = ActionRecord(moment: .at(second), actor: .user, kind: .newPatient)
        try alarms.append(try #require(AlarmLogEntry(.action(record))), run: store.run)
        try alarms.append(.fever(at: second + 100), run: store.run)
    }

    @Test("finds values and alarms of the time that is asked for, and since when there is anything")
    func stretch() async throws {
        try AlarmStore(database: store.database).append(.fever(at: 100), run: store.run)
        let past = try await reader.past(from: .at(600), to: .at(1200), finest: .seconds(10))
        let stretches = try #require(past.series.first).stretches
        #expect(stretches.first?.from == Moment.at(600).wallMilliseconds)
        #expect(stretches.last?.from == Moment.at(1200).wallMilliseconds)
        #expect(past.alarms.count == 1)
        #expect(past.since == Moment.at(0).wallMilliseconds / 60_000 * 60_000)
    }

    @Test("returns nothing of an earlier patient, neither values nor alarms")
    func patients() async throws {
        try newPatient(at: 3600)
        let past = try await reader.past(from: .at(0), to: .at(7200), finest: .seconds(1))
        #expect(past.series.first?.stretches.first?.from == Moment.at(3600).wallMilliseconds)
        #expect(past.alarms.map(\.moment) == [.at(3600), .at(3700)])
        #expect(past.since == Moment.at(3600).wallMilliseconds)
        let before = try await reader.past(from: .at(0), to: .at(1800), finest: .seconds(1))
        #expect(before.series.isEmpty && before.alarms.isEmpty)
        let beginning = try await reader.beginning(at: .at(7200))
        #expect(beginning.series.first?.stretches.first?.from == Moment.at(3600).wallMilliseconds)
        #expect(beginning.since == Moment.at(3600).wallMilliseconds)
    }

    @Test("returns nothing of an earlier patient before the store knows the new one")
    func patientOfNow() async throws {
        let past = try await reader.past(from: .at(0), to: .at(7200), finest: .seconds(1), patientSince: .at(7000))
        #expect(past.series.first?.stretches.count == 200)
        #expect(past.since == Moment.at(7000).wallMilliseconds)
    }

    @Test("finds nothing where there is no store, and says why one cannot be read")
    func none() async throws {
        let missing = PastReader(path: folder.path + "/none.sqlite", loop: running.loop)
        #expect(try await missing.past(from: .at(0), to: .at(100), finest: .seconds(1)) == PastReader.Past())
        let path = try folder.write("this is no database, but long enough to be taken for one", to: "broken.sqlite")
        let broken = PastReader(path: path, loop: running.loop)
        await #expect(throws: StoreError.self) {
            try await broken.past(from: .at(0), to: .at(100), finest: .seconds(1))
        }
    }
}
