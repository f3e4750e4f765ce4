import Monitoring
import Testing
import Vitals

@testable import Formats

@Suite("What sensors handed over, in every output")
struct HandedOverExportTests {
    private static let meter = SensorIdentity(address: "C0:52:49:00:00:09", name: "Meter A", kind: .glucose)
    private static let cuff = SensorIdentity(address: "C0:52:49:00:00:0B", name: "Cuff B", kind: .bloodPressure)
    private static let scale = SensorIdentity(address: "C0:52:49:00:00:0A", name: "", kind: .weightScale)

    private static func moment(_ second: Int64) -> Moment {
        Moment(
            monotonicNanoseconds: 5_000_000_000 + second * 1_000_000_000,
            wallMilliseconds: 1_767_323_045_000 + second * 1000)
    }

    /// Each with the words that every output for people and spreadsheets has of it, and the ones of codes.
    private static let cases:
        [(content: RecordEntry.Content, sensor: SensorIdentity, facts: EntryFacts, words: [String])] = [
            (.vital(.glucose, VitalValue(whole: 118), site: .finger), meter, EntryFacts(sequence: 1), ["118"]),
            (
                .noMeasurement(.glucose, .equipment), meter, EntryFacts(sequence: 2, remark: "sensor malfunction"),
                ["sensor malfunction"]
            ),
            (.noMeasurement(.glucose, .aboveRange), meter, EntryFacts(sequence: 3, remark: "too high"), ["too high"]),
            (
                .bloodPressure(BloodPressure(systolic: 142, diastolic: 88, pulse: 71)), cuff,
                EntryFacts(quality: .questionable, remark: "cuff too loose"), ["142", "88", "cuff too loose"]
            ),
            (.noMeasurement(.bloodPressure, .unusable), cuff, EntryFacts(remark: "body movement"), ["body movement"]),
            (.weight(VitalValue(hundredths: 7240)), scale, EntryFacts(), ["72.4"]),
            (.weight(VitalValue(hundredths: 7250)), scale, EntryFacts(isTimeKnown: false), ["72.5", "unknown"]),
            (.noMeasurement(.weight, .outOfRange), scale, EntryFacts(remark: "nobody stood"), ["nobody stood"]),
        ]

    private static let entries = cases.enumerated().map { number, one in
        RecordedEntry(
            RecordEntry(
                one.content, from: .sensor(one.sensor), one.facts, taken: moment(Int64(number)),
                enteredAt: moment(100 + Int64(number))), run: 1)
    }

    private func text(_ format: ExportFormat, _ entries: [RecordedEntry]) -> String {
        var encoder = format.encoder(sources: [], entries: EntrySurvey(entries), isSimulated: false, patient: nil)
        encoder.begin()
        for entry in entries { encoder.write(entry) }
        encoder.end()
        return String(decoding: encoder.bytes, as: UTF8.self)
    }

    @Test(
        "each has the name of its sensor, never the word manual, and what the sensor said about it",
        arguments: Self.cases.indices)
    func formats(number: Int) {
        let (recorded, one) = (Self.entries[number], Self.cases[number])
        for format in ExportFormat.allCases where format.content == .readings {
            let text = text(format, [recorded])
            // A name with a blank is escaped in line protocol.
            let name =
                one.sensor.name.isEmpty ? one.sensor.address : String(one.sensor.name.prefix(while: { $0 != " " }))
            #expect(text.contains(name), "\(format): \(text)")
            #expect(!text.contains("manual") && !text.contains("Manual"), "\(format): \(text)")
            for word in one.words where format != .jsonLines || word != "unknown" {
                #expect(text.contains(word), "\(format): \(text)")
            }
            #expect(text.contains("time_unknown") || format != .jsonLines || one.facts.isTimeKnown)
            guard let reason = recorded.entry.absence, format != .csvWide else { continue }
            #expect(text.contains(reason.rawValue) || format == .fhir && text.contains("dataAbsentReason"), "\(text)")
        }
        var history = HistoryText { _ in 0 }
        let table = history.table([recorded])
        #expect(table.contains(one.sensor.name.isEmpty ? one.sensor.address : one.sensor.name))
        for word in one.words { #expect(table.contains(word), "\(table)") }
        if let reason = recorded.entry.absenceText { #expect(table.contains(reason)) }
        #expect(!table.contains("hand"))
    }

    @Test("in a table of seconds, sensors of one quantity have a column each, beside what was typed")
    func wide() {
        let other = SensorIdentity(address: "C0:52:49:00:00:0C", name: "Scale D", kind: .weightScale)
        var renamed = other
        renamed.name = "Scale of ward 3"
        let entries = [
            RecordEntry(.weight(VitalValue(hundredths: 7000)), enteredAt: Self.moment(1)),
            RecordEntry(
                .weight(VitalValue(hundredths: 7100)), from: .sensor(Self.scale), EntryFacts(),
                enteredAt: Self.moment(1)),
            RecordEntry(
                .weight(VitalValue(hundredths: 7200)), from: .sensor(other), EntryFacts(), enteredAt: Self.moment(1)),
            RecordEntry(
                .weight(VitalValue(hundredths: 7300)), from: .sensor(renamed), EntryFacts(), enteredAt: Self.moment(2)),
            RecordEntry(
                .noMeasurement(.weight, .unusable), from: .sensor(other), EntryFacts(), enteredAt: Self.moment(2)),
        ].map { RecordedEntry($0, run: 1) }
        let lines = text(.csvWide, entries).split { $0.isNewline }.map(String.init)
        #expect(lines.count == 3)
        let titles = lines[0].split(separator: ",", omittingEmptySubsequences: false)
        #expect(titles.count { $0.hasPrefix("weight kg") } == 3)
        #expect(titles.filter { $0.hasPrefix("remark") }.count == 1)
        #expect(titles.contains("weight kg manual"))
        #expect(lines[1].contains("70") && lines[1].contains("71") && lines[1].contains("72"))
        #expect(lines[2].contains("73") && lines[2].contains("without a usable value"))
    }

    @Test("a table for people says who entered what: a hand, a file, a sensor")
    func authors() {
        var imported = RecordEntry(.note("from a file"), enteredAt: Self.moment(2))
        imported.origin = ImportOrigin(key: "1", source: "labs.csv", enteredAt: nil)
        let entries = [
            RecordEntry(.note("typed"), enteredAt: Self.moment(1)), imported, Self.entries[0].entry,
        ]
        #expect(entries.map(HistoryText.author(of:)) == ["hand", "import of labs.csv", "Meter A"])
    }
}
