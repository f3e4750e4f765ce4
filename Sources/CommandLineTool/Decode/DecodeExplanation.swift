import VitalDecoders
import Vitals

/// Lays the octets of a request out for people, field by field.
enum DecodeExplanation {
    /// The explanation of one value, as lines of text with a line feed after each.
    ///
    /// - Parameters:
    ///   - request: The characteristic and the value.
    ///   - context: What is known about the sensor beside the octets.
    ///   - colors: Whether to use colours, for a terminal that shows them.
    /// - Returns: The text, and the exit status that it deserves when it is the only one.
    static func text(
        of request: DecodeRequest, context: DecodingContext, colors: Bool
    ) -> (text: String, status: ExitStatus) {
        let style = Style(isColored: colors)
        guard let characteristic = Characteristic.with(uuid: request.uuid) else {
            return (style.bad("There is no decoder for \(request.uuid).") + "\n", .unavailable)
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
        _ octets: [UInt8], _ records: [FieldRecord], _ error: MalformedValue?, _ style: Style
    ) -> [String] {
        var rows = records.map { record in
            Row(
                offset: record.offset, octets: Hexadecimal.text(octets[record.offset..<record.offset + record.count]),
                name: record.name, format: record.format, meaning: harmlessText(record.meaning, limit: 200))
        }
        let end = records.last.map { $0.offset + $0.count } ?? 0
        if end < octets.count {
            rows.append(
                Row(
                    offset: end, octets: Hexadecimal.text(octets[end...]), name: "", format: "",
                    meaning: error == nil ? "not announced, ignored" : "not read"))
        }
        let heading = Row(offset: nil, octets: "octets", name: "field", format: "format", meaning: "meaning")
        let all = [heading] + rows
        // Long texts and lists of octets do not push the other columns off the screen.
        let octetsWidth = min(all.map(\.octets.count).max() ?? 0, 24)
        let nameWidth = all.map(\.name.count).max() ?? 0
        let formatWidth = all.map(\.format.count).max() ?? 0
        return all.map { row in
            let cells = [
                padded(row.octets, octetsWidth), padded(row.name, nameWidth), padded(row.format, formatWidth),
                row.meaning,
            ]
            let offset = row.offset.map(String.init) ?? "offset"
            let line = ([String(repeating: " ", count: max(0, 6 - offset.count)) + offset] + cells).joined(
                separator: "  ")
            let trimmed = String(line.reversed().drop { $0 == " " }.reversed())
            return row.offset == nil || row.name.isEmpty ? style.faint(trimmed) : trimmed
        }
    }

    private struct Row {
        var offset: Int?
        var octets: String
        var name: String
        var format: String
        var meaning: String
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
