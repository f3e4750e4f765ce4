import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("The records of several patients in a store")
struct PatientTableTests {
    private static let all = Int64.min..<Int64.max

    private static func change(at second: Int) throws -> AlarmLogEntry {
        try #require(AlarmLogEntry(.action(ActionRecord(moment: .at(second), actor: .user, kind: .newPatient))))
    }

    private func notes(_ database: SQLiteDatabase, of patient: Int?) throws -> [String] {
        let history = try StoredHistory(database)
        let entries = try history.recordEntries(in: Self.all, patient: patient)
        try database.execute("COMMIT")
        return entries.compactMap { if case .note(let text) = $0.entry.content { text } else { nil } }
    }

    @Test("are separate: what is entered after the change is the new patient's, whenever it was measured")
    func separate() throws {
        let store = try TestStore()
        let (entries, alarms) = (EntryStore(database: store.database), AlarmStore(database: store.database))
        var old = RecordEntry(.note("old"), enteredAt: .at(100))
        try entries.append(old, run: store.run)
        try alarms.append(try Self.change(at: 200), run: store.run)
        // An hour before the change, by a person who types late.
        try entries.append(RecordEntry(.note("new"), taken: .at(10), enteredAt: .at(201)), run: store.run)
        // The clock is set back meanwhile.
        try entries.append(RecordEntry(.note("later"), enteredAt: .at(50)), run: store.run)
        old.retract(at: .at(300), reason: "of another patient")
        try entries.append(old, run: store.run)
        try alarms.append(try Self.change(at: 400), run: store.run)
        #expect(try notes(store.database, of: 1) == ["old"])
        #expect(try notes(store.database, of: 2) == ["new", "later"])
        #expect(try notes(store.database, of: 3).isEmpty)
        #expect(try notes(store.database, of: nil).count == 3)
        let history = try StoredHistory(store.database)
        let times = [Moment.at(200), .at(400)].map(\.wallMilliseconds)
        #expect(
            try history.patients() == [
                RecordedPatient(number: 1, since: .min, until: times[0]),
                RecordedPatient(number: 2, since: times[0], until: times[1]),
                RecordedPatient(number: 3, since: times[1], until: nil),
            ])
        #expect(try history.newestPatientChange() == times[1])
    }

    @Test("have the readings of their time, also those that came when the next record was open")
    func lateReadings() throws {
        var store = try TestStore()
        try AlarmStore(database: store.database).append(try Self.change(at: 200), run: store.run)
        func reading(_ value: Int, at arrival: Int, measured: Int? = nil) -> Reading {
            var reading = Reading(
                sensor: .strap, vital: .heartRate, outcome: .measured(VitalValue(whole: value), .good),
                moment: .at(arrival))
            reading.late = measured.map { LateInterval(sensorTime: .at($0)) }
            return reading
        }
        try store.write([
            reading(60, at: 100), reading(61, at: 150, measured: 90), reading(70, at: 210),
            reading(62, at: 220, measured: 199), reading(71, at: 230, measured: 201), reading(72, at: 240),
        ])
        let history = try StoredHistory(store.database)
        let patients = try history.patients()
        func values(_ record: Range<Int64>, in range: Range<Int64> = Self.all) throws -> [Int] {
            var values: [Int] = []
            try history.forEachReading(in: range, of: record) { found in
                if case .measured(let value, _) = found.reading.outcome { values.append(value.hundredths / 100) }
                return true
            }
            return values
        }
        #expect(try values(patients[0].range) == [60, 61, 62])
        #expect(try values(patients[1].range) == [70, 71, 72])
        #expect(try values(Self.all) == [60, 61, 70, 62, 71, 72])
        let arrivals = Moment.at(120).wallMilliseconds..<Moment.at(225).wallMilliseconds
        #expect(try values(patients[0].range, in: arrivals) == [61, 62])
        #expect(try history.sources(in: Self.all, of: patients[0].range).map(\.sensor) == [.strap])
    }

    @Test("remember for the next start since when this one is open, and that the reminder was deferred")
    func memory() throws {
        let store = try TestStore()
        let memory = MemoryStore(database: store.database)
        try AlarmStore(database: store.database).append(try Self.change(at: 200), run: store.run)
        try memory.write(.patient(MonitorMemory(labDeferredAt: 7)))
        #expect(
            try memory.read().patient == MonitorMemory(labDeferredAt: 7, patientSince: Moment.at(200).wallMilliseconds))
        try memory.write(.patient(MonitorMemory()))
        #expect(try memory.read().patient.labDeferredAt == nil)
    }

    @Test("keep their entries however old, unless the user wants them removed, too")
    mutating func retention() throws {
        var store = try TestStore()
        let day = 86_400
        try EntryStore(database: store.database).append(RecordEntry(.note("old"), enteredAt: .at(0)), run: store.run)
        try store.write((0..<3).map { .rate(60, at: .at($0)) })
        try store.readings.recorded(until: .at(1000 * day))
        let now = Moment.at(1000 * day).wallMilliseconds
        func prune(_ retention: Retention) throws { while try retention.prune(store.database, now: now) {} }
        try prune(Retention(age: .seconds(365 * day)))
        #expect(try store.database.integer("SELECT count(*) FROM reading") == 0)
        #expect(try notes(store.database, of: nil) == ["old"])
        try prune(Retention(entryAge: .seconds(1001 * day)))
        #expect(try notes(store.database, of: nil) == ["old"])
        try prune(Retention(entryAge: .seconds(999 * day)))
        #expect(try notes(store.database, of: nil).isEmpty)
    }

    @Test("of two years and 20,000 entries open with a search of the last two weeks only")
    func manyEntries() throws {
        func instructions(_ years: Int) throws -> (count: Int, entries: Int) {
            let store = try TestStore()
            let count = 10_000 * years
            try store.database.transaction { () throws(StoreError) in
                let entries = EntryStore(database: store.database)
                for number in 0..<count {
                    let moment = Moment.at(number * 365 * 86_400 / 10_000)
                    try entries.append(RecordEntry(.note("note \(number)"), enteredAt: moment), run: store.run)
                }
            }
            let history = try StoredHistory(store.database)
            let now = Moment.at(365 * 86_400 * years).wallMilliseconds
            let start = now - PatientRecord.longestReach.components.seconds * 1000
            let before = store.database.instructionCount
            let found = try history.recordEntries(in: start..<now + 1, patient: try history.patients().last?.number)
            return (store.database.instructionCount - before, found.count)
        }
        let (one, two) = (try instructions(1), try instructions(2))
        #expect(one.entries > 300 && one.entries < 500 && abs(one.entries - two.entries) <= 1)
        // Some hundred instructions for each entry, and none for the others.
        #expect(two.count < 300 * two.entries, "\(two)")
        #expect(two.count < one.count * 11 / 10, "\(one) \(two)")
    }

    @Test("keep an imported entry once, with its key, its file and when it was entered there")
    func imported() throws {
        let store = try TestStore()
        let entries = EntryStore(database: store.database)
        for second in [10, 20] {
            var entry = RecordEntry(.note("imported"), taken: .at(1), enteredAt: .at(second))
            entry.origin = ImportOrigin(key: "k", source: "labs.csv (csv)", enteredAt: 5)
            try entries.append(entry, run: store.run)
        }
        let found = try StoredHistory(store.database).recordEntries(in: Self.all)
        #expect(found.map(\.entry.origin) == [ImportOrigin(key: "k", source: "labs.csv (csv)", enteredAt: 5)])
        #expect(found.first?.entry.enteredAt == .at(10))
        try store.database.execute("COMMIT")
        // Another patient can have the same file.
        try AlarmStore(database: store.database).append(try Self.change(at: 30), run: store.run)
        var entry = RecordEntry(.note("imported"), taken: .at(1), enteredAt: .at(40))
        entry.origin = ImportOrigin(key: "k", source: "labs.csv (csv)")
        try entries.append(entry, run: store.run)
        #expect(try notes(store.database, of: 2) == ["imported"])
    }
}
