import Monitoring
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("Quarters of an hour that are over")
struct QuarterTableTests {
    private var store: TestStore

    init() throws { store = try TestStore() }

    private static let thermometers = [
        SensorIdentity.core, SensorIdentity(address: "C0:52:49:00:00:09", name: "T", kind: .thermometer),
    ]

    /// Readings of some hours by chance, with everything that figures depend on, in the order of time.
    private static func readings(_ count: Int, _ random: inout SeededGenerator) -> [Reading] {
        var milliseconds = 0
        return (0..<count).map { _ in
            milliseconds +=
                Int.random(in: 0..<40, using: &random) == 0 ? 40_000 : Int.random(in: 1...4000, using: &random)
            let isRate = Bool.random(using: &random)
            let value = VitalValue(
                hundredths: isRate
                    ? 100 * Int.random(in: 60...120, using: &random) : Int.random(in: 3600...3900, using: &random))
            let quality: Reading.Quality = Int.random(in: 0..<20, using: &random) == 0 ? .malfunction : .good
            return Reading(
                sensor: isRate ? .strap : thermometers.randomElement(using: &random) ?? .core,
                vital: isRate ? .heartRate : .bodyTemperature,
                outcome: Int.random(in: 0..<5, using: &random) == 0
                    ? .noMeasurement(.noContact) : .measured(value, quality),
                moment: Moment.at(0).advanced(by: .milliseconds(milliseconds)),
                site: isRate ? nil : Int.random(in: 0..<4, using: &random) == 0 ? .skin : .core)
        }
    }

    /// The figures of a day, with limits that change by the time of day.
    private func figures(of day: Range<Int64>, in record: Range<Int64> = .min..<(.max)) throws -> PatientOverview.Day {
        let history = try StoredHistory(store.database)
        defer { try? store.database.execute("COMMIT") }
        return try history.figures(
            of: day, now: .max - 1, entries: [], in: record,
            isOutside: { vital, value, wall in
                guard vital == .heartRate else { return vital == .skinTemperature ? nil : value.hundredths > 3800 }
                return value.hundredths > (wall % 3_600_000 < 1_300_000 ? 10_000 : 11_000)
            })
    }

    /// Condenses all quarters that are over.
    private func fill() throws {
        let database = store.database
        while try database.transaction({ () throws(StoreError) in try QuarterTable.fill(database) }) {}
    }

    @Test("give the figures that their readings give, whenever a day or a record begins or ends", arguments: 0..<6)
    mutating func figures(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let readings = Self.readings(6000, &random)
        try store.write(readings)
        let (first, last) = (readings[0].moment.wallMilliseconds, readings[5999].moment.wallMilliseconds)
        let days: [(Range<Int64>, Range<Int64>)] = (0..<12).map { number in
            let start = Int64.random(in: first - 900_000...last, using: &random)
            let begin = number % 2 == 0 ? start / 900_000 * 900_000 : start
            let record = number % 4 == 3 ? first..<begin + 2_000_000 : .min..<(.max)
            return (begin..<begin + Int64.random(in: 900_000...9_000_000, using: &random), record)
        }
        let before = try days.map { try figures(of: $0.0, in: $0.1) }
        try fill()
        #expect(try store.database.integer("SELECT count(DISTINCT quarter) FROM quarter") ?? 0 > 8)
        #expect(try days.map { try figures(of: $0.0, in: $0.1) } == before)
        // Any of them may be missing, or unreadable.
        try store.database.execute(
            "DELETE FROM quarter WHERE quarter % 3 = 0; UPDATE quarter SET reports = x'80' WHERE quarter % 3 = 1")
        #expect(try days.map { try figures(of: $0.0, in: $0.1) } == before)
    }

    @Test("are found without their readings")
    mutating func effort() throws {
        try store.write((0..<20_000).map { .rate(60 + $0 % 40, at: .at($0)) })
        let day = Moment.at(0).wallMilliseconds..<Moment.at(20_000).wallMilliseconds
        func effort() throws -> Int {
            let before = store.database.instructionCount
            _ = try figures(of: day)
            return store.database.instructionCount - before
        }
        let before = try effort()
        try fill()
        // What remains are the readings of the first and the last quarter, which the day has in part.
        #expect(try effort() < before / 8)
        // They take little room: less than an octet for each reading.
        #expect(try store.database.integer("SELECT sum(length(reports)) FROM quarter") ?? .max < 20_000)
    }

    @Test("forget what they had when a reading comes into them late, and go with the age of their readings")
    mutating func invalidation() throws {
        try store.write((0..<6000).map { .rate(60 + $0 % 40, at: .at($0)) })
        try fill()
        let quarters = try store.database.integer("SELECT count(*) FROM quarter") ?? 0
        let day = Moment.at(0).wallMilliseconds..<Moment.at(6000).wallMilliseconds
        let before = try #require(try figures(of: day)[.heartRate])
        try store.write([.rate(200, at: .at(2000))])
        #expect(try store.database.integer("SELECT count(*) FROM quarter") == quarters - 1)
        let after = try #require(try figures(of: day)[.heartRate])
        #expect(after.maximum == VitalValue(whole: 200) && after.count == before.count + 1)

        let database = store.database
        let retention = Retention(age: .seconds(60))
        try store.readings.recorded(until: .at(6000))
        _ = try database.transaction { () throws(StoreError) in
            try retention.prune(database, now: Moment.at(6000).wallMilliseconds)
        }
        #expect(try database.integer("SELECT count(*) FROM quarter") ?? .max <= 1)
    }

    @Test("are condensed as a monitor runs, some at a time, and not before they are over")
    mutating func steps() throws {
        try store.write((0..<20).map { .rate(70, at: .at($0 * 900)) })
        let database = store.database
        func fill() throws -> Bool {
            try database.transaction { () throws(StoreError) in try QuarterTable.fill(database) }
        }
        #expect(try fill() && fill() && !fill())
        #expect(try database.integer("SELECT count(*) FROM quarter") == 19)
        try store.write([.rate(70, at: .at(20 * 900 + 59))])
        #expect(try !fill())
        #expect(
            try database.integer("SELECT max(quarter) FROM quarter") ?? 0 < QuarterTable.quarter(
                of: Moment.at(19 * 900).wallMilliseconds) + 1)
    }
}
