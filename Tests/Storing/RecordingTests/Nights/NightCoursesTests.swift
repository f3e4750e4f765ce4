import Monitoring
import Nights
import TestSupport
import Testing
import Vitals

@testable import Recording

@Suite("Nights of the store")
struct NightCoursesTests {
    private static let ring = SensorIdentity(address: "C0:52:49:00:00:09", name: "O2Ring", kind: .oximeter)
    private static let other = SensorIdentity(address: "C0:52:49:00:00:0A", name: "PM100", kind: .oximeter)
    private static let noon: Int64 = 1_790_000_000_000
    private static let day: Int64 = 86_400_000
    private static let evening = noon + 36_000_000

    private static func window(_ number: Int64) -> Range<Int64> { noon + number * day..<noon + (number + 1) * day }

    private static func night(_ number: Int64, _ values: [UInt8]) -> StoredNight {
        StoredNight(
            sensor: ring, name: "night-\(number)", start: evening + number * day, interval: 4,
            samples: values.map { NightSample(saturation: $0, pulseRate: 60, movement: 0) })
    }

    /// A store with ring nights and with readings of two oximeters.
    private func stored(
        _ nights: [StoredNight], _ readings: [(SensorIdentity, Int64, Int)] = []
    ) throws -> StoredHistory {
        let database = try SQLiteDatabase(path: ":memory:")
        try Schema.migrate(database)
        let start = Moment(monotonicNanoseconds: 0, wallMilliseconds: Self.noon)
        let run = try RunTable(database: database).begin(at: start, programVersion: "1")
        for night in nights { try NightStore(database: database).append(night, at: start, run: run) }
        var store = ReadingStore(database, run: run)
        try store.begin()
        for (sensor, wall, value) in readings {
            let moment = start.advanced(by: .milliseconds(wall - Self.noon))
            try store.append(
                Reading(
                    sensor: sensor, vital: .oxygenSaturation, outcome: .measured(VitalValue(whole: value), .good),
                    moment: moment))
        }
        try store.settle()
        return try StoredHistory(database)
    }

    private func nights(
        _ history: StoredHistory, _ windows: [Range<Int64>], in record: Range<Int64> = .min..<(.max)
    ) throws -> [PatientNight] {
        var found: [PatientNight] = []
        try history.forEachPatientNight(of: windows, in: record) {
            found.append($0)
            return true
        }
        return found
    }

    @Test("are found by their windows, each once, and none where nothing was recorded")
    func windows() throws {
        let history = try stored([Self.night(0, [96, 95]), Self.night(2, [94])])
        let found = try nights(history, (0..<4).map(Self.window))
        #expect(found.map(\.window) == [Self.window(0), Self.window(2)])
        #expect(found.map { $0.parts[0].course.instants.map(\.saturation) } == [[96, 95], [94]])
        #expect(try nights(history, [Self.window(1)]).isEmpty)
        #expect(try nights(history, []).isEmpty)
    }

    @Test("of a file and of readings of the same oximeter are one; another oximeter has its own")
    func merged() throws {
        let before = (0..<10).map { (Self.ring, Self.evening - 10_000 + Int64($0) * 1000, 90) }
        let others = (0..<10).map { (Self.other, Self.evening + Int64($0) * 1000, 88) }
        let history = try stored([Self.night(0, [96, 95])], before + others)
        let night = try #require(try nights(history, [Self.window(0)]).first)
        #expect(night.parts.count == 2)
        let ring = try #require(night.parts.first { $0.course.sensor == Self.ring })
        #expect(ring.course.hasLive && ring.course.files == ["night-0"])
        #expect(ring.evaluation.recorded == 10 + 8 + 6)
        let other = try #require(night.parts.first { $0.course.sensor == Self.other })
        #expect(other.course.files.isEmpty && other.evaluation.lowest?.value == 88)
    }

    @Test("belong to the record of their time")
    func record() throws {
        let history = try stored([Self.night(0, [96, 95, 94, 93])])
        let found = try nights(history, [Self.window(0)], in: Self.evening + 8000..<(.max))
        #expect(found.first?.parts.first?.course.instants.map(\.saturation) == [94, 93])
        #expect(try nights(history, [Self.window(0)], in: Self.evening + 16_000..<(.max)).isEmpty)
        #expect(try history.nightTimes() == [Self.evening..<Self.evening + 16_000])
    }
}
