import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("Runs that are over")
struct RunWriterTests {
    private let folder: ScratchFolder
    private var path: String { folder.path + "/data/store.sqlite" }

    init() throws { folder = try ScratchFolder() }

    /// Two runs of some minutes, with a gap of an hour between them.
    private static let runs: [RecordedRun] = [0, 4200].map { start in
        let note = RecordEntry(.note("run of \(start)"), enteredAt: .at(start + 30))
        return RecordedRun(
            start: .at(start), end: .at(start + 600),
            contents: (1..<500).map { .reading(.rate(60 + $0 / 60, at: .at(start + $0))) }
                + [.entry(note, patient: 1), .alarmLog(.fever(at: start + 400))],
            memory: MonitorMemory(
                neutrophils: NeutrophilCount(perMicrolitre: start, sampledAt: Moment.at(start).wallMilliseconds)))
    }

    private func fill(with runs: [RecordedRun] = runs) throws -> Bool {
        try RunWriter.fill(path, programVersion: "1.0") { runs }
    }

    @Test("are written into an empty store as a monitor would have written them, with the gap between them")
    func written() throws {
        #expect(try fill())
        let history = try #require(try StoredHistory.open(path))
        var count = 0
        try history.forEachReading(in: .min..<(.max)) { _ in
            count += 1
            return true
        }
        #expect(count == 998)
        #expect(try history.recordEntries(in: .min..<(.max)).map(\.run) == [1, 2])
        #expect(try history.wearings(in: .min..<(.max)).map(\.readings) == [499, 499])
        let gaps = try history.gaps(in: .min..<(.max))
        #expect(gaps.map(\.reason) == ["program"])
        #expect(gaps.first?.to == Moment.at(4200).wallMilliseconds)
        // The minutes are summed up although they were written in several parts.
        let minutes = try history.database.integer("SELECT sum(readings) FROM minute")
        #expect(minutes == 998)
        var log: [AlarmLogEntry] = []
        try AlarmHistory.forEach(in: path) { log.append($0) }
        #expect(log.map(\.run) == [1, 2])
        #expect(try SensorMemoryFile.read(path).patient.neutrophils?.perMicrolitre == 4200)
    }

    @Test("leave a store as it is that has anything in it, and are not even made for it")
    func notEmpty() throws {
        try SensorMemoryFile.remember(
            [RememberedSensor(address: "C0:52:49:00:00:02", name: "Polar H10", kind: .heartRateStrap, isWanted: true)],
            in: path)
        var isAsked = false
        let isWritten = try RunWriter.fill(path, programVersion: "1.0") {
            isAsked = true
            return Self.runs
        }
        #expect(!isWritten && !isAsked)
        #expect(try StoredHistory.open(path)?.database.integer("SELECT count(*) FROM reading") == 0)
    }

    @Test("are written once")
    func twice() throws {
        #expect(try fill())
        #expect(try !fill())
        #expect(try StoredHistory.open(path)?.database.integer("SELECT count(*) FROM epoch") == 2)
    }

    @Test("leave room for the monitor that follows: a gap is before it, and its memory is theirs")
    func followed() throws {
        #expect(try fill())
        let database = try StoreFile.openForAdding(path)
        let run = try RunTable(database: database).begin(at: .at(9000), programVersion: "1.0")
        #expect(run == 3)
        let gaps = try #require(try StoredHistory.open(path)).gaps(in: .min..<(.max))
        #expect(gaps.count == 2 && gaps.last?.from == Moment.at(4200 + 499).wallMilliseconds)
    }
}
