import Testing
import Vitals

@testable import Recording

@Suite("Wearings in the store")
struct WearingTests {
    private var store: TestStore

    init() throws {
        store = try TestStore()
    }

    /// From, to (in seconds), number of readings and ending of each.
    private func wearings() throws -> [String] {
        let history = try StoredHistory(store.database)
        let found = try history.wearings(in: .min..<(.max))
        try store.database.execute("COMMIT")
        return found.map { wearing in
            func second(_ wall: Int64) -> Int64 { (wall - Moment.at(0).wallMilliseconds) / 1000 }
            let ending = wearing.ending?.rawValue ?? "-"
            return "\(second(wearing.from))-\(second(wearing.to)) \(wearing.readings) \(ending)"
        }
    }

    @Test("begin with a value and end with the last one, for the reason that came first after it")
    mutating func ending() throws {
        try store.write([.noRate(.noContact, at: .at(1)), .rate(70, at: .at(2)), .rate(71, at: .at(3))])
        #expect(try wearings() == ["2-3 2 -"])
        try store.write([.noRate(.noContact, at: .at(4)), .noRate(.linkLost, at: .at(9))])
        #expect(try wearings() == ["2-3 2 no_contact"])
    }

    @Test("go on over a break of five minutes, and are two when it is longer")
    mutating func breaks() throws {
        try store.write([.rate(70, at: .at(0)), .noRate(.linkLost, at: .at(1)), .rate(70, at: .at(300))])
        #expect(try wearings() == ["0-300 2 -"])
        try store.write([.noRate(.offBody, at: .at(301)), .rate(70, at: .at(601))])
        #expect(try wearings() == ["0-300 2 off_body", "601-601 1 -"])
    }

    @Test("go on when the program is started anew within the break")
    mutating func restart() throws {
        try store.write([.rate(70, at: .at(0))])
        store.readings = ReadingStore(store.database, run: store.run)
        try store.write([.rate(70, at: .at(200))])
        store.readings = ReadingStore(store.database, run: store.run)
        try store.write([.rate(70, at: .at(700))])
        #expect(try wearings() == ["0-200 2 -", "700-700 1 -"])
    }

    /// Two values, the clock is set, two more: seconds by which it is set, and what is expected.
    @Test(
        "are as long as they were worn, whatever the clock is set to meanwhile",
        arguments: [
            (0, ["0-3 4 -"]), (4, ["0-7 4 -"]), (7200, ["0-1 2 -", "7202-7203 2 -"]),
            (1_795_000_000, ["0-1 2 -", "1795000002-1795000003 2 -"]), (-7200, ["-7198--7197 2 -", "0-1 2 -"]),
        ])
    mutating func clockSet(step: Int, expected: [String]) throws {
        func moment(_ second: Int) -> Moment {
            var moment = Moment.at(second)
            if second >= 2 { moment.wallMilliseconds += Int64(step) * 1000 }
            return moment
        }
        try store.write((0..<4).map { .rate(70, at: moment($0)) })
        #expect(try wearings() == expected)
    }
}
