import Testing
import Vitals

@testable import Recording

@Suite("Retention")
struct RetentionTests {
    private var store: TestStore

    init() throws {
        store = try TestStore()
    }

    private func count(_ table: String) throws -> Int64 {
        try store.database.integer("SELECT count(*) FROM \(table)") ?? -1
    }

    @Test("by age removes what is older, in steps, and nothing else")
    mutating func age() throws {
        let all = (0..<12_000).map { Reading.rate(60 + $0 % 40, at: .at($0)) }
        try store.write(all)
        let retention = Retention(age: .seconds(1000))
        let now = Moment.at(12_000).wallMilliseconds
        try store.readings.recorded(until: .at(12_000))
        #expect(try retention.prune(store.database, now: now))
        #expect(try count("reading") == 7000)
        while try retention.prune(store.database, now: now) {}
        #expect(try count("reading") == 1000)
        #expect(try store.all().first?.reading.moment == .at(11_000))
        #expect(try count("minute") <= 18)
        #expect(try count("wearing") == 1)
        #expect(try !Retention().prune(store.database, now: .max))
        #expect(try count("reading") == 1000)
    }

    @Test("by size removes the oldest readings until the rest fits, and keeps the sums by the minute")
    mutating func size() throws {
        for batch in 0..<10 {
            try store.write((0..<4000).map { .rate(60, at: .at(batch * 4000 + $0)) })
        }
        let minutes = try count("minute")
        let before = try Retention.usedSize(of: store.database)
        let retention = Retention(size: before / 2)
        var steps = 0
        while try retention.prune(store.database, now: 0) {
            steps += 1
            try #require(steps < 100)
        }
        #expect(steps > 1)
        #expect(try Retention.usedSize(of: store.database) <= before / 2)
        #expect(try store.all().last?.reading.moment == .at(39_999))
        #expect(try count("reading") > 5000)
        #expect(try count("minute") == minutes)
    }

    @Test("removes RR intervals by age and by size, as readings")
    mutating func intervals() throws {
        for batch in 0..<10 {
            try store.write { (store) throws(StoreError) in
                for second in batch * 2000..<(batch + 1) * 2000 {
                    try store.append(RRIntervals(sensor: .strap, intervals: [1024, 1000], moment: .at(second)))
                }
            }
        }
        let before = try Retention.usedSize(of: store.database)
        while try Retention(size: before / 2).prune(store.database, now: 0) {}
        #expect(try (5000..<15_000).contains(count("rr")))
        #expect(try store.database.integer("SELECT max(wall_ms) FROM rr") == Moment.at(19_999).wallMilliseconds)
        try store.readings.recorded(until: .at(20_000))
        let now = Moment.at(20_000).wallMilliseconds
        while try Retention(age: .seconds(1000)).prune(store.database, now: now) {}
        #expect(try count("rr") == 1000)
    }

    /// A moment with a clock that is wrong by a number of seconds.
    private func moment(_ seconds: Int, wrongBy error: Int) -> Moment {
        var moment = Moment.at(seconds)
        moment.wallMilliseconds += Int64(error) * 1000
        return moment
    }

    private func setClock(at seconds: Int, from: Int, to: Int) -> Gap {
        Gap(from: moment(seconds, wrongBy: from), to: moment(seconds, wrongBy: to), reason: .clockSet)
    }

    @Test("keeps everything while the clock is two years ahead, and afterwards; nothing is there for ever")
    mutating func aheadForAMoment() throws {
        let (year, day) = (365 * 86_400, 86_400)
        let retention = Retention(age: .seconds(30 * day))
        try store.write([.rate(70, at: .at(1))])
        let jump = setClock(at: 10, from: 0, to: 2 * year)
        let future = moment(11, wrongBy: 2 * year)
        try store.write { (store) throws(StoreError) in
            try store.append(jump, reason: "clock_set")
            try store.append(.rate(71, at: future))
        }
        while try retention.prune(store.database, now: future.wallMilliseconds) {}
        #expect(try count("reading") == 2)
        #expect(try count("minute") == 2)
        #expect(
            try retention.waitingLead(store.database, now: future.wallMilliseconds) == Int64(2 * year) * 1000)

        let back = setClock(at: 12, from: 2 * year, to: 0)
        try store.write { (store) throws(StoreError) in
            try store.append(back, reason: "clock_set")
            try store.append(.rate(72, at: .at(20)))
        }
        #expect(try retention.waitingLead(store.database, now: Moment.at(20).wallMilliseconds) == nil)
        try store.readings.recorded(until: .at(29 * day))
        while try retention.prune(store.database, now: Moment.at(29 * day).wallMilliseconds) {}
        #expect(try count("reading") == 3)
        try store.readings.recorded(until: .at(31 * day))
        try store.write([.rate(73, at: .at(31 * day))])
        while try retention.prune(store.database, now: Moment.at(31 * day).wallMilliseconds) {}
        #expect(try store.all().map(\.reading.moment) == [.at(31 * day)])
        #expect(try count("minute") == 1)
    }

    @Test("keeps what was recorded in 2015 by a computer whose clock was corrected then")
    mutating func deadBattery() throws {
        let error = -10 * 365 * 86_400
        let database = try SQLiteDatabase(path: ":memory:")
        try Schema.migrate(database)
        let run = try RunTable(database: database).begin(at: moment(0, wrongBy: error), programVersion: "1.0")
        var readings = ReadingStore(database, run: run)
        let early = moment(1, wrongBy: error)
        try readings.append(.rate(70, at: early))
        try readings.append(setClock(at: 2, from: error, to: 0), reason: "clock_set")
        try readings.append(.rate(71, at: .at(3)))
        try readings.settle()
        try readings.recorded(until: .at(86_400 * 20))
        let retention = Retention(age: .seconds(30 * 86_400))
        #expect(try !retention.prune(database, now: Moment.at(86_400 * 20).wallMilliseconds))
        #expect(try database.integer("SELECT count(*) FROM reading") == 2)
    }

    @Test("by size removes what was recorded first, not what has the earliest time")
    mutating func sizeOfJumps() throws {
        try store.write((0..<6000).map { .rate(60, at: .at($0)) })
        let back = setClock(at: 6000, from: 0, to: -86_400)
        let later = (6001..<12_000).map { Reading.rate(60, at: moment($0, wrongBy: -86_400)) }
        try store.write { (store) throws(StoreError) in
            try store.append(back, reason: "clock_set")
            for reading in later { try store.append(reading) }
        }
        let size = try Retention.usedSize(of: store.database) * 3 / 4
        while try Retention(size: size).prune(store.database, now: 0) {}
        let left = try store.all().map(\.reading.moment)
        #expect(left.count < 8000)
        #expect(left.count { $0.wallMilliseconds < Moment.at(0).wallMilliseconds } == later.count)
    }
}
