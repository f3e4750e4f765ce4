import Foundation
import Monitoring
import TestSupport
import Testing
import VitalDecoders
import Vitals

@testable import Formats

@Suite("Exported entries, imported")
struct ImportRoundTripTests {
    static let context = ImportContext(now: RandomRecord.now, temperatureUnit: .celsius)

    static func exported(_ entries: [RecordedEntry], _ format: ExportFormat) -> String {
        var encoder = format.encoder(sources: [], entries: EntrySurvey(entries), isSimulated: false, patient: nil)
        encoder.begin()
        for entry in entries { encoder.write(entry) }
        encoder.end()
        return String(decoding: encoder.bytes, as: UTF8.self)
    }

    static func plan(_ text: String, _ format: ImportFormat, into record: [RecordedEntry] = []) throws -> ImportPlan {
        ImportPlan(
            try format.read(Array(text.utf8), context), into: record, now: RandomRecord.now, source: "old.txt (test)",
            acceptsRare: false)
    }

    /// What an import adds, as it is read from a store, in the order of measurement.
    static func added(_ plan: ImportPlan) -> [RecordedEntry] {
        plan.additions.map { RecordedEntry($0.entry, run: 1) }
            .sorted { $0.entry.taken.wallMilliseconds < $1.entry.taken.wallMilliseconds }
    }

    /// A table without what differs in another store: the run, its clock, and when and from where it was imported.
    private func comparable(_ table: String) throws -> [[String]] {
        var rows = try SeparatedValues(Array(table.utf8))
        var found: [[String]] = []
        while let row = rows.next() { found.append(try #require(row.fields)) }
        let own = ["run", "monotonic_ns", "imported", "imported_from"].compactMap { found[0].firstIndex(of: $0) }
        #expect(own.count == 4)
        return found.map { row in row.enumerated().filter { !own.contains($0.offset) }.map(\.element) }
    }

    /// A Bundle without when and from where it was imported.
    private func comparable(bundle: String) -> String {
        var text = bundle.replacingOccurrences(of: "Imported entry", with: "Manual entry")
        for pattern in [
            #",\{"time":"[^"]*","text":"Imported from [^"]*"\}"#,
            #",\{"linkId":"imported[^}]*\}\]\}"#,
        ] { text = text.replacingOccurrences(of: pattern, with: "", options: .regularExpression) }
        return text
    }

    @Test(
        "as a table, are exported again as they were, whatever was typed, taken back and corrected", arguments: 1...30)
    func table(seed: UInt64) throws {
        var random = RandomRecord(seed: seed)
        let record = random.entries(60)
        let text = Self.exported(record, .csv)
        let plan = try Self.plan(text, .csv)
        #expect(plan.refusals.isEmpty && plan.rare.isEmpty)
        let added = Self.added(plan)
        #expect(added.count == record.count)
        #expect(try comparable(Self.exported(added, .csv)) == comparable(text))
        #expect(added.allSatisfy { $0.entry.origin?.source == "old.txt (test)" })
        #expect(added.allSatisfy { $0.entry.enteredAt.wallMilliseconds == RandomRecord.now.wallMilliseconds })
    }

    @Test("as FHIR, are exported again as they were, whatever was typed, taken back and corrected", arguments: 1...30)
    func bundle(seed: UInt64) throws {
        var random = RandomRecord(seed: seed)
        let record = random.entries(60)
        let text = Self.exported(record, .fhir)
        let plan = try Self.plan(text, .fhir)
        #expect(plan.refusals.isEmpty && plan.rare.isEmpty, "\(plan.refusals) \(plan.rare)")
        let added = Self.added(plan)
        #expect(added.count == record.count)
        #expect(comparable(bundle: Self.exported(added, .fhir)) == text)
        #expect(added.map(\.entry.content) == record.map(\.entry.content))
    }

    @Test(
        "twice are added once, and into the record that they come from not at all",
        arguments: [ImportFormat.csv, .fhir])
    func twice(format: ImportFormat) throws {
        for seed in 40...50 as ClosedRange<UInt64> {
            var random = RandomRecord(seed: seed)
            let record = random.entries(40)
            let text = Self.exported(record, format == .csv ? .csv : .fhir)
            let first = Self.added(try Self.plan(text, format))
            for known in [first, record] {
                let again = try Self.plan(text, format, into: known)
                #expect(again.additions.isEmpty && again.known == record.count)
            }
            // Exported from there, it is still the same.
            let further = try Self.plan(Self.exported(first, .csv), .csv, into: record)
            #expect(further.additions.isEmpty && further.known == record.count)
        }
    }

    @Test("in the order of another program, corrections still name what they correct")
    func order() throws {
        var random = RandomRecord(seed: 3)
        let record = random.entries(60)
        var lines = Self.exported(record, .csv).components(separatedBy: "\r\n").filter { !$0.isEmpty }
        let header = lines.removeFirst()
        var groups: [[String]] = []
        var keys: [String] = []
        for line in lines {
            let key = String(try #require(line.firstMatch(of: /,([0-9a-f]{8}-[0-9a-f-]{27}),/)?.output.1))
            if keys.last == key { groups[groups.count - 1].append(line) } else { groups.append([line]) }
            keys.append(key)
        }
        let reversed = ([header] + groups.reversed().flatMap { $0 }).joined(separator: "\n")
        let added = Self.added(try Self.plan(reversed, .csv))
        #expect(added.map(\.entry.content) == record.map(\.entry.content))
        #expect(added.count { $0.entry.correction != nil } == record.count { $0.entry.correction != nil })
        for entry in added {
            guard let corrected = entry.entry.correction?.corrected else { continue }
            #expect(added.first { $0.entry.id == corrected }?.entry.isRetracted == true)
        }
    }
}
