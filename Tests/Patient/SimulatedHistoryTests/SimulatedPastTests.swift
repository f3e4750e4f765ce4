import Monitoring
import Nights
import Testing
import Vitals

@testable import SimulatedHistory

@Suite("An invented past")
struct SimulatedPastTests {
    /// 2026-11-28 18:30 in a time zone two hours east of Greenwich.
    private static let now: Int64 = 1_795_883_400_000
    private static let sensors = SimulatedPast.Sensors(
        thermometer: SensorIdentity(address: "C0:00:00:00:00:01", name: "CORE", kind: .core),
        strap: SensorIdentity(address: "C0:00:00:00:00:02", name: "H10", kind: .heartRateStrap),
        oximeter: SensorIdentity(address: "C0:00:00:00:00:03", name: "PM100", kind: .oximeter))
    private static let day: Int64 = 86_400_000

    /// The usual one, made once because it takes a second.
    private static let usual = past(until: now)

    private static func past(until now: Int64 = now, seed: UInt64 = 1) -> [RecordedRun] {
        let today = (now + 7_200_000) / day * day - 7_200_000
        let days = (0..<Int64(SimulatedPast.dayCount)).map { number in
            let start = today - (Int64(SimulatedPast.dayCount) - 1 - number) * day
            return start..<start + day
        }
        return SimulatedPast(days: days, until: now, sensors: sensors, seed: seed).runs()
    }

    private static func readings(_ runs: [RecordedRun], _ vital: Vital) -> [(wall: Int64, value: Double)] {
        runs.flatMap(\.contents).compactMap { content in
            guard case .reading(let reading) = content, reading.vital == vital,
                case .measured(let value, _) = reading.outcome
            else { return nil }
            return (reading.moment.wallMilliseconds, Double(value.hundredths) / 100)
        }
    }

    private static func changes(_ runs: [RecordedRun]) -> [AlarmLogEntry.Change] {
        runs.flatMap(\.contents).compactMap { content in
            guard case .alarmLog(let entry) = content, case .change(let change) = entry.content else { return nil }
            return change
        }
    }

    private static func entries(_ runs: [RecordedRun]) -> [RecordEntry] {
        runs.flatMap(\.contents).compactMap { if case .entry(let entry, _) = $0 { entry } else { nil } }
    }

    @Test("is the same for the same days and the same number, and another one for another number")
    func determinism() {
        #expect(Self.usual == Self.past())
        #expect(Self.usual != Self.past(seed: 2))
    }

    @Test("has a night of the oximeter's own for each night, with falls, and none without an oximeter")
    func nights() {
        func nights(_ sensors: SimulatedPast.Sensors) -> [StoredNight] {
            let today = (Self.now + 7_200_000) / Self.day * Self.day - 7_200_000
            let days = (0..<Int64(SimulatedPast.dayCount)).map { number in
                let start = today - (Int64(SimulatedPast.dayCount) - 1 - number) * Self.day
                return start..<start + Self.day
            }
            return SimulatedPast(days: days, until: Self.now, sensors: sensors).nights()
        }
        let found = nights(Self.sensors)
        #expect(found.count == SimulatedPast.dayCount - 1 && Set(found.map(\.name)).count == found.count)
        #expect(found == nights(Self.sensors))
        #expect(found.allSatisfy { $0.end <= Self.now && $0.sensor == Self.sensors.oximeter })
        for night in found {
            var builder = NightBuilder(of: night.range, sensor: night.sensor)
            builder.add(night)
            let evaluation = builder.course().map { NightEvaluation($0) }
            #expect(evaluation.map { !$0.isShort && $0.falls.count > 10 } == true)
        }
        #expect(nights(SimulatedPast.Sensors(thermometer: nil, strap: nil, oximeter: nil)).isEmpty)
    }

    @Test("has the same readings at a later start on the same day, except in the hours before the first one")
    func laterStart() {
        let hour: Int64 = 3_600_000
        let (first, later) = (Self.usual, Self.past(until: Self.now + 2 * hour))
        func earlier(_ runs: [RecordedRun]) -> [Int64: Double] {
            let readings = Self.readings(runs, .bodyTemperature).filter { $0.wall < Self.now - 9 * hour }
            return Dictionary(uniqueKeysWithValues: readings.map { ($0.wall, $0.value) })
        }
        #expect(earlier(first) == earlier(later))
    }

