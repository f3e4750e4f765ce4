import Formats
import Foundation
import Monitoring
import Replay
import Testing
import TestSupport
import Vitals

@testable import Recording

@Suite("Damaged stores")
struct StoreMutantTests {
    private static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }

    @Test("a good store is played, printed and exported")
    func good() throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/store.sqlite"
        try Self.write(SeedStore.bytes, to: path)
        var player = try #require(try MutantPlayer(StoreReplay(path), speed: .unlimited))
        #expect(try player.play() == nil)
        #expect(try read(path) == 2 * 198)
    }

    @Test("a damaged store is read or refused with a sentence, by every command", .computing, arguments: Mutants.seeds)
    func damaged(_ seed: Int) throws {
        let folder = try ScratchFolder()
        let path = folder.path + "/store.sqlite"
        var mutator = FileMutator(seed: seed)
        try mutator.damageStore(path) { try Self.write($0, to: path) }
        do throws(ReplayError) {
            if var player = try MutantPlayer(StoreReplay(path), speed: seed % 4 == 0 ? .times(600) : .unlimited) {
                #expect(try player.play() == nil)
                if seed % 8 == 0 { #expect(try player.playAgain() == nil) }
            }
        } catch {
            #expect(!error.description.isEmpty)
        }
        do throws(StoreError) {
            _ = try read(path)
            try recall(path)
        } catch {
            #expect(!error.description.isEmpty)
        }
    }

    /// Takes over what is remembered, as the next start does.
    private func recall(_ path: String) throws(StoreError) {
        guard let database = try StoreFile.openForReading(path) else { return }
        let memory = try MemoryStore(database: database).read()
        let now = Moment(monotonicNanoseconds: 5_000_000_000_000, wallMilliseconds: SeedStore.start)
        var state = MonitorState(start: now)
        _ = state.apply(.memory(memory.patient, at: now))
        _ = state.apply(MonitorEvent(moment: now.advanced(by: .seconds(60)), kind: .tick))
    }

    /// Reads everything as `history`, `export` and `alarms` and the trends of a screen do; answers how many readings.
    private func read(_ path: String) throws(StoreError) -> Int {
        var (alarms, encoder) = (
            AlarmLogText(isColored: false, isSimulated: false) { _ in 3600 }, WatchEncoder(isSimulated: false)
        )
        try AlarmHistory.forEach(in: path) { (entry) throws(StoreError) in
            _ = alarms.line(entry)
            encoder.write(entry)
        }
        guard let history = try StoredHistory.open(path) else { return 0 }
        let all = Int64.min..<Int64.max
        var text = HistoryText { _ in 3600 }
        let (wearings, gaps, entries) = (
            try history.wearings(in: all), try history.gaps(in: all), try history.recordEntries(in: all)
        )
        _ = [text.table(wearings), text.table(gaps), text.table(entries)]
        for wearing in wearings { encoder.write(wearing) }
        for gap in gaps { encoder.write(gap) }
        for entry in entries { encoder.write(entry) }
        var summaries = try history.summariesByWearPeriod(in: all) { _, _, _ in true }
        let hour: (Int64) -> Range<Int64> = { min($0, .max - 3_600_000)..<min($0, .max - 3_600_000) + 3_600_000 }
        try history.forEachHour(in: all, hour: hour) { _, value, _ in
            value.hundredths > 100
        } _: {
            summaries += $0
        }
        _ = text.table(summaries)
        for summary in summaries { encoder.write(summary) }
        for days in [[all], [SeedStore.start..<SeedStore.start + 3_600_000, SeedStore.start + 3_600_000..<Int64.max]] {
            var overview = try history.overview(of: days, in: .min..<(.max))
            for place in days.indices {
                overview.days[place] = try history.figures(
                    of: days[place], now: .max, entries: overview.entries, in: .min..<(.max),
                    isOutside: { _, value, _ in value.hundredths > 100 })
            }
            let report = PatientReport(
                overview, patient: nil, isSimulated: false,
                now: Moment(monotonicNanoseconds: 0, wallMilliseconds: SeedStore.start + 7_300_000),
                zone: LocalTimeZone(offset: 3600))
            _ = [report.text(), report.html()]
            encoder.write(report)
        }
        _ = encoder.takeLines { $0.count }
        for now in [SeedStore.start + 7_300_000, .max, .min, 0] {
            let present = Moment(monotonicNanoseconds: 5_000_000_000_000, wallMilliseconds: now)
            _ = RestoredTrends(try history.series(until: now).map(trend), now: present)
        }
        for finest in [Duration.seconds(1), .seconds(60)] { _ = try history.series(in: all, finest: finest) }
        try history.forEachMinute(in: all) { _ in }
        _ = try history.oldest()
        return try export(history, entries)
    }

    private func trend(_ series: RecordedSeries) -> RecordedTrend {
        RecordedTrend(
            series.vital,
            series.stretches.map { stretch in
                RecordedTrend.Point(
                    wallMilliseconds: stretch.from, duration: .milliseconds(stretch.length),
                    values: stretch.values.map { TrendColumn(minimum: $0.minimum, maximum: $0.maximum, last: $0.last) },
                    endsAbsent: stretch.endsAbsent)
            })
    }

    /// Whatever a damaged store has, its signals are whole data records.
    private func exportSignals(_ history: StoredHistory, _ entries: [RecordedEntry]) throws(StoreError) {
        var survey = SignalSurvey(in: .min..<(.max))
        try history.forEachReading(in: .min..<(.max)) { recorded in
            survey.add(recorded)
            return true
        }
        try history.forEachWave(in: .min..<(.max)) { recorded in
            survey.add(recorded)
            return true
        }
        try history.forEachNight(in: .min..<(.max)) { night in
            survey.add(night)
            return true
        }
        for entry in entries { survey.add(entry) }
        var encoder = SignalEncoder(survey, isSimulated: false) { _ in 0 }
        for hour in encoder.hours.prefix(3) {
            encoder.begin(hour: hour)
            try history.forEachReading(in: encoder.readings(of: hour)) { recorded in
                encoder.write(recorded)
                return true
            }
            try history.forEachWave(in: encoder.waves(of: hour)) { recorded in
                encoder.write(recorded)
                return true
            }
            try history.forEachNight(in: hour) { night in
                encoder.write(night)
                return true
            }
            encoder.endHour()
        }
        #expect(encoder.bytes.count % encoder.header.recordSize == 0)
    }

    private func export(_ history: StoredHistory, _ entries: [RecordedEntry]) throws(StoreError) -> Int {
        let all = Int64.min..<Int64.max
        var count = 0
        for format in ExportFormat.allCases {
            var encoder = format.encoder(
                sources: try history.sources(in: all), entries: EntrySurvey(entries), isSimulated: false, patient: nil)
            encoder.begin()
            for entry in entries { encoder.write(entry) }
            count = 0
            try history.forEachReading(in: all) { recorded in
                encoder.write(recorded)
                encoder.removeAll()
                count += 1
                return true
            }
            encoder.end()
        }
        try exportSignals(history, entries)
        return count
    }
}
