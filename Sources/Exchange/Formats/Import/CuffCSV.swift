import Base
import Monitoring
import Vitals

/// A table of blood pressures as `omblepy` reads them from cuffs: `datetime`, `sys`, `dia`, `bpm`, and perhaps `mov` and
/// `ihb`.
///
/// Source: <https://github.com/userx14/omblepy>. Its times are local ones, by the cuff's clock.
enum CuffCSV {
    static func isMeant(_ columns: CSVImporter.Columns) -> Bool {
        ["datetime", "sys", "dia", "bpm"].allSatisfy { columns[$0] != nil }
    }

    static func read(
        _ table: inout SeparatedValues, _ columns: CSVImporter.Columns, _ context: ImportContext
    ) -> ImportedFile {
        CSVImporter.entries(of: &table) { (fields, place) throws(RefusedEntry) in
            try entry(fields, columns, context, at: place)
        }
    }

    private static func entry(
        _ fields: [String], _ columns: CSVImporter.Columns, _ context: ImportContext, at place: String
    ) throws(RefusedEntry) -> ImportedEntry {
        func field(_ name: String) -> String { columns.field(name, of: fields) }
        let taken = try ImportTime.read(field("datetime"), now: context.now)
        let pulse = field("bpm").isEmpty || field("bpm") == "0" ? "" : " pulse \(field("bpm"))"
        let (content, question) = try ImportContent.read(
            "\(field("sys"))/\(field("dia"))\(pulse)", as: .bloodPressure, taken: taken)
        var entry = ImportedEntry(content, at: place, taken: taken, question: question)
        let marks = [("mov", "body movement detected"), ("ihb", "irregular pulse detected")].filter {
            isMarked(field($0.0))
        }
        if !marks.isEmpty { entry.facts = EntryFacts(remark: marks.map(\.1).joined(separator: ", ")) }
        return entry
    }

    /// Whether a mark is set: it is 0 or 1 there, or a word of Python.
    private static func isMarked(_ field: String) -> Bool { !["", "0", "false", "none"].contains(field.lowercased()) }
}
