import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("Readings in the store")
struct ReadingStoreTests {
    private var store: TestStore

    init() throws {
        store = try TestStore()
    }

    @Test("come back with every field: value or reason, both clocks, sensor, site, quality, the sensor's own time")
    mutating func roundTrip() throws {
        var readings: [Reading] = []
        let outcomes =
            [
                Reading.Outcome.measured(VitalValue(hundredths: 3861), .good),
                .measured(VitalValue(hundredths: 3605), .questionable),
                .measured(VitalValue(hundredths: 3606), .malfunction),
            ] + AbsenceReason.allCases.map { .noMeasurement($0) }
        for (second, outcome) in outcomes.enumerated() {
            readings.append(
                Reading(
                    sensor: .core, vital: .bodyTemperature, outcome: outcome, moment: .at(second),
                    site: BodySite.allCases[second % BodySite.allCases.count],
                    deviceTime: second.isMultiple(of: 2)
                        ? DeviceTime(year: 2026, month: 1, day: 2, hour: 3, minute: 4, second: 5)
                        : DeviceTime(year: nil, month: nil, day: nil, hour: 0, minute: 0, second: 59)))
        }
        for vital in Vital.allCases {
            let value = VitalValue(whole: vital.unit == "Cel" ? 37 : vital == .perfusionIndex ? 3 : 97)
            readings.append(
                Reading(sensor: .strap, vital: vital, outcome: .measured(value, .good), moment: .at(100)))
        }
        readings.append(
            Reading(
                sensor: .core, vital: .glucose, outcome: .measured(VitalValue(whole: 142), .calibrated),
                moment: .at(101),
                calibration: AppliedCalibration(
                    glucose: VitalValue(whole: 110), wallMilliseconds: Moment.at(7).wallMilliseconds)))
        try store.write(readings)
        #expect(try store.all().map(\.reading) == readings)
        #expect(try store.all().allSatisfy { $0.run == store.run })
        #expect(try store.danglingReferences == 0)
    }

