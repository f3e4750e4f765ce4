import Monitoring
import Testing
import Vitals

@testable import Recording

@Suite("The alarm log in the store")
struct AlarmStoreTests {
    private let store: AlarmStore

    init() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        try Schema.migrate(database)
        store = AlarmStore(database: database)
    }

    private func beginRun(at moment: Moment) throws -> Int64 {
        try RunTable(database: store.database).begin(at: moment, programVersion: "1.0")
    }

    private func append(_ entries: [AlarmLogEntry], run: Int64) throws {
        for entry in entries { try store.append(entry, run: run) }
    }

    private func all(since: Int64 = .min, newest: Int64 = .max) throws -> [AlarmLogEntry] {
        var entries: [AlarmLogEntry] = []
        try store.forEach(since: since, newest: newest) { entries.append($0) }
        return entries
    }

    @Test("gives back every field of alarms and actions, in the order in which they happened")
    func roundTrip() throws {
        let run = try beginRun(at: .at(0))
        let entries = [AlarmLogEntry.fever(at: 1), .acknowledgement(at: 2), .adapterOff(at: 3)]
        try append(entries, run: run)
        let expected = entries.map { entry in
            var entry = entry
            entry.run = run
            return entry
        }
        #expect(try all() == expected)
    }

    @Test(
        "keeps every condition, state and priority apart",
        arguments: AlarmKind.allCases)
    func text(kind: AlarmKind) throws {
        let run = try beginRun(at: .at(0))
        var entries: [AlarmLogEntry] = []
        for state in AlarmLogEntry.State.allCases {
            for priority in AlarmPriority.allCases {
                var entry = AlarmLogEntry.fever(at: 1)
                entry.run = run
                guard case .change(var change) = entry.content else { continue }
                (change.kindName, change.alarmClass) = (kind.rawValue, kind.alarmClass)
                change.state = state
                change.priority = priority
                entry.content = .change(change)
                entries.append(entry)
            }
        }
        try append(entries, run: run)
        #expect(try all() == entries)
    }

    @Test("can be read from a moment on, and the newest entries alone")
    func parts() throws {
        let run = try beginRun(at: .at(0))
        try append((1...5).map { .acknowledgement(at: $0) }, run: run)
        #expect(try all(since: Moment.at(4).wallMilliseconds).map(\.moment) == [.at(4), .at(5)])
        #expect(try all(newest: 2).map(\.moment) == [.at(4), .at(5)])
    }

    @Test("distinguishes the runs of the program")
    func runs() throws {
        for second in 1...2 {
            let run = try beginRun(at: .at(second))
            try append([.fever(at: second)], run: run)
        }
        #expect(try Set(all().map(\.run)).count == 2)
        #expect(try store.database.integer("SELECT count(*) FROM sensor") == 1)
    }
}