    @Test("lasts for two weeks, ends some minutes before the trial, and its moments are in order")
    func times() throws {
        let runs = Self.usual
        let (first, last) = (try #require(runs.first), try #require(runs.last))
        #expect(runs.count == 2)
        #expect((Self.now - first.start.wallMilliseconds) / Self.day == 14)
        #expect(last.end.wallMilliseconds == Self.now - SimulatedPast.pause)
        #expect(first.end.wallMilliseconds < last.start.wallMilliseconds)
        for run in runs {
            let walls = run.contents.map(\.moment.wallMilliseconds)
            #expect(walls.allSatisfy { (run.start.wallMilliseconds...run.end.wallMilliseconds).contains($0) })
            for (moment, next) in zip(run.contents, run.contents.dropFirst()) where next.moment < moment.moment {
                // The time that passes until an event is reported after the reading that ends it.
                guard case .reading = moment else {
                    Issue.record("\(moment) before \(next)")
                    return
                }
            }
        }
        #expect(Self.entries(runs).allSatisfy { $0.taken <= $0.enteredAt })
        #expect(Set(Self.entries(runs).map(\.id)).count == Self.entries(runs).count)
    }

    @Test("is a body: cooler and slower by night, with a fever in the first week that medication lowers")
    func physiology() throws {
        let runs = Self.usual
        let midnight = Self.now - 14 * Self.day - Self.now % Self.day - 7_200_000
        func values(_ vital: Vital, day: Int64, hours: Range<Double>) -> [Double] {
            let start = midnight + day * Self.day
            return Self.readings(runs, vital).filter {
                hours.contains(Double($0.wall - start) / 3_600_000)
            }.map(\.value)
        }
        func mean(_ vital: Vital, day: Int64, _ hours: Range<Double>) throws -> Double {
            let values = values(vital, day: day, hours: hours)
            try #require(!values.isEmpty, "\(vital) of day \(day)")
            return values.reduce(0, +) / Double(values.count)
        }
        #expect(try mean(.bodyTemperature, day: 9, 3..<6) < mean(.bodyTemperature, day: 9, 16..<19) - 0.5)
        #expect(try (50..<64).contains(mean(.heartRate, day: 9, 2..<5)))
        #expect(try mean(.heartRate, day: 6, 2..<3) > mean(.heartRate, day: 9, 2..<3) + 15)
        #expect(try #require(values(.bodyTemperature, day: 5, hours: 17..<19).max()) > 38.5)
        #expect(try #require(values(.bodyTemperature, day: 5, hours: 20.8..<22).max()) < 37.8)
        #expect(try #require(values(.bodyTemperature, day: 6, hours: 1..<3).max()) > 38.8)
        #expect(try #require(values(.bodyTemperature, day: 10, hours: 0..<24).max()) < 37.6)
        #expect(try (93..<100).contains(mean(.oxygenSaturation, day: 9, 2..<5)))
        for (vital, range) in [
            (Vital.bodyTemperature, 35.6...39.6), (.heartRate, 48...135), (.pulseRate, 48...135),
            (.oxygenSaturation, 85...100),
        ] {
            #expect(Self.readings(runs, vital).allSatisfy { range.contains($0.value) }, "\(vital)")
        }
    }

    @Test("ends near the values with which a trial begins, with its last hours as fine as trends show them")
    func join() {
        let runs = Self.usual
        let end = Self.now - SimulatedPast.pause
        for (vital, value, tolerance) in [
            (Vital.bodyTemperature, 36.8, 0.15), (.heartRate, 72, 5), (.oxygenSaturation, 98, 1),
        ] {
            let last = Self.readings(runs, vital).filter { $0.wall > end - 900_000 }
            #expect(last.count >= 440, "\(vital)")
            #expect(abs((last.last?.value ?? 0) - value) <= tolerance, "\(vital)")
            #expect(Self.readings(runs, vital).filter { $0.wall > end - 3 * 3_600_000 }.count >= 1_400)
        }
    }

    @Test("has alarms as a monitor raises them, each answered and ended: nothing of it alarms in the trial")
    func alarms() {
        let changes = Self.changes(Self.usual)
        let kinds = Set(changes.compactMap(\.kind))
        #expect(kinds.isSuperset(of: [.feverSingle, .low, .high, .linkLost]), "\(kinds)")
        var last: [Int: AlarmLogEntry.State] = [:]
        for run in Self.usual {
            last = [:]
            for change in Self.changes([run]) { last[change.id] = change.state }
            #expect(last.values.allSatisfy { $0 == .ended || $0 == .putAway }, "\(last)")
        }
        #expect(changes.count < 200)
        #expect(!changes.contains { $0.kind == .silent || $0.kind == .labDue })
    }

    @Test("has blood counts with a neutropenia, medication, symptoms, notes, pressures and weights")
    func entries() {
        let entries = Self.entries(Self.usual)
        let kinds = Set(entries.compactMap(\.kind))
        #expect(kinds == [.lab, .medication, .symptom, .mascc, .note, .bloodPressure, .weight])
        let counts = entries.compactMap(\.neutrophilCount)
        #expect(counts.map(\.perMicrolitre) == [3328, 1708, 442, 126, 72, 279, 432])
        // Vitals that were typed would be shown as present numbers for a while.
        #expect(!entries.contains { $0.kind?.vital != nil })
        #expect(Self.usual.last?.memory.neutrophils?.perMicrolitre == 432)
    }

    @Test("leaves out what a sensor would have measured that is not there")
    func missingSensor() {
        let days = (0..<Int64(SimulatedPast.dayCount)).map { $0 * Self.day..<($0 + 1) * Self.day }
        let none = SimulatedPast.Sensors(thermometer: nil, strap: nil, oximeter: nil)
        let runs = SimulatedPast(days: days, until: 15 * Self.day - 1, sensors: none).runs()
        #expect(!Self.entries(runs).isEmpty)
        #expect(!runs.flatMap(\.contents).contains { if case .reading = $0 { true } else { false } })
        #expect(SimulatedPast(days: [], until: 0, sensors: Self.sensors).runs().isEmpty)
    }

    @Test("may end at any time of day, also right after midnight", arguments: [0, 60_000, 7_200_000, 86_399_000])
    func timeOfDay(time: Int64) throws {
        let midnight = Self.now / Self.day * Self.day - 7_200_000
        let runs = Self.past(until: midnight + time)
        let end = midnight + time - SimulatedPast.pause
        let newest = try #require(Self.readings(runs, .heartRate).last)
        #expect((end - 10_000..<end).contains(newest.wall))
    }
}
