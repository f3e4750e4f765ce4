import Foundation
import Monitoring
import TestSupport
import Vitals
import Wording

@testable import Dashboard
@testable import Formats
@testable import Recording
@testable import WardMessages

/// Whatever shows, writes or hands on an entry of the record.
enum EntryOutput: String, CaseIterable {
    case lines, page, list, json, csv, csvWide, influx, fhir, history, report, reportHTML, store, ward, view
    case importedCSV, importedFHIR

    /// What it says of an entry: words of a file, or what is read back.
    func text(_ entry: RecordEntry) throws -> String {
        let now = Moment(
            monotonicNanoseconds: entry.enteredAt.monotonicNanoseconds + 60_000_000_000,
            wallMilliseconds: entry.enteredAt.wallMilliseconds + 60_000)
        switch self {
        case .lines:
            var lines = LineReport(
                interval: .seconds(1), context: SessionContext(provenance: .real, patient: nil, timeZoneOffset: 0))
            lines.handle([.entry(entry)], MonitorState(start: now))
            return lines.takeLines()
        case .page: return screen(of: .record, entry, at: now)
        case .list: return screen(of: .entries, entry, at: now)
        case .json: return exported(.jsonLines, entry)
        case .csv: return exported(.csv, entry)
        case .csvWide: return exported(.csvWide, entry)
        case .influx: return exported(.influx, entry)
        case .fhir: return exported(.fhir, entry)
        case .history:
            var history = HistoryText { _ in 0 }
            return history.table([RecordedEntry(entry, run: 1)])
        case .report: return report(entry, at: now).text()
        case .reportHTML: return report(entry, at: now).html()
        case .store:
            let folder = try ScratchFolder(isInMemory: true)
            let path = folder.path + "/record.db"
            try EntryWriter.write([entry], to: path, programVersion: "1")
            let found = try StoredHistory.open(path)?.recordEntries(in: Int64.min..<Int64.max) ?? []
            return found.map { Self.dump($0.entry) }.joined()
        case .ward: return try sentToWard(entry).map(Self.dump) ?? ""
        case .view: return Self.dump(try JSONDecoder().decode(RecordEntry.self, from: JSONEncoder().encode(entry)))
        case .importedCSV: return try imported(.csv, .csv, entry, at: now)
        case .importedFHIR: return try imported(.fhir, .fhir, entry, at: now)
        }
    }

    /// Everything that an entry has.
    private static func dump(_ entry: RecordEntry) -> String {
        var text = ""
        Swift.dump(entry, to: &text)
        return text
    }

    private func screen(of page: ScreenState.Page, _ entry: RecordEntry, at now: Moment) -> String {
        var state = MonitorState(start: now)
        _ = state.apply(.recordEntries([entry], at: now))
        var screen = ScreenState()
        screen.pages.show(page)
        screen.pages[RecordPage.self].cursor.selected = entry.id
        let size = (columns: 400, rows: 60)
        let grid = draw(state: state, screen: screen, size: size, now: now)
        return (0..<size.rows).map { grid.text(row: $0) }.joined(separator: "\n")
    }

    private func exported(_ format: ExportFormat, _ entry: RecordEntry) -> String {
        let recorded = RecordedEntry(entry, run: 1)
        var encoder = format.encoder(sources: [], entries: EntrySurvey([recorded]), isSimulated: false, patient: nil)
        encoder.begin()
        encoder.write(recorded)
        encoder.end()
        return String(decoding: encoder.bytes, as: UTF8.self)
    }

    private func report(_ entry: RecordEntry, at now: Moment) -> PatientReport {
        let day: Int64 = 86_400_000
        let start = now.wallMilliseconds / day * day
        let overview = PatientOverview(days: [.init(start..<start + day)], entries: [RecordedEntry(entry, run: 1)])
        return PatientReport(overview, patient: nil, isSimulated: false, now: now, zone: LocalTimeZone(offset: 0))
    }

    /// What a collector gets of an entry; `nil` where it refuses it.
    private func sentToWard(_ entry: RecordEntry) throws -> RecordEntry? {
        guard let store = WardToken("5f4dcc3b") else { return nil }
        let key = WardHistoryKey(store: store, wallMilliseconds: entry.enteredAt.wallMilliseconds, number: 0)
        let batch = WardHistoryBatch(rows: [.init(key: key, .entry(entry, patient: 1), run: 1)], isSimulated: false)
        var encoder = WardEncoder()
        let payload = encoder.encode(batch, wallMilliseconds: entry.enteredAt.wallMilliseconds)
        guard case .history(let read) = try WardDecoder.decode(.history(key), payload),
            case .entry(let entry, _)? = read.rows.first?.content
        else { return nil }
        return entry
    }

    /// What an import takes over from an export of an entry that a person has typed.
    private func imported(
        _ format: ExportFormat, _ reader: ImportFormat, _ entry: RecordEntry, at now: Moment
    ) throws -> String {
        let file = try reader.read(
            Array(exported(format, entry).utf8), ImportContext(now: now, temperatureUnit: .celsius))
        let plan = ImportPlan(file, into: [], now: now, source: "file", acceptsRare: true)
        return plan.additions.map { Self.dump($0.entry) }.joined() + "\(file.readings)"
    }
}
