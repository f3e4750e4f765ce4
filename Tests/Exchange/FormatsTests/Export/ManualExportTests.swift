import Foundation
import Monitoring
import Testing
import TestSupport
import Vitals

@testable import Formats

@Suite("What was entered by hand, exported")
struct ManualExportTests {
    private static func moment(_ second: Int64) -> Moment {
        Moment(
            monotonicNanoseconds: 5_000_000_000 + second * 1_000_000_000,
            wallMilliseconds: 1_767_323_045_000 + second * 1000)
    }

    static let entries: [RecordedEntry] = {
        let contents: [RecordEntry.Content] = [
            .vital(.bodyTemperature, VitalValue(hundredths: 3840), site: .mouth),
            .vital(.heartRate, VitalValue(whole: 96), site: nil),
            .vital(.oxygenSaturation, VitalValue(whole: 97), site: nil),
            .bloodPressure(BloodPressure(systolic: 120, diastolic: 80, mean: 93, pulse: 72)),
            .bloodPressure(BloodPressure(systolic: 110, diastolic: 70)),
            .neutrophils(NeutrophilCount(perMicrolitre: 450, sampledAt: moment(5).wallMilliseconds)),
            .note("=1+1, \"quoted\""),
            .lab(
                LabResult([
                    .init(.whiteCells, VitalValue(whole: 1200)), .init(.haemoglobin, VitalValue(hundredths: 980)),
                    .init(.neutrophils, VitalValue(whole: 35)),
                ])),
            .medication(Medication("paracetamol", dose: .init(thousandths: 12_500, unit: .milligrams))),
            .medication(Medication("ondansetron")),
            .symptom(SymptomRating(.pain, severity: 7)),
            .symptom(SymptomRating(.other("burning <mouth>"), severity: 4)),
            .mascc(
                MASCCIndex(
                    burden: .moderate, hasHypotension: false, hasPulmonaryDisease: true,
                    hasSolidTumourOrNoFungalInfection: true, isDehydrated: false, isOutpatient: true, isUnder60: false,
                    assessedBy: "Ada")),
        ]
        var entries = contents.enumerated().map { place, content in
            RecordEntry(content, taken: moment(Int64(place)), enteredAt: moment(600 + Int64(place)))
        }
        var mistakes = [entries[0], entries[3], entries[6]]
        for place in mistakes.indices {
            mistakes[place].enteredAt = moment(700 + Int64(place))
            mistakes[place].taken = moment(60 + Int64(place))
            mistakes[place].retract(at: moment(800), reason: place == 2 ? "of another patient" : "")
        }
        var corrected = RecordEntry(.note("right"), taken: moment(70), enteredAt: moment(801))
        corrected.correction = RecordEntry.Correction(of: mistakes[2].id, reason: "of another patient")
        return (entries + mistakes + [corrected]).map { RecordedEntry($0, run: 7) }
    }()

    private func text(_ format: ExportFormat, isSimulated: Bool = false, patient: String? = nil) -> String {
        var encoder = format.encoder(
            sources: [], entries: EntrySurvey(Self.entries), isSimulated: isSimulated, patient: patient)
        encoder.begin()
        for entry in Self.entries { encoder.write(entry) }
        encoder.end()
        return String(decoding: encoder.bytes, as: UTF8.self)
    }

    @Test("is the same as ever, in every format")
    func golden() throws {
        // Of RR intervals and waves nothing is typed.
        let files = ExportFormat.allCases.filter { $0.content == .readings }.map { format in
            let text = text(format, isSimulated: format == .csvWide, patient: format == .fhir ? "Patient/123" : nil)
            return ("\(format.rawValue).txt", text.replacingOccurrences(of: "\r\n", with: "␍\n"))
        }
        try expectGoldenFolder(files, "ManualExport")
    }

    @Test("as lines, each is marked manual, and an entry made in error is not a measurement")
    func lines() throws {
        let lines = try text(.jsonLines).split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(lines.count == Self.entries.count)
        #expect(lines.allSatisfy { $0["manual"] as? Bool == true })
        #expect(lines.count { $0["state"] as? String == "entered_in_error" && $0["retracted"] != nil } == 3)
        #expect(
            lines.compactMap { $0["event"] as? String }
                == [
                    "reading", "reading", "reading", "blood_pressure", "blood_pressure", "neutrophils", "note", "lab",
                    "medication", "medication", "symptom", "symptom", "mascc", "reading", "blood_pressure", "note",
                    "note",
                ])
    }

    @Test("as FHIR, each is an Observation of its own without a device, and a mistake has been entered in error")
    func fhir() throws {
        let bundle = try #require(
            try JSONSerialization.jsonObject(with: Data(text(.fhir, isSimulated: true).utf8)) as? [String: Any])
        let entries = try #require(bundle["entry"] as? [[String: Any]])
        let resources = entries.compactMap { $0["resource"] as? [String: Any] }
        // The blood count has three values, and the neutrophil count that is computed from two of them.
        #expect(Set(entries.compactMap { $0["fullUrl"] as? String }).count == Self.entries.count + 3)
        let types = Dictionary(grouping: resources.compactMap { $0["resourceType"] as? String }, by: \.self)
        #expect(
            types.mapValues(\.count)
                == ["Observation": Self.entries.count, "MedicationAdministration": 2, "QuestionnaireResponse": 1])
        #expect(resources.allSatisfy { $0["device"] == nil })
        #expect(resources.count { $0["status"] as? String == "corrected" } == 1)
        #expect(resources.count { $0["status"] as? String == "entered-in-error" } == 3)
        #expect(resources.allSatisfy { String(describing: $0["meta"] ?? "").contains("HTEST") })
    }

    @Test(
        "as FHIR, glucose of a meter from a finger has the code of that method, and of what was typed the general one",
        arguments: [true, false])
    func glucoseMethod(isFromMeter: Bool) {
        let meter = SensorIdentity(address: "C0:52:49:00:00:07", name: "Contour", kind: .glucose)
        let entry = RecordEntry(
            .vital(.glucose, VitalValue(whole: 118), site: .finger),
            from: isFromMeter ? .sensor(meter) : .typed, EntryFacts(sequence: isFromMeter ? 3 : nil),
            taken: Self.moment(1),
            enteredAt: Self.moment(2))
        var encoder = ExportFormat.fhir.encoder(sources: [], isSimulated: false, patient: nil)
        encoder.begin()
        encoder.write(RecordedEntry(entry, run: 7))
        encoder.end()
        let text = String(decoding: encoder.bytes, as: UTF8.self)
        #expect(text.contains("41653-7") == isFromMeter)
        #expect(text.contains("2339-0") == !isFromMeter)
    }

    @Test("as a table for people, with what was taken back")
    func history() {
        var text = HistoryText { _ in 0 }
        let table = text.table(Self.entries)
        #expect(table.contains("blood pressure 120/80/93 mmHg, pulse 72"))
        #expect(table.contains("taken back at 2026-01-02 03:17 as a mistake"))
        #expect(text.table([RecordedEntry]()).isEmpty)
    }

    @Test("in a stream, an entry is a line of its own beside the action")
    func stream() {
        var encoder = WatchEncoder(isSimulated: false)
        encoder.write(Effect.entry(Self.entries[0].entry))
        let line = encoder.takeLines { String(decoding: $0, as: UTF8.self) }
        #expect(
            line.contains(
                #""event":"reading","sensor":{"address":"manual","name":"manual","kind":"manual"},"manual":true"#))
        #expect(!line.contains("monotonic_ns"))
    }
}
