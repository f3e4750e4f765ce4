import Base
import Monitoring
import Vitals

extension PatientReport {
    /// The report as one page of HTML to hand over: no script, embedded pictures, in black and white on A4.
    public func html() -> String {
        let subject = patient.map { "Patient \($0.text)" } ?? "Patient without a name"
        let count = overview.days.count
        let title = "\(subject): the last \(count == 1 ? "day" : "\(count) days")"
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <meta name="viewport" content="width=device-width">
            <title>\(HTMLText.escaped(title))</title>
            <style>
            \(Self.style)</style>
            </head>
            <body>
            \(header(title))\(answerList)\(pictures)\(dayTableHTML)\(nightHTML)\(feverList)\(recordTable)\(footer)</body>
            </html>

            """
    }

    private static let style = """
        @page { size: A4; margin: 12mm; }
        body { font: 10pt/1.35 "DejaVu Sans", Arial, sans-serif; color: #000; background: #fff; max-width: 186mm;
          margin: 0 auto; padding: 4mm; }
        @media print { body { padding: 0; } }
        h1 { font-size: 14pt; margin: 0 0 2mm; }
        h2 { font-size: 11pt; margin: 5mm 0 1mm; break-after: avoid; }
        p { margin: 1mm 0; }
        .warning { border: 2px solid #000; padding: 1mm 2mm; font-weight: bold; }
        dl { display: grid; grid-template-columns: 46mm 1fr; border-top: 1px solid #000; margin: 2mm 0; }
        dt, dd { margin: 0; padding: 0.7mm 0; border-bottom: 1px solid #bbb; overflow-wrap: anywhere; }
        dt { font-weight: bold; }
        figure { margin: 2mm 0 0; break-inside: avoid; }
        figcaption { font-weight: bold; }
        svg { display: block; width: 100%; height: auto; }
        svg.definitions { position: absolute; width: 0; height: 0; }
        svg text { font: 10px "DejaVu Sans", Arial, sans-serif; fill: #000; }
        table { border-collapse: collapse; width: 100%; font-size: 8.5pt; }
        th, td { text-align: left; vertical-align: top; padding: 0.3mm 1.5mm; border-bottom: 1px solid #bbb; }
        td { overflow-wrap: anywhere; }
        th { border-bottom: 1px solid #000; }
        tr { break-inside: avoid; }
        .number { text-align: right; white-space: nowrap; }
        .time { white-space: nowrap; }
        .small { font-size: 8.5pt; }

        """

    private func header(_ title: String) -> String {
        let warning = isSimulated ? paragraph("SIMULATED SENSORS: these are not the data of a person.", "warning") : ""
        let range = "From \(minute(overview.range.lowerBound)) to \(minute(now.wallMilliseconds)), \(zoneText)."
        let made = "Made by Bedside \(Product.version) at \(minute(now.wallMilliseconds)). \(Product.disclaimer)"
        return "<h1>\(HTMLText.escaped(title))</h1>\n" + warning + paragraph(range) + paragraph(made, "small")
    }

    private func paragraph(_ text: String, _ style: String? = nil) -> String {
        "<p\(style.map { " class=\"\($0)\"" } ?? "")>\(HTMLText.escaped(text))</p>\n"
    }

    private var answerList: String {
        let rows = answers.map {
            "<dt>\(HTMLText.escaped($0.question))</dt><dd>\(HTMLText.escaped($0.answer))</dd>\n"
        }
        return "<dl>\n\(rows.joined())</dl>\n"
    }

    private var pictures: String {
        let drawing = ReportDrawing(self)
        let explanation = """
            Bar: from the lowest to the highest value of the day; thick line: the median; dashed: limits, and where fever \
            begins; hatched: fever. Below each day: the filled part of the strip is how much of the day was measured, \
            then how long the value was outside the limits. Entered values count, but measure no time.
            """
        return "<h2>Day by day</h2>\n" + drawing.figures() + paragraph(explanation, "small")
    }

    private var dayTableHTML: String {
        let rows = overview.days.flatMap { day in
            day.vitals.map { [date(day), $0.vital.text] + numbers(of: $0) }
        }
        guard !rows.isEmpty else { return paragraph("No vital was measured in these days.") }
        return "<h2>Figures</h2>\n"
            + HTMLText.table(
                ["Day", "Vital", "Lowest", "Median", "Highest", "Unit", "Measured", "Outside limits"],
                numbers: [2, 3, 4, 6, 7], rows)
    }

    private var feverList: String {
        guard !overview.fevers.isEmpty else { return "" }
        let items = overview.fevers.map { "<li>\(HTMLText.escaped(text(of: $0)))</li>\n" }
        return "<h2>Fevers</h2>\n<ul>\n\(items.joined())</ul>\n"
    }

    private var recordTable: String {
        guard !overview.entries.isEmpty else { return paragraph("Nothing was entered in these days.") }
        let rows = overview.entries.map { recorded in
            let entry = recorded.entry
            let time = entry.facts.isTimeKnown ? minute(entry.taken.wallMilliseconds) : RecordEntry.unknownTime
            return [
                time, text(of: entry), HistoryText.author(of: entry), minute(entry.enteredAt.wallMilliseconds),
                fate(of: entry),
            ]
        }
        return "<h2>Record</h2>\n"
            + HTMLText.table(["Measured", "What", "Entered by", "Entered", "Remark"], times: [0, 3], rows)
    }

    private var footer: String {
        paragraph(
            "Days are those of the local time. Neutrophil counts older than seven days count as unknown. \(Self.riskNote)",
            "small")
    }
}

/// Text within an HTML document.
enum HTMLText {
    /// The text, escaped for element content and quoted attributes.
    static func escaped(_ text: String) -> String {
        var result = ""
        // Control and bidirectional characters could reorder the text beside them.
        for character in sanitized(text, limit: 1000) {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.append(character)
            }
        }
        return result
    }

    /// A table; every cell is escaped.
    ///
    /// - Parameters:
    ///   - titles: The titles of the columns.
    ///   - numbers: The columns of numbers, which are right-aligned.
    ///   - times: The columns of times, which are not broken.
    ///   - rows: The cells.
    static func table(
        _ titles: [String], numbers: Set<Int> = [], times: Set<Int> = [], _ rows: [[String]]
    ) -> String {
        func row(_ cells: [String], _ tag: String) -> String {
            let cells = cells.enumerated().map { column, text in
                let name = numbers.contains(column) ? "number" : times.contains(column) ? "time" : ""
                return "<\(tag)\(name.isEmpty ? "" : " class=\"\(name)\"")>\(escaped(text))</\(tag)>"
            }
            return "<tr>\(cells.joined())</tr>\n"
        }
        let head = "<thead>\n\(row(titles, "th"))</thead>\n"
        return "<table>\n\(head)<tbody>\n\(rows.map { row($0, "td") }.joined())</tbody>\n</table>\n"
    }
}
