import Monitoring
import TestSupport
import Testing
import VitalDecoders
import Vitals

@testable import Recording

@Suite("The last days in the store")
struct StoredDaysTests {
    private let folder: ScratchFolder
    private var store: TestStore
    private static let start = Moment.at(0).wallMilliseconds
    /// Two days of the test: an hour long each, so that few readings fill them.
    private static let days = [start..<start + 3_600_000, start + 3_600_000..<start + 7_200_000]

    init() throws {
        folder = try ScratchFolder()
        store = try TestStore(path: folder.path + "/store.sqlite")
    }

    private func history() throws -> StoredHistory {
        try #require(try StoredHistory.open(folder.path + "/store.sqlite"))
    }

    private func figures(
        _ day: Int = 0, now: Int = 100_000, entries: [RecordedEntry] = [], since: Int64 = .min
    ) throws -> PatientOverview.Day {
        try history().figures(
            of: Self.days[day], now: Moment.at(now).wallMilliseconds, entries: entries, in: since..<(.max),
            isOutside: { vital, value, _ in vital == .heartRate ? value > VitalValue(whole: 100) : nil })
    }

    @Test("have minimum, median, maximum, coverage and time outside limits of each vital")
    mutating func all() throws {
        try store.write((0..<3600).map { .rate($0 < 2700 ? 70 : 130, at: .at($0)) })
        let day = try figures()
        let rate = try #require(day[.heartRate])
        #expect(rate.minimum == VitalValue(whole: 70) && rate.median == VitalValue(whole: 70))
        #expect(rate.maximum == VitalValue(whole: 130) && rate.coveredPercent == 100 && rate.outside == 900_000)
        #expect(try figures(1).vitals.isEmpty && day.isRead)
    }

    @Test("of today are percent of the time that has passed")
    mutating func today() throws {
        try store.write((0..<1800).map { .rate(70, at: .at($0)) })
        #expect(try figures(now: 1799)[.heartRate]?.coveredPercent == 100)
        #expect(try figures(now: 3599)[.heartRate]?.coveredPercent == 50)
    }

