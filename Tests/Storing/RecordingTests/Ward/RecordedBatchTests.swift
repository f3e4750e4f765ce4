import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("Batches of recorded rows")
struct RecordedBatchTests {
    /// The seconds of the rates of a store, in batches of a size.
    private func batches(
        _ store: TestStore, size: Int, _ selection: RecordedBatch.Selection
    ) throws -> [[Int]] {
        var (batches, cursor): ([[Int]], HistoryCursor?) = ([], nil)
        while true {
            let history = try StoredHistory(store.database)
            defer { try? store.database.execute("COMMIT") }
            guard let batch = try history.batch(after: cursor, atMost: size, selection), !batch.rows.isEmpty else {
                return batches
            }
            // A cursor is the same from its text.
            #expect(HistoryCursor(batch.next.text) == batch.next)
            cursor = batch.next
            batches.append(
                batch.rows.map { Int(($0.content.moment.wallMilliseconds - Moment.at(0).wallMilliseconds) / 1000) })
        }
    }

    /// The beginning of the first whole minute of a store, in seconds.
    private static let minute = 40

    private func store(seconds: some Sequence<Int>) throws -> TestStore {
        var store = try TestStore()
        try store.write(seconds.map { .rate(60, at: .at($0)) })
        return store
    }

    private func end(_ seconds: Int) -> RecordedBatch.Selection {
        RecordedBatch.Selection(wholeMinutesBefore: Moment.at(seconds).wallMilliseconds)
    }

    @Test("end with whole minutes where a batch is large enough for one")
    func wholeMinutes() throws {
        let store = try store(seconds: stride(from: 0, to: 300, by: 10))
        // Seconds 0 to 30 are in a minute, then six in each.
        #expect(try batches(store, size: 9, end(1000)).map(\.count) == [4, 6, 6, 6, 8])
        #expect(try batches(store, size: 17, end(1000)).map(\.count) == [16, 14])
        // A minute that is too large for a batch is in several.
        #expect(try batches(store, size: 4, end(1000)).flatMap(\.self) == Array(stride(from: 0, to: 300, by: 10)))
        for size in 1...40 {
            #expect(try batches(store, size: size, end(1000)).flatMap(\.self).count == 30)
        }
    }

    @Test("leave the newest minute for later, until it is over")
    func openMinute() throws {
        let store = try store(seconds: stride(from: 0, to: 300, by: 10))
        #expect(try batches(store, size: 100, end(Self.minute + 60)) == [Array(stride(from: 0, to: 100, by: 10))])
        #expect(try batches(store, size: 100, .init()).first?.count == 30)
    }

    @Test("leave no minute of an earlier epoch, whatever its clock said")
    func earlierEpoch() throws {
        let path = try ScratchFolder()
        var first = try TestStore(path: "\(path.path)/store.sqlite", at: .at(100_000))
        try first.write([.rate(60, at: .at(100_010)), .rate(61, at: .at(100_020))])
        // The clock was a day ahead.
        var second = try TestStore(path: "\(path.path)/store.sqlite", at: .at(0))
        try second.write([.rate(62, at: .at(10)), .rate(63, at: .at(70))])
        #expect(try batches(second, size: 100, end(Self.minute)) == [[100_010, 100_020, 10]])
    }

    @Test("have what arrived before the clock was set and was recorded after it", arguments: [-7200, -30, 30, 7200])
    func recordedAfterClockWasSet(seconds: Int) throws {
        func moment(_ second: Int, isSet: Bool) -> Moment {
            var moment = Moment.at(second)
            if isSet { moment.wallMilliseconds += Int64(seconds) * 1000 }
            return moment
        }
        var store = try TestStore()
        try store.write([.rate(60, at: .at(10))])
        try store.write { readings throws(StoreError) in
            let gap = Gap(from: moment(20, isSet: false), to: moment(20, isSet: true), reason: .clockSet)
            try readings.append(gap, reason: gap.reason.rawValue)
        }
        try store.write([.rate(61, at: moment(19, isSet: false))])
        var rates: [Int] = []
        var cursor: HistoryCursor?
        for second in 21...23 {
            let history = try StoredHistory(store.database)
            let batch = try #require(try history.batch(after: cursor, atMost: 100))
            try store.database.execute("COMMIT")
            cursor = batch.next
            rates += batch.rows.map { Int($0.content.moment.monotonicNanoseconds / 1_000_000_000) }
            try store.write([.rate(60, at: moment(second, isSet: true))])
        }
        let start = Int(Moment.at(0).monotonicNanoseconds / 1_000_000_000)
        #expect(rates.map { $0 - start } == [10, 19, 21, 22])
    }

    @Test("have what was confirmed or discarded after it was read once more, each as it is now")
    func confirmed() throws {
        let store = try TestStore()
        let entries = EntryStore(database: store.database)
        var waiting = (0..<3).map { number in
            RecordEntry(
                .weight(VitalValue(whole: 60 + number)),
                from: .sensor(SensorIdentity(address: "C0:52:49:00:00:0A", name: "Scale", kind: .weightScale)),
                EntryFacts(confirmation: .awaited), enteredAt: .at(number))
        }
        for entry in waiting { try entries.append(entry, run: store.run) }
        func batch(after cursor: HistoryCursor?) throws -> RecordedBatch? {
            let history = try StoredHistory(store.database)
            defer { try? store.database.execute("COMMIT") }
            return try history.batch(after: cursor, atMost: 100)
        }
        let first = try #require(try batch(after: nil))
        waiting[0].confirm(at: .at(100))
        waiting[1].confirm(at: .at(100))
        waiting[2].retract(at: .at(200), reason: RecordEntry.discarded)
        let changes: [(RecordEntry, ActionRecord.Kind, Int)] = [
            (waiting[0], .confirmed(waiting[0]), 100), (waiting[1], .confirmed(waiting[1]), 100),
            (waiting[2], .retracted(waiting[2]), 200),
        ]
        for (entry, kind, second) in changes {
            try entries.append(entry, run: store.run)
            let action = ActionRecord(moment: .at(second), actor: .user, kind: kind)
            try AlarmStore(database: store.database).append(
                try #require(AlarmLogEntry(.action(action))), run: store.run)
        }
        func entriesOf(_ batch: RecordedBatch?) -> [RecordEntry] {
            batch?.rows.compactMap { if case .entry(let entry, _) = $0.content { entry } else { nil } } ?? []
        }
        #expect(entriesOf(first).map(\.isUnconfirmed) == [true, true, true])
        let second = entriesOf(try batch(after: first.next))
        #expect(second.map(\.id) == waiting.map(\.id))
        #expect(second.map { $0.confirmedAt != nil } == [true, true, false])
        #expect(second.map(\.isRetracted) == [false, false, true])
    }

    @Test("have notes only where they are wanted")
    func notes() throws {
        let store = try TestStore()
        try EntryStore(database: store.database).append(RecordEntry(.note("a fall"), enteredAt: .at(1)), run: store.run)
        #expect(try batches(store, size: 10, .init()).isEmpty)
        #expect(try batches(store, size: 10, .init(notes: true)) == [[1]])
    }
}
