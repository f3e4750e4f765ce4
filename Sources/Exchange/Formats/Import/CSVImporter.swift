import Monitoring
import Vitals

/// Reads a table: one written by `bedside export --format csv`, one with an entry on each line, or one of another program,
/// which its columns tell.
enum CSVImporter {
    static func read(_ bytes: [UInt8], _ context: ImportContext) throws(ImportError) -> ImportedFile {
        var table = try SeparatedValues(bytes)
        guard let header = table.next() else { throw ImportError("it is empty") }
        guard let fields = header.fields else { throw ImportError("its first line is malformed. \(header.reason)") }
        let columns = Columns(fields)
        if columns["vital"] != nil, columns["monotonic_ns"] != nil {
            return ExportedTable.read(&table, columns, context)
        }
        if CuffCSV.isMeant(columns) { return CuffCSV.read(&table, columns, context) }
        if columns["kind"] == nil, let ring = RingCSV.Columns(columns) {
            return try RingCSV.read(&table, ring, context)
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
        entries(of: &table) { (fields, place) throws(RefusedEntry) in
            try entry(fields, columns, context, at: place)
        }
    }

    /// The entries of a table, a line each; one that is refused does not keep the others out.
    static func entries(
        of table: inout SeparatedValues,
        _ entry: (_ fields: [String], _ place: String) throws(RefusedEntry) -> ImportedEntry
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
                file.add(try entry(fields, place))
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

/// A table of separated values (RFC 4180), with commas, semicolons or tabs, as written by spreadsheets.
struct SeparatedValues {
    /// The separator of fields.
    let separator: UInt8
    private let bytes: [UInt8]
    private var place: Int
    private var line = 1

    /// The greatest number of fields of a row, and of bytes of a field.
    static let (columnLimit, fieldLimit) = (128, 4096)

    /// A row with the line on which it begins.
    struct Row {
        var line: Int
        /// The fields; `nil` when the row is malformed.
        var fields: [String]?
        /// The error of a malformed row, as a sentence.
        var reason = ""
    }

    /// Begins to read: finds the separator in the first line.
    init(_ bytes: [UInt8]) throws(ImportError) {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            throw ImportError("it is UTF-16; save the table as CSV in UTF-8")
        }
        self.bytes = bytes
        // A byte order mark, as written by spreadsheets.
        place = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        let first = bytes[place...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        let candidates = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")]
        let counts = candidates.map { candidate in first.prefix(Self.fieldLimit).count { $0 == candidate } }
        let most = counts.max() ?? 0
        separator = candidates[counts.firstIndex(of: most) ?? 0]
    }

    /// The next row; `nil` at the end.
    mutating func next() -> Row? {
        while place < bytes.count {
            var row = Row(line: line, fields: [])
            var texts: [ArraySlice<UInt8>] = []
            var quoted: [UInt8] = []
            var isEnd = false
            while !isEnd {
                if place < bytes.count, bytes[place] == UInt8(ascii: "\"") {
                    guard let field = quotedField() else {
                        return Row(line: row.line, reason: "Its quotation mark is not closed. Close it.")
                    }
                    quoted = field
                    texts.append(quoted[...])
                } else {
                    let start = place
                    while place < bytes.count, bytes[place] != separator, !isLineEnd(bytes[place]) { place += 1 }
                    texts.append(bytes[start..<place])
                }
                if texts.count > Self.columnLimit {
                    row.reason = "It has more than \(Self.columnLimit) fields."
                    texts.removeLast()
                }
                isEnd = endField(&row)
            }
            if texts.count == 1, texts[0].isEmpty, row.reason.isEmpty { continue }
            return Self.decoded(texts, row)
        }
        return nil
    }

    private static func decoded(_ texts: [ArraySlice<UInt8>], _ row: Row) -> Row {
        var row = row
        var fields: [String] = []
        for text in texts {
            if text.count > fieldLimit { row.reason = "A field has more than \(fieldLimit) bytes." }
            guard let field = String(validating: text.prefix(fieldLimit), as: UTF8.self) else {
                row.reason = row.reason.isEmpty ? "It is not UTF-8. Save the table as CSV in UTF-8." : row.reason
                break
            }
            fields.append(field)
        }
        row.fields = row.reason.isEmpty ? fields : nil
        return row
    }

    /// Ends a field: skips the separator or the end of the line; returns whether the row ends.
    private mutating func endField(_ row: inout Row) -> Bool {
        guard place < bytes.count else { return true }
        let byte = bytes[place]
        if byte == separator {
            place += 1
            return false
        }
        guard isLineEnd(byte) else {
            row.reason = "Something stands behind a closed quotation mark."
            while place < bytes.count, bytes[place] != separator, !isLineEnd(bytes[place]) { place += 1 }
            return endField(&row)
        }
        place += 1
        if byte == UInt8(ascii: "\r"), place < bytes.count, bytes[place] == UInt8(ascii: "\n") { place += 1 }
        line += 1
        return true
    }

    private mutating func quotedField() -> [UInt8]? {
        place += 1
        var field: [UInt8] = []
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            if byte == UInt8(ascii: "\"") {
                guard place < bytes.count, bytes[place] == byte else { return field }
                place += 1
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            field.append(byte)
        }
        return nil
    }

    private func isLineEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
}
