import Base
import VitalDecoders
import Vitals

/// Explains the octets of a request field by field.
enum DecodeExplanation {
    /// The explanation of one value, as lines of text with a line feed after each.
    ///
    /// - Parameters:
    ///   - request: The characteristic and the value.
    ///   - context: What is known about the sensor besides the octets.
    ///   - colors: Whether to use colours, for a terminal that shows them.
    /// - Returns: The text, and the exit status when this is the only answer.
    static func text(
        of request: DecodeRequest, context: DecodingContext, colors: Bool
    ) -> (text: String, status: ExitStatus) {
        let style = Style(isColored: colors)
        guard let characteristic = CharacteristicType.with(uuid: request.uuid) else {
            return (
                style.bad("There is no decoder for \(request.uuid); bedside decode --list names those that there are.")
                    + "\n", .unavailable
            )
        }
        let specification = characteristic.specification
        var lines = [
            style.strong("\(characteristic.name) (\(characteristic.uuid))"),
            style.faint("\(specification.title) \(specification.revision)") + ", \(counted(request.octets.count))",
        ]
        let layout = characteristic.layout(of: request.octets.span, context: context)
        lines.append("")
        lines.append(contentsOf: table(request.octets, layout.records, layout.error, style))
        if let error = layout.error {
            lines.append("")
            lines.append(style.bad("malformed at offset \(error.offset): \(error.reason)"))
        }
        return (lines.joined(separator: "\n") + "\n", layout.error == nil ? .success : .malformedData)
    }

    private static func table(
        _ octets: [UInt8], _ records: [FieldRecord], _ error: MalformedValueError?, _ style: Style
    ) -> [String] {
        var rows = records.flatMap { record in
            let fieldOctets = octets[record.offset..<record.offset + record.count]
            return split(
                fieldOctets,
                Row(
                    offset: "", octets: "", name: record.name, format: record.format,
                    raw: RawFieldText.text(record, fieldOctets), meaning: sanitized(record.meaning, limit: 200)))
        }
        let end = records.last.map { $0.offset + $0.count } ?? 0
        if end < octets.count {
            rows += split(octets[end...], Row(meaning: error == nil ? "not announced, ignored" : "not read"))
        }
        let heading = Row(
            offset: "offset", octets: "octets", name: "field", format: "format", raw: "raw", meaning: "meaning")
        let columns: [KeyPath<Row, String>] = [\.octets, \.name, \.format, \.raw]
        let widths = columns.map { column in ([heading] + rows).map { $0[keyPath: column].count }.max() ?? 0 }
        return ([heading] + rows).map { row in
            let cells = zip(columns, widths).map { padded(row[keyPath: $0], $1) }
            let line =
                ([String(repeating: " ", count: max(0, 6 - row.offset.count)) + row.offset] + cells + [row.meaning])
                .joined(separator: "  ")
            let trimmed = String(line.reversed().drop { $0 == " " }.reversed())
            return row.offset == heading.offset || row.name.isEmpty ? style.faint(trimmed) : trimmed
        }
    }

    /// The rows of one field: the first one has all columns, the others the remaining octets.
    private static func split(_ octets: ArraySlice<UInt8>, _ first: Row) -> [Row] {
        let perRow = 8
        guard !octets.isEmpty else { return [first] }
        return stride(from: octets.startIndex, to: octets.endIndex, by: perRow).map { start in
            var row = start == octets.startIndex ? first : Row()
            row.offset = String(start)
            row.octets = Hexadecimal.text(octets[start..<min(start + perRow, octets.endIndex)])
            return row
        }
    }

    private struct Row {
        var offset = ""
        var octets = ""
        var name = ""
        var format = ""
        var raw = ""
        var meaning = ""
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func counted(_ count: Int) -> String {
        count == 1 ? "1 octet" : "\(count) octets"
    }

    /// Colours, or none.
    private struct Style {
        var isColored: Bool

        func strong(_ text: String) -> String { wrapped(text, "1") }
        func faint(_ text: String) -> String { wrapped(text, "2") }
        func bad(_ text: String) -> String { wrapped(text, "31") }

        private func wrapped(_ text: String, _ code: String) -> String {
            isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
        }
    }
}

/// The raw number in the octets of a field, in the notation that suits its format.
enum RawFieldText {
    /// The text, such as `0b00010110` for flags or `3650 x 10^-2` for a FLOAT; empty for texts, times and the like.
    static func text(_ record: FieldRecord, _ octets: ArraySlice<UInt8>) -> String {
        let word = octets.reversed().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        switch record.format {
        case "FLOAT":
            return decimal(MedicalFloat(bitPattern: UInt32(truncatingIfNeeded: word)).value, word)
        case "SFLOAT":
            return decimal(MedicalShortFloat(bitPattern: UInt16(truncatingIfNeeded: word)).value, word)
        case "sint8":
            return String(Int8(truncatingIfNeeded: word))
        case "sint16":
            return String(Int16(truncatingIfNeeded: word))
        case "uint8", "uint16", "uint24", "uint32", "uint40":
            guard isBitField(record.name) else { return String(word) }
            return octets.count == 1
                ? "0b" + digits(word, radix: 2, count: 8) : "0x" + digits(word, radix: 16, count: 2 * octets.count)
        default:
            return ""
        }
    }

    private static func decimal(_ number: MedicalNumber, _ word: UInt64) -> String {
        guard let decimal = number.decimal else { return "0x" + digits(word, radix: 16, count: 0) }
        return "\(decimal.mantissa) x 10^\(decimal.exponent)"
    }

    /// Whether the bits of a field are flags, according to its name.
    private static func isBitField(_ name: String) -> Bool {
        ["flags", "status", "features", "octet", "annunciation", "reason", "quality and state", "location", "health"]
            .contains { name.hasSuffix($0) } || name.hasPrefix("E2E-CRC")
    }

    private static func digits(_ number: UInt64, radix: Int, count: Int) -> String {
        let text = String(number, radix: radix, uppercase: true)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
