import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("What is derived from readings")
struct SettlingTests {
    /// A store that is settled after each batch, and one that is settled only now and then.
    private struct Pair {
        var stores: [TestStore]

        /// Writes a batch into both.
        mutating func write(
            isSettled: Bool, _ body: (inout ReadingStore) throws(StoreError) -> Void
        ) throws {
            for place in stores.indices {
                var draft = stores[place].readings
                try stores[place].database.transaction { () throws(StoreError) in
                    try draft.begin()
                    try body(&draft)
                    if place == 0 || isSettled || draft.mustSettle { try draft.settle() }
                }
                stores[place].readings = draft
            }
        }

        /// Starts the program anew, which was killed.
        mutating func restart(at now: Moment) throws {
            for place in stores.indices {
                let database = stores[place].database
                try ReadingStore.settleEarlier(in: database, of: nil)
                let run = try RunTable(database: database).begin(at: now, programVersion: "1.0")
                stores[place].readings = ReadingStore(database, run: run)
            }
        }

        /// What readers find in each.
        func answers() throws -> [String] {
            try stores.map { store in
                let history = try StoredHistory(store.database)
                defer { try? store.database.execute("COMMIT") }
                let all: Range<Int64> = .min..<(.max)
                return "\(try history.wearings(in: all))\n\(try history.epochs())\n\(try history.sources(in: all))"
            }
        }

        /// What is in the tables.
        func tables() throws -> [[String]] {
            try stores.map { store in
                var lines: [String] = []
                for table in ["minute", "wearing", "epoch", "gap"] {
                    try store.database.forEach("SELECT * FROM \(table)") { row in
                        lines.append("\(table) " + (0..<10).map { row.text($0) ?? "-" }.joined(separator: " "))
                    }
                }
                return lines.sorted()
            }
        }
    }

    /// Where two texts begin to differ.
    private static func difference(_ one: String, _ other: String) -> Comment {
        let common = zip(one, other).prefix { $0 == $1 }.count
        return "\(one.dropFirst(max(0, common - 60)).prefix(200)) … \(other.dropFirst(max(0, common - 60)).prefix(200))"
    }

    @Test("counts each reading once, settled or not, also after a kill at any moment", arguments: 0..<8)
    func once(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var pair = Pair(stores: try (0..<2).map { _ in try TestStore() })
        let sensors = [SensorIdentity.strap, .core]
        var now = Moment.at(0)
        for _ in 0..<60 {
            let isSettled = Int.random(in: 0..<8, using: &random) == 0
            var batch: [Reading] = []
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                now = now.advanced(by: .milliseconds(Int.random(in: 1...900, using: &random)))
                // Some are a little out of order, and some come at the same time.
                let late = Int.random(in: 0..<10, using: &random) == 0 ? Int.random(in: 1...900, using: &random) : 0
                batch.append(
                    Reading(
                        sensor: sensors.randomElement(using: &random) ?? .strap,
                        vital: Bool.random(using: &random) ? .heartRate : .pulseRate,
                        outcome: Int.random(in: 0..<4, using: &random) == 0
                            ? .noMeasurement(Bool.random(using: &random) ? .noContact : .linkLost)
                            : .measured(
                                VitalValue(whole: Int.random(in: 50...150, using: &random)),
                                Int.random(in: 0..<9, using: &random) == 0 ? .malfunction : .good),
                        moment: now.advanced(by: .milliseconds(-late))))
            }
            let jumps = [-3600, -400, 400, 3600]
            let jump = Int.random(in: 0..<12, using: &random) == 0 ? jumps.randomElement(using: &random) : nil
            let before = now
            if let jump {
                now = Moment(
                    monotonicNanoseconds: now.monotonicNanoseconds,
                    wallMilliseconds: now.wallMilliseconds + Int64(jump) * 1000)
            }
            let after = now
            try pair.write(isSettled: isSettled) { (store) throws(StoreError) in
                for reading in batch { try store.append(reading) }
                if jump != nil {
                    try store.append(Gap(from: before, to: after, reason: .clockSet), reason: "clock_set")
                }
            }
            let answers = try pair.answers()
            let areEqual = answers[0] == answers[1]
            try #require(areEqual, Self.difference(answers[0], answers[1]))
            if Int.random(in: 0..<10, using: &random) == 0 {
                now = now.advanced(by: .seconds(Int.random(in: 1...600, using: &random)))
                try pair.restart(at: now)
            }
        }
        try pair.restart(at: now.advanced(by: .seconds(1)))
        let tables = try pair.tables()
        #expect(tables[0] == tables[1])
        let readings = try pair.stores[1].all().count
        #expect(
            try pair.stores[1].database.integer("SELECT sum(readings + absences) FROM minute") == Int64(readings))
    }
}