    @Test("fault 13: a temperature of the skin is none of the body, and never the highest")
    mutating func skin() throws {
        let thermometer = SensorIdentity(address: "C0:52:49:00:00:09", name: "T", kind: .thermometer)
        try store.write([
            Reading(
                sensor: thermometer, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: 4050), .good),
                moment: .at(1), site: .skin),
            Reading(
                sensor: thermometer, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: 3700), .good),
                moment: .at(2), site: .mouth),
        ])
        let day = try figures()
        #expect(
            day[.bodyTemperature]?.maximum?.hundredths == 3700 && day[.skinTemperature]?.maximum?.hundredths == 4050)
    }

    @Test("fault 10: no plausibility range: what is stored as an absence is no value of a day")
    mutating func absences() throws {
        try store.write([.noRate(.offBody, at: .at(1)), .rate(70, at: .at(2)), .noRate(.offBody, at: .at(12))])
        let rate = try #require(try figures()[.heartRate])
        #expect(rate.count == 1 && rate.covered == 10_000)
    }

    @Test(
        "leave out of every figure what a sensor measured while it reported a malfunction, and nothing else",
        arguments: [Reading.Quality.good, .questionable, .malfunction, .calibrationWanted, .rawEstimate, .calibrated])
    mutating func faultySensor(quality: Reading.Quality) throws {
        func rate(_ value: Int, _ quality: Reading.Quality, at second: Int) -> Reading {
            Reading(
                sensor: .strap, vital: .heartRate, outcome: .measured(VitalValue(whole: value), quality),
                moment: .at(second))
        }
        var late = rate(190, quality, at: 90)
        late.late = LateInterval(sensorTime: .at(45))
        let extremes = [20: 30, 40: 200]
        let readings = (0..<60).map { (second: Int) -> Reading in
            extremes[second].map { rate($0, quality, at: second) } ?? .rate(70, at: .at(second))
        }
        try store.write(readings + [late])
        let isLeftOut = quality == .malfunction
        var found: [(where: String, lowest: VitalValue?, highest: VitalValue?)] = []
        let day = try #require(try figures()[.heartRate])
        #expect(day.count == (isLeftOut ? 58 : 61))
        #expect(day.outside == (isLeftOut ? 0 : 1000))
        found.append(("the day", day.minimum, day.maximum))
        let history = try self.history()
        try history.forEachHour(in: Self.days[0], hour: { _ in Self.days[0] }, isOutside: { _, _, _ in nil }) {
            for hour in $0 { found.append(("the hour", hour.minimum, hour.maximum)) }
        }
        for wearing in try history.summariesByWearPeriod(in: .min..<(.max), isOutside: { _, _, _ in nil }) {
            found.append(("the wear period", wearing.minimum, wearing.maximum))
        }
        var minutes: [RecordedBucket.Values] = []
        try history.forEachMinute(in: Self.days[0]) { if let values = $0.values { minutes.append(values) } }
        found.append(("the minutes", minutes.map(\.minimum).min(), minutes.map(\.maximum).max()))
        let end = Moment.at(60).wallMilliseconds
        let values = try history.series(until: end).flatMap(\.stretches).compactMap(\.values)
        found.append(("the trend", values.map(\.minimum).min(), values.map(\.maximum).max()))
        #expect(found.count == 5)
        for one in found {
            #expect(one.lowest == VitalValue(whole: isLeftOut ? 70 : 30), "\(one.where)")
            #expect(one.highest == VitalValue(whole: isLeftOut ? 70 : 200), "\(one.where)")
        }
        let entry = RecordEntry(
            .vital(.heartRate, VitalValue(whole: 220), site: nil),
            from: .sensor(.strap), EntryFacts(sequence: 1, quality: quality), taken: .at(50), enteredAt: .at(50))
        let entered = try figures(entries: [RecordedEntry(entry, run: 1)])[.heartRate]
        #expect(entered?.maximum == VitalValue(whole: isLeftOut ? 70 : 220))
    }

    @Test("know the highest value of a fever that goes on, which its log does not", arguments: [3850, 3990, 4110])
    mutating func openFever(highest: Int) throws {
        try AlarmStore(database: store.database).append(.fever(at: 100), run: store.run)
        let temperatures = [3500, 3860, highest, 3880]
        try store.write(
            temperatures.enumerated().map { place, hundredths in
                Reading(
                    sensor: .core, vital: .bodyTemperature,
                    outcome: .measured(VitalValue(hundredths: hundredths), .good),
                    moment: .at(100 + place * 600), site: .core)
            } + [
                // Before it, of the skin, and of another vital.
                Reading(
                    sensor: .core, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: 4150), .good),
                    moment: .at(3), site: .core),
                Reading(
                    sensor: .core, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: 4140), .good),
                    moment: .at(300), site: .skin),
                .rate(70, at: .at(400)),
            ])
        let overview = try history().overview(of: Self.days, in: .min..<(.max))
        #expect(overview.openFever?.highest?.hundredths == max(highest, 3880))
    }

    @Test("count what came late on the day on which it was measured, and as no measured time")
    mutating func late() throws {
        func temperature(_ hundredths: Int, at moment: Moment, _ late: LateInterval? = nil) -> Reading {
            var reading = Reading(
                sensor: .core, vital: .bodyTemperature, outcome: .measured(VitalValue(hundredths: hundredths), .good),
                moment: moment, site: .core)
            reading.late = late
            return reading
        }
        // All of them arrive on the second day.
        try store.write(
            [temperature(3700, at: .at(10)), temperature(3690, at: .at(20)), temperature(3710, at: .at(4000))]
                + (0..<4).map { temperature(3990, at: .at(5000), LateInterval(sensorTime: .at(600 + $0 * 300))) }
                + (0..<2).map {
                    temperature(
                        3600, at: .at(6000), LateInterval(waitedFrom: .at(5500), to: .at(6000), place: $0, of: 2))
                })
        let first = try #require(try figures()[.bodyTemperature])
        #expect(first.maximum?.hundredths == 3990 && first.minimum?.hundredths == 3690 && first.count == 6)
        #expect(first.covered == 25_000)
        let second = try #require(try figures(1)[.bodyTemperature])
        #expect(second.maximum?.hundredths == 3710 && second.minimum?.hundredths == 3600 && second.count == 3)
        // What was measured of another patient is nothing of this one's.
        let later = try figures(since: Moment.at(1000).wallMilliseconds)
        #expect(later[.bodyTemperature]?.count == 2)
    }

    @Test("count what was typed, unless it was taken back, and nothing of the patient before")
    mutating func entriesAndPatients() throws {
        func entry(_ hundredths: Int, at second: Int) -> RecordedEntry {
            RecordedEntry(
                RecordEntry(
                    .vital(.bodyTemperature, VitalValue(hundredths: hundredths), site: .mouth),
                    enteredAt: .at(second)), run: 1)
        }
        try store.write((0..<600).map { .rate(70, at: .at($0)) })
        var mistake = entry(4100, at: 700)
        mistake.entry.retract(at: .at(800))
        let entries = [entry(3660, at: 60), entry(3840, at: 650), mistake, entry(3990, at: 4000)]
        #expect(try figures(entries: entries)[.bodyTemperature]?.maximum?.hundredths == 3840)
        let later = try figures(entries: entries, since: Moment.at(300).wallMilliseconds)
        #expect(later[.bodyTemperature]?.minimum?.hundredths == 3840 && later[.heartRate]?.count == 300)
        #expect(try figures(entries: entries, since: .max).vitals.isEmpty)
    }

    @Test("have the record, the fevers, and the newest count and risk index from before")
    mutating func overview() throws {
        try AlarmStore(database: store.database).append(.fever(at: 3700), run: store.run)
        let count = RecordEntry(
            .neutrophils(NeutrophilCount(perMicrolitre: 420, sampledAt: Moment.at(60).wallMilliseconds)),
            taken: .at(60), enteredAt: .at(61))
        let note = RecordEntry(.note("second day"), enteredAt: .at(3650))
        let run = store.run
        for entry in [count, note] { try EntryStore(database: store.database).append(entry, run: run) }
        let both = try history().overview(of: Self.days, in: .min..<(.max))
        #expect(both.entries.count == 2 && both.earlier.isEmpty && both.days.allSatisfy { !$0.isRead })
        #expect(
            both.fevers == [
                FeverEpisode(
                    start: Moment.at(3699).wallMilliseconds, ending: .open, highest: VitalValue(hundredths: 3870))
            ])
        let second = try history().overview(of: [Self.days[1]], in: .min..<(.max))
        #expect(second.entries.map(\.entry.content) == [.note("second day")])
        #expect(second.neutrophils?.perMicrolitre == 420)
        // Another patient's count is not this one's.
        let later = Moment.at(3000).wallMilliseconds..<Int64.max
        #expect(try history().overview(of: [Self.days[1]], in: later).neutrophils == nil)
        #expect(try history().overview(of: [Self.days[0]], in: .min..<(.max)).fevers.isEmpty)
    }

    @Test("are read through the history's thread, and are empty where there is no store")
    mutating func reader() async throws {
        try store.write((0..<60).map { .rate(70, at: .at($0)) })
        let running = RunningLoop()
        let reader = PastReader(path: folder.path + "/store.sqlite", loop: running.loop)
        let overview = try await reader.overview(of: Self.days)
        let day = try await reader.figures(
            of: Self.days[0], now: .at(7200), entries: overview.entries, isOutside: { _, _, _ in nil })
        #expect(day[.heartRate]?.count == 60)
        let nothing = PastReader(path: folder.path + "/none.sqlite", loop: running.loop)
        #expect(try await nothing.overview(of: Self.days).isEmpty)
    }
}
