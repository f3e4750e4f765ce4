import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("What was recorded")
struct StoredHistoryTests {
    private var store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func wall(_ second: Int) -> Int64 { Moment.at(second).wallMilliseconds }

    @Test("is found by its time and vital, from the first moment on and before the last")
    mutating func ranges() throws {
        try store.write((0..<10).map { .rate(60 + $0, at: .at($0)) })
        let history = try StoredHistory(store.database)
        var found: [Moment] = []
        try history.forEachReading(in: wall(3)..<wall(5)) {
            found.append($0.reading.moment)
            return true
        }
        #expect(found == [.at(3), .at(4)])
        try history.forEachReading(in: wall(0)..<wall(10), vitals: [.bodyTemperature]) { _ in
            Issue.record("that vital was never recorded")
            return true
        }
        var count = 0
        try history.forEachReading(in: wall(0)..<wall(10)) { _ in
            count += 1
            return count < 4
        }
        #expect(count == 4)
    }

    @Test("is handed out in pages, between which the store's log can be brought in")
    func pages() throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/store.sqlite"
        let writer = try StoreFile.open(path, day: "2026-01-02").database
        let run = try RunTable(database: writer).begin(at: .at(0), programVersion: "1.0")
        let number = 2 * StoredHistory.pageSize + 5
        let readings = (0..<number).map { Reading.rate(60 + $0 % 100, at: .at($0 / 3)) }
        try write(readings, to: writer, run)
        let history = try #require(try StoredHistory.open(path))
        var found: [Reading] = []
        var busy: [Int64?] = []
        try history.forEachReading(in: .min..<(.max)) { recorded in
            if found.count % StoredHistory.pageSize == 0 {
                // Blocking here delays no other test.
                try? write([.rate(99, at: .at(number))], to: writer, run)
                busy.append(try? writer.integer("PRAGMA wal_checkpoint(TRUNCATE)"))
            }
            found.append(recorded.reading)
            return true
        }
        #expect(found == readings)
        #expect(busy == [0, 0, 0])
    }

    private func write(_ readings: [Reading], to database: SQLiteDatabase, _ run: Int64) throws {
        var store = ReadingStore(database, run: run)
        try database.transaction { () throws(StoreError) in
            try store.begin()
            for reading in readings { try store.append(reading) }
            try store.settle()
        }
    }

    @Test("names its sources once, under the newest name of a sensor")
    mutating func sources() throws {
        var renamed = Reading.rate(61, at: .at(1))
        renamed.sensor.name = "Grandfather"
        try store.write([.rate(60, at: .at(0)), renamed])
        let sources = try StoredHistory(store.database).sources(in: wall(0)..<wall(10))
        #expect(sources.map(\.sensor.name) == ["Grandfather"])
        #expect(sources.first?.sensorNumbers.count == 2)
    }

    @Test("becomes coarser with its age for a monitor that starts, without losing a peak")
    mutating func series() throws {
        let now = 86_400
        var readings: [Reading] = []
        for second in stride(from: 0, to: now, by: 1) where second % 3600 < 1800 {
            readings.append(.rate(second % 7000 == 1234 ? 180 : 70, at: .at(second)))
        }
        readings.append(.noRate(.noContact, at: .at(now)))
        try store.write(readings)
        let series = try StoredHistory(store.database).series(until: wall(now))
        #expect(series.map(\.vital) == [.heartRate])
        let stretches = try #require(series.first).stretches
        #expect(Set(stretches.map(\.length)) == [1000, 10_000, 60_000])
        #expect(zip(stretches, stretches.dropFirst()).allSatisfy { $0.from + $0.length <= $1.from })
        #expect(stretches.last?.endsAbsent == true)
        let peaks = readings.filter { $0.outcome == .measured(VitalValue(whole: 180), .good) }.count
        #expect(stretches.count { $0.values?.maximum == VitalValue(whole: 180) } == peaks)
        // The longest gaps are the half hours without a value.
        let gaps = zip(stretches, stretches.dropFirst()).filter { $1.from - $0.from - $0.length > 1_700_000 }
        #expect(gaps.count >= 22)
    }

    @Test("is found as finely as it is wanted, and by whole minutes without a look at the readings")
    mutating func fineness() throws {
        try store.write((0..<600).map { .rate($0 == 311 ? 180 : 70, at: .at($0)) })
        let history = try StoredHistory(store.database)
        for (finest, length) in [(1, 1000), (9, 1000), (10, 10_000), (59, 10_000), (60, 60_000), (900, 60_000)] {
            let found = try history.series(in: wall(0)..<wall(600), finest: .seconds(finest))
            let stretches = try #require(found.first).stretches
            #expect(Set(stretches.map(\.length)) == [Int64(length)])
            #expect(stretches.count { $0.values?.maximum == VitalValue(whole: 180) } == 1)
            #expect(stretches.count == 600_000 / length || length == 60_000)
        }
        try store.database.execute("COMMIT; DELETE FROM reading")
        #expect(try StoredHistory(store.database).series(in: wall(0)..<wall(600), finest: .seconds(60)).count == 1)
    }

    @Test("is summed up by the hour as it is by hand")
    mutating func hours() throws {
        // 10 values of a second each, 70 ... 79; a minute later one of 120 that stands for 15 s, then nothing.
        var readings = (0..<10).map { Reading.rate(70 + $0, at: .at($0)) }
        readings += [.noRate(.noContact, at: .at(10)), .rate(120, at: .at(70)), .rate(90, at: .at(4000))]
        try store.write(readings)
        var hours: [[String]] = []
        let start = wall(0)
        try StoredHistory(store.database).forEachHour(
            in: wall(0)..<wall(7200),
            hour: { wall in
                let hour = (wall - start) / 3_600_000
                return start + hour * 3_600_000..<start + (hour + 1) * 3_600_000
            }, isOutside: { _, value, _ in value > VitalValue(whole: 100) }
        ) { summaries in
            hours.append(
                summaries.map {
                    "\($0.count) \($0.minimum?.hundredths ?? 0) \($0.median?.hundredths ?? 0) "
                        + "\($0.maximum?.hundredths ?? 0) \($0.covered) \($0.outside ?? -1)"
                })
        }
        #expect(hours == [["11 7000 7500 12000 25000 15000"], ["1 9000 9000 9000 15000 0"]])
    }

    @Test("is summed up by wearing, without what the sensor said in between")
    mutating func byWearPeriod() throws {
        try store.write([
            .rate(70, at: .at(0)), .rate(80, at: .at(10)), .noRate(.offBody, at: .at(20)), .rate(90, at: .at(1000)),
            .rate(92, at: .at(1004)),
        ])
        let summaries = try StoredHistory(store.database).summariesByWearPeriod(
            in: .min..<(.max), isOutside: { _, _, _ in nil })
        #expect(summaries.map(\.count) == [2, 2])
        #expect(summaries.map(\.median) == [VitalValue(whole: 70), VitalValue(whole: 90)])
        #expect(summaries.map(\.covered) == [10_000, 4000])
        #expect(summaries.map(\.outside) == [nil, nil])
        #expect(summaries.map(\.coveredPercent) == [100, 100])
    }

    @Test("reports the sums of hours and wearings without readings, and that they are sums")
    mutating func sums() throws {
        // Three hours at a reading every ten seconds; then all but the last half hour goes, as when there is no room.
        try store.write((0..<1080).map { .rate(60 + $0 / 60, at: .at($0 * 10)) })
        let cut = wall(9005)
        try store.database.execute("DELETE FROM reading WHERE wall_ms < \(cut)")
        let history = try StoredHistory(store.database)
        let start = MinuteTable.minute(of: wall(0)) * 60_000
        var hours: [ReadingSummary] = []
        try history.forEachHour(
            in: start..<wall(10_800),
            hour: { wall in
                let hour = (wall - start) / 3_600_000
                return start + hour * 3_600_000..<start + (hour + 1) * 3_600_000
            }, isOutside: { _, value, _ in value > VitalValue(whole: 100) }
        ) { hours += $0 }
        // The first minute began before the first reading, so the hours do a little later.
        #expect(hours.map(\.isOfSums) == [true, true, true] || hours.map(\.isOfSums) == [true, true, true, false])
        #expect(hours.map(\.count).reduce(0, +) == 1080)
        #expect(hours.first?.minimum == VitalValue(whole: 60) && hours.last?.maximum == VitalValue(whole: 77))
        #expect(hours.filter(\.isOfSums).allSatisfy { $0.median == nil && $0.outside == nil })
        let wearings = try history.summariesByWearPeriod(in: .min..<(.max), isOutside: { _, _, _ in false })
        #expect(wearings.map(\.count) == [1080])
        #expect(wearings.first?.minimum == VitalValue(whole: 60) && wearings.first?.maximum == VitalValue(whole: 77))
        #expect(wearings.first?.isOfSums == true && wearings.first?.median == nil)
    }

    @Test("says what sums say when no reading is left at all")
    mutating func nothingButSums() throws {
        try store.write((0..<60).map { .rate(70 + $0 % 5, at: .at($0)) })
        try store.database.execute("DELETE FROM reading")
        let wearings = try StoredHistory(store.database).summariesByWearPeriod(
            in: .min..<(.max), isOutside: { _, _, _ in nil })
        #expect(wearings.map(\.count) == [60] && wearings.map(\.isOfSums) == [true])
    }
}
