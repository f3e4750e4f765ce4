import Base
import Entries
import Monitoring
import Vitals

/// A table written by `bedside export --format csv`, possibly saved again by a spreadsheet.
enum ExportedTable {
    /// One line: a number or the words of an entry.
    private struct Part {
        var vital: String
        var value: Substring
        var note: String
    }

    /// The lines of one entry.
    private struct Group {
        var line: Int
        var identity: String
        var fields: [String]
        var parts: [Part]
    }

    static func read(
        _ table: inout SeparatedValues, _ columns: CSVImporter.Columns, _ context: ImportContext
    ) -> ImportedFile {
        var file = ImportedFile()
        var group: Group?
        func finish(_ file: inout ImportedFile) {
            guard let found = group else { return }
            group = nil
            let place = "line \(found.line)"
            do throws(RefusedEntry) {
                file.add(try entry(found, columns, context, at: place))
            } catch {
                file.refuse(place, error.reason)
            }
        }
        while let row = table.next() {
            guard let fields = row.fields else {
                finish(&file)
                file.refuse("line \(row.line)", row.reason)
                continue
            }
            if fields.allSatisfy({ trimmed($0).isEmpty }) { continue }
            func field(_ name: String) -> String { columns.field(name, of: fields) }
            guard field("kind").lowercased() == SensorKind.manual.rawValue else {
                finish(&file)
                file.readings += 1
                continue
            }
            // Blanks at the ends of a text belong to it.
            let note = columns.words("note", of: fields)
            let isMistake = field("absence") == "entered_in_error"
            let part = Part(
                vital: field("vital"), value: Substring(field(isMistake ? "mistaken_value" : "value")), note: note)
            let identity = field("entry").isEmpty ? "\(field("time")) \(family(part.vital))" : field("entry")
            if group?.identity == identity {
                // The lines of a blood pressure or a blood count; no other entry has more than one.
                if let count = group?.parts.count, count < 32 { group?.parts.append(part) }
                continue
            }
            // In an export without keys, the pulse of a pressure follows it directly.
            if part.vital == "heart_rate", field("entry").isEmpty, let last = group,
                last.identity == "\(field("time")) pressure"
            {
                group?.parts.append(part)
                continue
            }
            finish(&file)
            group = Group(line: row.line, identity: identity, fields: fields, parts: [part])
        }
        finish(&file)
        return file
    }

    /// The common part of the lines of an entry.
    private static func family(_ vital: String) -> String {
        if vital.hasSuffix("_pressure") { return "pressure" }
        return analyte(vital) == nil && vital != computed ? vital : "lab"
    }

    private static let computed = LabAnalyte.computedCountName

    private static func analyte(_ vital: String) -> LabAnalyte? {
        LabAnalyte.allCases.first { $0.quantityName == vital }
    }

    private static func entry(
        _ group: Group, _ columns: CSVImporter.Columns, _ context: ImportContext, at place: String
    ) throws(RefusedEntry) -> ImportedEntry {
        func field(_ name: String) -> String { columns.field(name, of: group.fields) }
        guard field("simulated").lowercased() != "true" || context.isSimulated else {
            throw RefusedEntry("It is simulated, and no patient's. Import it with --simulate, or leave it out.")
        }
        let facts = facts(field)
        // A measurement of unknown time has that of its entry.
        let time = facts.isTimeKnown ? field("time") : field("entered")
        let taken = try ImportTime.read(time, now: context.now)
        var group = group
        for part in group.parts.indices { group.parts[part].note = words(group.parts[part].note, without: facts.note) }
        var (content, question) = try content(group, taken)
        if case .vital(let vital, let value, _) = content {
            content = .vital(vital, value, site: BodySite(rawValue: field("site")))
        }
        var entry = ImportedEntry(content, at: place, taken: taken, question: question)
        entry.facts = facts
        if !field("entry").isEmpty { entry.key = key(field("entry")) }
        entry.enteredAt = ImportTime.other(field("entered"), now: context.now)
        if field("absence") == "entered_in_error" {
            guard columns["mistaken_value"] != nil else {
                throw RefusedEntry(
                    "It was a mistake there, and this version of the table does not say which value. Leave it out.")
            }
            entry.retractedAt = ImportTime.other(field("retracted"), now: context.now) ?? context.now.wallMilliseconds
            entry.retractionReason = columns.words("retraction_reason", of: group.fields)
            // A mistaken value may be unusual; it is not evaluated.
            entry.question = nil
        }
        if !field("corrects").isEmpty {
            entry.corrected = key(field("corrects"))
            entry.correctionReason = columns.words("correction_reason", of: group.fields)
        }
        return entry
    }

    private static func facts(_ field: (String) -> String) -> EntryFacts {
        EntryFacts(
            deviceTime: DeviceTime(field("device_time")), sequence: Int(field("sequence")),
            isTimeKnown: field("time_unknown").lowercased() != "true",
            quality: Reading.Quality(rawValue: field("quality")) ?? .good, remark: field("remark"),
            user: Int(field("user")).flatMap { EntryFacts.users.contains($0) ? $0 : nil })
    }

    /// The words of a note, behind which the facts stand again.
    private static func words(_ note: String, without facts: String?) -> String {
        guard let facts, note.hasSuffix(facts) else { return note }
        let rest = note.dropLast(facts.count)
        return String(rest.hasSuffix("; ") ? rest.dropLast(2) : rest)
    }

    /// A key as it is kept: a UUID, or one made of what the table has.
    private static func key(_ text: String) -> String {
        FHIRIdentifier.isIdentifier(text) ? text : FHIRIdentifier.text(Array(text.utf8))
    }

