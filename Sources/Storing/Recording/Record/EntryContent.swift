import JSON
import Vitals

/// The column `content` of an entry: a JSON object of the fields of its kind, numbers in the parts of their form.
///
/// ```json
/// {"value":3840,"site":"mouth"}
/// {"systolic":142,"diastolic":88,"pulse_rate":71}
/// {"white_cells":120000,"neutrophils":3500}
/// {"name":"paracetamol","dose":500000,"unit":"mg","antipyretic":true}
/// ```
enum EntryContent {
    /// The text of the column; `nil` for a measurement without a value.
    static func text(of content: RecordEntry.Content) -> String? {
        if case .noMeasurement = content { return nil }
        var json = JSONWriter(capacity: 128)
        json.beginObject()
        for field in content.fields where !field.isDerived {
            guard let value = field.value(content) else { continue }
            json.key(field.name)
            switch value {
            case .number(let number): json.integer(number)
            case .text(let words): json.string(words)
            case .flag(let isTrue): json.bool(isTrue)
            }
        }
        json.endObject()
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// The content of a column; `nil` for what no version writes.
    ///
    /// What nobody can have is not refused: a person has entered it, and sees it.
    static func content(_ text: String, _ kind: RecordEntry.Kind, taken: Int64) -> RecordEntry.Content? {
        guard let object = try? JSON5Parser.parse(Array(text.utf8), .json), object.members != nil else { return nil }
        var values = EntryField.Values(taken: taken)
        for field in kind.fields where !field.isDerived {
            guard let found = object[field.name], !found.isNull else { continue }
            guard let value = value(found, field.form) else { return nil }
            values[field.name] = value
        }
        return kind.content(values)
    }

    private static func value(_ found: JSON5Value, _ form: EntryField.Form) -> EntryField.Value? {
        switch form {
        case .hundredths, .thousandths, .whole:
            found.whole.flatMap { Self.numbers.contains($0) ? .number($0) : nil }
        // A word of a newer version leaves out what only it can say.
        case .word, .text: found.text.map { .text($0) }
        case .flag: found.boolean.map { .flag($0) }
        }
    }

    /// The numbers that are computed with safely.
    private static let numbers = 0...Int(Int32.max)
}