    @Test("that were late come back with the time in which they were measured, and are in no sum and no wearing")
    mutating func late() throws {
        var waited = Reading.rate(71, at: .at(600))
        waited.late = LateInterval(waitedFrom: .at(10), to: .at(600), place: 0, of: 2)
        var stored = Reading.rate(72, at: .at(600))
        stored.late = LateInterval(sensorTime: .at(-28_800))
        try store.write([.rate(70, at: .at(1)), waited, stored])
        #expect(try store.all().map(\.reading) == [.rate(70, at: .at(1)), waited, stored])
        #expect(try store.database.integer("SELECT sum(readings) FROM minute") == 1)
        #expect(try store.database.integer("SELECT sum(readings) FROM wearing") == 1)
        let history = try StoredHistory(store.database)
        let wall = Moment.at(600).wallMilliseconds
        #expect(
            try history.series(until: wall).flatMap(\.stretches).compactMap(\.values).map(\.last.hundredths) == [7000])
        #expect(try history.sources(in: wall..<wall + 1).map(\.sensor) == [.strap])
    }

    @Test("that waited while the clock was set have times of the clock that is in force", arguments: [-1800, 1800])
    mutating func waitedOverClock(seconds: Int) throws {
        func moment(_ second: Int) -> Moment {
            var moment = Moment.at(second)
            moment.wallMilliseconds += Int64(seconds) * 1000
            return moment
        }
        try store.write { readings throws(StoreError) in
            let gap = Gap(from: .at(10), to: moment(50), reason: .clockSet)
            try readings.append(gap, reason: gap.reason.rawValue)
        }
        var waited = Reading.rate(71, at: moment(50))
        waited.late = LateInterval(waitedFrom: .at(10), to: moment(50), place: 0, of: 4)
        try store.write([waited])
        let late = try #require(try store.all().first?.reading.late)
        #expect([late.from, late.estimate, late.to] == [moment(10), moment(20), moment(50)])
    }

    @Test("never hold a rate of zero as a value")
    mutating func zero() throws {
        try store.write([.rate(0, at: .at(1))])
        #expect(try store.all().map(\.reading) == [.noRate(.outOfRange, at: .at(1))])
    }

    @Test("of the same millisecond are all kept, and so are those of a clock that was set back")
    mutating func sameTime() throws {
        let readings = (0..<5).map { Reading.rate(60 + $0, at: .at(1)) }
        try store.write(readings)
        try store.write(readings)
        try store.write([.rate(80, at: .at(9)), .rate(81, at: .at(1)), .rate(82, at: .at(1)), .rate(83, at: .at(9))])
        let all = try store.all()
        #expect(all.count == 14)
        #expect(all.map(\.reading.moment) == Array(repeating: .at(1), count: 12) + [.at(9), .at(9)])
        #expect(all.prefix(12).map(\.number) == Array(0..<12))
    }

    @Test("of two programs that write at the same time do not get into each other's way")
    func twoWriters() throws {
        let folder = try ScratchFolder()
        var first = try TestStore(path: "\(folder.path)/store.sqlite")
        var second = try TestStore(path: "\(folder.path)/store.sqlite")
        for round in 0..<3 {
            try first.write([.rate(60 + round, at: .at(5))])
            try second.write([.rate(70 + round, at: .at(5))])
        }
        #expect(try first.all().count == 6)
        #expect(Set(try first.all().map(\.run)).count == 2)
    }

    @Test("leave no trace when their transaction fails, not even in what is remembered of the store")
    mutating func failure() throws {
        #expect(throws: StoreError.self) {
            try store.write { (draft) throws(StoreError) in
                try draft.append(.rate(60, at: .at(1)))
                throw StoreError(.full, "no room")
            }
        }
        #expect(try store.database.integer("SELECT count(*) FROM word") == 0)
        try store.write([.rate(61, at: .at(1))])
        #expect(try store.all().map(\.reading) == [.rate(61, at: .at(1))])
        #expect(try store.database.integer("SELECT sum(readings) FROM minute") == 1)
        #expect(try store.database.integer("SELECT sum(readings) FROM wearing") == 1)
    }

    @Test("are summed up by the minute exactly as SQL sums them up")
    mutating func minutes() throws {
        var generator = SystemRandomNumberGenerator()
        var second = 0
        for _ in 0..<20 {
            var batch: [Reading] = []
            for _ in 0..<50 {
                second += Int.random(in: 0...7, using: &generator)
                let isValue = Bool.random(using: &generator)
                batch.append(
                    isValue
                        ? .rate(Int.random(in: 40...180, using: &generator), at: .at(second))
                        : .noRate(.noContact, at: .at(second)))
            }
            try store.write(batch)
        }
        let differences = try store.database.integer(
            """
            SELECT count(*) FROM (
                SELECT minute, sensor, vital, readings, total, minimum, maximum, absences FROM minute
                EXCEPT
                SELECT wall_ms / 60000, sensor, vital, count(value), ifnull(sum(value), 0), min(value), max(value),
                    count(absence)
                FROM reading GROUP BY 1, 2, 3)
            """)
        #expect(differences == 0)
        let last = try store.database.integer(
            """
            SELECT count(*) FROM minute WHERE last IS NOT (
                SELECT value FROM reading WHERE wall_ms / 60000 = minute AND value IS NOT NULL
                ORDER BY wall_ms DESC, n DESC LIMIT 1)
            """)
        #expect(last == 0)
        #expect(try store.database.integer("SELECT count(*) FROM minute") ?? 0 > 10)
    }

    @Test("after a gap belong to an epoch of their own, in the same run")
    mutating func gaps() throws {
        try store.write([.rate(60, at: .at(1))])
        try store.write { (draft) throws(StoreError) in
            try draft.append(Gap(from: .at(2), to: .at(600), reason: .asleep), reason: "asleep")
            try draft.append(.rate(70, at: .at(601)))
        }
        #expect(try store.database.integer("SELECT count(DISTINCT epoch) FROM reading") == 2)
        #expect(try Set(store.all().map(\.run)) == [store.run])
        #expect(try store.danglingReferences == 0)
        let history = try StoredHistory(store.database)
        #expect(
            try history.gaps(in: .min..<(.max)) == [
                RecordedGap(
                    from: Moment.at(2).wallMilliseconds, to: Moment.at(600).wallMilliseconds, reason: "asleep")
            ])
        #expect(
            try store.database.text("SELECT group_concat(cause) FROM (SELECT cause FROM epoch ORDER BY id)")
                == "program,asleep")
    }

    @Test("keep the octets that came, with what is wrong with them")
    mutating func notifications() throws {
        try store.write { (draft) throws(StoreError) in
            try draft.append(.rate(60, at: .at(1)))
            try draft.append(
                RawNotification(
                    source: .address(SensorIdentity.strap.address), characteristic: "2a37", octets: [6, 0x4D],
                    moment: .at(1)))
            try draft.append(
                RawNotification(
                    source: .address("00:00:00:00:00:09"), characteristic: "2a37", octets: [], moment: .at(2),
                    mistake: "too short"))
        }
        let row = try store.database.text(
            """
            SELECT group_concat(sensor.name || ' ' || word.text || ' ' || hex(octets) || ' ' || ifnull(mistake, '-'), ';')
            FROM notification JOIN sensor ON sensor.id = sensor JOIN word ON word.id = characteristic
            """)
        #expect(row == "Polar H10 2a37 064D -; 2a37  too short")
        #expect(try store.danglingReferences == 0)
    }

    @Test("are read by people through one view")
    mutating func view() throws {
        try store.write([.rate(72, at: .at(0)), .noRate(.noContact, at: .at(1))])
        let text = try store.database.text(
            """
            SELECT group_concat(time || ' ' || sensor || ' ' || vital || ' ' || ifnull(value, absence), ';') FROM readings
            """)
        #expect(
            text == "2023-11-14T22:13:20.000Z Polar H10 heart_rate 72.0;"
                + "2023-11-14T22:13:21.000Z Polar H10 heart_rate no_contact")
    }
}
