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
}
