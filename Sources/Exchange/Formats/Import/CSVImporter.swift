import Monitoring
import Vitals

/// Reads the entries of a table: one written by `bedside export --format csv`, or one with an entry on each line.
enum CSVImporter {
    static func read(_ bytes: [UInt8], _ context: ImportContext) throws(ImportError) -> ImportedFile {
        var table = try SeparatedValues(bytes)
        guard let header = table.next() else { throw ImportError("it is empty") }
        guard let fields = header.fields else { throw ImportError("its first line is malformed. \(header.reason)") }
        let columns = Columns(fields)
        if columns["vital"] != nil, columns["monotonic_ns"] != nil {
            return ExportedTable.read(&table, columns, context)
        }
        guard columns["time"] != nil, columns["kind"] != nil, columns["value"] != nil else {
            throw ImportError(
                "its first line does not name the columns time, kind and value (and unit, site, note, if there are such)"
            )
        }
        return plainTable(&table, columns, context)
    }

    /// The places of the columns by their names.
    struct Columns {
        private var places: [String: Int] = [:]

        init(_ names: [String]) {
            for (place, name) in names.enumerated() {
                let name = trimmed(name).lowercased()
                if places[name] == nil { places[name] = place }
            }
        }

        subscript(name: String) -> Int? { places[name] }

        /// The unchanged text of a column; empty if missing.
        func words(_ name: String, of fields: [String]) -> String {
            guard let place = places[name], place < fields.count else { return "" }
            return ImportContent.unescaped(fields[place])
        }

        /// The field of a column, without surrounding blanks; empty if missing.
        func field(_ name: String, of fields: [String]) -> String {
            guard let place = places[name], place < fields.count else { return "" }
            return trimmed(fields[place])
        }
    }

    /// Reads a table whose lines contain the arguments of `bedside enter`.
    private static func plainTable(
        _ table: inout SeparatedValues, _ columns: Columns, _ context: ImportContext
    ) -> ImportedFile {
        var file = ImportedFile()
        while let row = table.next() {
            let place = "line \(row.line)"
            guard let fields = row.fields else {
                file.refuse(place, row.reason)
                continue
            }
            // Spreadsheets write lines of separators after the last row.
            if fields.allSatisfy({ trimmed($0).isEmpty }) { continue }
            do throws(RefusedEntry) {
                file.add(try entry(fields, columns, context, at: place))
            } catch {
                file.refuse(place, error.reason)
            }
        }
        return file
    }

    private static func entry(
        _ fields: [String], _ columns: Columns, _ context: ImportContext, at place: String
    ) throws(RefusedEntry) -> ImportedEntry {
        func field(_ name: String) -> String { columns.field(name, of: fields) }
        let taken = try ImportTime.read(field("time"), now: context.now)
        let kind = try EntryNames.kind(field("kind"))
        let value = [field("value"), kind == .note ? "" : field("unit"), field("site"), field("note")]
        let text = ImportContent.unescaped(value.filter { !$0.isEmpty }.joined(separator: " "))
        let (content, question) = try ImportContent.read(text, as: kind, taken: taken, unit: context.temperatureUnit)
        return ImportedEntry(content, at: place, taken: taken, question: question)
    }
}

/// A text without blanks at its ends.
func trimmed(_ text: some StringProtocol) -> String {
    let start = text.drop { $0.isWhitespace }
    guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...end])
}