    private static func content(
        _ group: Group, _ taken: Int64
    ) throws(RefusedEntry) -> (RecordEntry.Content, question: String?) {
        let first = group.parts[0]
        let note = first.note
        switch first.vital {
        case "note": return (try ImportContent.note(note), nil)
        case "medication": return (try ImportContent.medication(printed: note), nil)
        case let vital where RecordEntry.Kind(rawValue: vital)?.traits.resource == .response:
            return try form(note, RecordEntry.Kind(rawValue: vital) ?? .note, taken)
        case let vital where vital.hasPrefix("symptom_"):
            guard let rating = ImportContent.thousandths(first.value), rating % 1000 == 0 else {
                throw RefusedEntry("A symptom has a rating from 0 to 10, as a whole number.")
            }
            return (try ImportContent.symptom(note, severity: rating / 1000), nil)
        default: break
        }
        let values = try values(group)
        func text(_ vital: String) -> String? { values[vital].map(ImportContent.text(thousandths:)) }
        if let systolic = text("systolic_pressure"), let diastolic = text("diastolic_pressure") {
            let mean = text("mean_pressure").map { "/\($0)" } ?? ""
            let pulse = text("heart_rate").map { " pulse \($0)" } ?? ""
            return try ImportContent.read("\(systolic)/\(diastolic)\(mean)\(pulse)", as: .bloodPressure, taken: taken)
        }
        if first.vital == "neutrophils" {
            return try ImportContent.read("\(text("neutrophils") ?? "")/µL", as: .neutrophils, taken: taken)
        }
        if group.parts.contains(where: { analyte($0.vital) != nil }) { return try lab(group, values, taken) }
        let units: [RecordEntry.Kind: String] = [.bodyTemperature: " °C", .glucose: " mg/dL", .weight: " kg"]
        guard let kind = RecordEntry.Kind(rawValue: first.vital), kind.vital != nil || kind == .weight else {
            throw RefusedEntry("“\(sanitized(first.vital, limit: 32))” is nothing that can be entered.")
        }
        return try ImportContent.read((text(first.vital) ?? "") + (units[kind] ?? ""), as: kind, taken: taken)
    }

    /// Whether a quantity is counted per µL.
    private static func isCount(_ vital: String) -> Bool {
        vital == "neutrophils" || vital == computed || analyte(vital)?.dimension == .cells
    }

    /// Whether a number has three digits after a separator that a spreadsheet may have inserted.
    private static func mayHaveThousands(_ value: Substring) -> Bool {
        let parts = value.split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
        return parts.count > 2 || parts.count == 2 && parts[1].count == 3
    }

    /// The numbers of an entry in thousandths.
    private static func values(_ group: Group) throws(RefusedEntry) -> [String: Int] {
        var values: [String: Int] = [:]
        for part in group.parts {
            if isCount(part.vital), mayHaveThousands(part.value) { throw RefusedEntry(ManualReader.separators) }
            guard let value = ImportContent.thousandths(part.value) else {
                throw RefusedEntry(
                    "“\(sanitized(String(part.value), limit: 16))” is not a number of \(sanitized(part.vital, limit: 32))."
                )
            }
            guard values.updateValue(value, forKey: part.vital) == nil else {
                throw RefusedEntry("It has two values of \(sanitized(part.vital, limit: 32)).")
            }
        }
        return values
    }

    private static func lab(
        _ group: Group, _ values: [String: Int], _ taken: Int64
    ) throws(RefusedEntry) -> (RecordEntry.Content, question: String?) {
        var words: [String] = []
        for part in group.parts where part.vital != computed {
            guard let analyte = analyte(part.vital), let value = values[part.vital] else {
                throw RefusedEntry("“\(sanitized(part.vital, limit: 32))” is no part of a blood count.")
            }
            words.append(ImportContent.words(of: analyte, value, analyte.unit))
        }
        return try ImportContent.read(words.joined(separator: " "), as: .lab, taken: taken)
    }

    /// The answers to a form; the name of the assessor may contain commas.
    private static func form(
        _ answers: String, _ kind: RecordEntry.Kind, _ taken: Int64
    ) throws(RefusedEntry) -> (RecordEntry.Content, question: String?) {
        let separator = answers.firstPlace(of: ", by ")
        let words = String(answers[..<(separator?.lowerBound ?? answers.endIndex)]).exchanging(",", for: "")
        let (content, question) = try ImportContent.read(words, as: kind, taken: taken)
        guard let separator else { return (content, question) }
        return (try ImportContent.assessed(content, by: String(answers[separator.upperBound...])), question)
    }
}

extension ImportContent {
    /// The content with the name of who assessed it.
    static func assessed(_ content: RecordEntry.Content, by name: String) throws(RefusedEntry) -> RecordEntry.Content {
        guard !name.isEmpty, let kind = content.kind, let field = kind.fields.first(where: { $0.role == .person }),
            case .text(let limit) = field.form
        else { return content }
        guard name.unicodeScalars.count <= limit else {
            throw RefusedEntry("The name of who assessed it has more than \(limit) characters. Shorten it.")
        }
        var values = content.values(taken: 0)
        values[field.name] = .text(name)
        return kind.content(values) ?? content
    }

    /// What is typed for a value of a blood count in the unit of its analyte.
    static func words(of analyte: LabAnalyte, _ thousandths: Int, _ unit: String) -> String {
        let name = analyte == .neutrophilCount ? "anc" : analyte.rawValue
        return "\(name) \(text(thousandths: thousandths))\(printedUnit(unit))"
    }
}

/// A unit in UCUM notation as it is printed: "/µL", "mmHg", "°C".
func printedUnit(_ unit: String) -> String {
    switch unit {
    case "/uL": "/µL"
    case "mm[Hg]": "mmHg"
    case "Cel": "°C"
    default: unit
    }
}
