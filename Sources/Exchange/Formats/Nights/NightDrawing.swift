import Nights
import Wording

/// The chart of an oximeter's night, as SVG in black and white.
struct NightDrawing {
    private let part: PatientNight.Part
    private let text: NightText
    private let columns: NightColumns

    private typealias Pen = ReportDrawing
    /// The tops and heights of the two plots, and of what is between them.
    private static let top = 8.0, height = 150.0, pulseHeight = 60.0, between = 30.0

    init(_ part: PatientNight.Part, _ text: NightText) {
        (self.part, self.text) = (part, text)
        columns = NightColumns(part, count: Int(Pen.right - Pen.left))
    }

    /// The figure; empty without any saturation.
    func figure(_ title: String) -> String {
        guard let range = columns.saturations else { return "" }
        let bottom = min(86, Int(range.lowerBound) / 2 * 2)
        let plot = Plot(top: Self.top, height: Self.height, range: bottom...100)
        var svg = hatching(plot) + hours(plot) + axis(plot, step: bottom < 80 ? 5 : 2)
        for limit in [90, 88] {
            svg += Pen.line(Pen.left, plot.y(limit), Pen.right, plot.y(limit), "#000", 0.8, dashes: "5 3")
            svg += Pen.text("\(limit) %", Pen.right + 4, plot.y(limit) + 3.5, "start")
        }
        svg += curve(plot) { $0.saturation.map { Int($0.lowerBound)...Int($0.upperBound) } }
        svg += falls(plot)
        var end = plot.bottom + Self.between
        if let pulses = columns.pulses {
            let low = Int(pulses.lowerBound) / 10 * 10
            let pulse = Plot(
                top: end, height: Self.pulseHeight, range: low...(Int(pulses.upperBound) / 10 + 1) * 10)
            svg += hours(pulse) + axis(pulse, step: pulse.range.count > 60 ? 40 : 20)
            svg += curve(pulse) { $0.pulse.map { Int($0.lowerBound)...Int($0.upperBound) } }
            svg += Pen.text("pulse", Pen.left - 34, pulse.top + Self.pulseHeight / 2, "end")
            end = pulse.bottom + 14
        }
        svg += labels(end)
        return Pen.figure(title, height: end + 6, svg)
    }

    private struct Plot {
        var top, height: Double
        var range: ClosedRange<Int>
        var bottom: Double { top + height }

        func y(_ value: Int) -> Double {
            let bounded = min(max(value, range.lowerBound), range.upperBound)
            return bottom - Double(bounded - range.lowerBound) / Double(max(1, range.count - 1)) * height
        }
    }

    private func x(ofColumn column: Int) -> Double { Pen.left + Double(column) }

    /// What is left out is grey over the whole height.
    private func hatching(_ plot: Plot) -> String {
        var svg = ""
        var start: Int?
        for column in 0...columns.columns.count {
            let isOut = column < columns.columns.count && columns.columns[column].exclusion != nil
            if isOut, start == nil { start = column }
            guard !isOut, let first = start else { continue }
            svg += Pen.rectangle(
                x(ofColumn: first), plot.top, Double(column - first), plot.height, fill: "#ddd", stroke: "none")
            start = nil
        }
        return svg
    }

    /// A line from the lowest to the highest value of each column, joined to its neighbour.
    private func curve(_ plot: Plot, _ values: (NightColumns.Column) -> ClosedRange<Int>?) -> String {
        var path = ""
        var last: ClosedRange<Int>?
        for (column, content) in columns.columns.enumerated() {
            guard let range = values(content) else {
                last = nil
                continue
            }
            // The nearer end first, so that the line never crosses itself.
            let isDown = last.map { $0.upperBound > range.upperBound } ?? true
            let (first, second) =
                isDown ? (range.upperBound, range.lowerBound) : (range.lowerBound, range.upperBound)
            let place = Pen.number(x(ofColumn: column))
            path += "\(last == nil ? "M" : "L")\(place) \(Pen.number(plot.y(first)))"
            if first != second { path += "V\(Pen.number(plot.y(second)))" }
            // A single column has no length, but a dot is seen.
            if last == nil, first == second { path += "h0.5" }
            last = range
        }
        return path.isEmpty ? "" : "<path d=\"\(path)\" fill=\"none\" stroke=\"#000\" stroke-width=\"0.8\"/>\n"
    }

    /// A mark below each fall; a longer one from 4 % on.
    private func falls(_ plot: Plot) -> String {
        columns.columns.enumerated().map { column, content in
            guard content.fall > 0 else { return "" }
            let length = content.fall >= 4 ? 9.0 : 5.0
            let (x, top) = (x(ofColumn: column), plot.bottom + 2)
            return Pen.line(x, top, x, top + length, "#000", 1)
        }
        .joined()
    }

    private func axis(_ plot: Plot, step: Int) -> String {
        let first = (plot.range.lowerBound + step - 1) / step * step
        return Pen.rectangle(Pen.left, plot.top, Pen.right - Pen.left, plot.height, fill: "none")
            + stride(from: first, through: plot.range.upperBound, by: step).map { value in
                Pen.line(Pen.left - 3, plot.y(value), Pen.left, plot.y(value), "#000", 1)
                    + Pen.text("\(value)", Pen.left - 5, plot.y(value) + 3.5, "end")
            }
            .joined()
    }

    private func hours(_ plot: Plot) -> String {
        text.hours(in: columns.range).compactMap { columns.column(of: $0) }.map { column in
            Pen.line(x(ofColumn: column), plot.top, x(ofColumn: column), plot.bottom, "#bbb", 0.5)
        }
        .joined()
    }

    private func labels(_ y: Double) -> String {
        var free = 0
        return text.hours(in: columns.range).compactMap { hour -> String? in
            guard let column = columns.column(of: hour), column >= free else { return nil }
            free = column + 36
            return Pen.text(text.clock(hour), x(ofColumn: column), y, "middle")
        }
        .joined()
    }
}

extension PatientReport {
    /// The last night: each oximeter's picture, figures and falls; empty without a night.
    var nightHTML: String {
        guard let night else { return "" }
        let text = NightText { self.offset($0) }
        return "<h2>\(HTMLText.escaped(text.title(of: night.window).capitalizedFirst))</h2>\n"
            + night.parts.map { html(of: $0, text) }.joined()
            + "<p class=\"small\">\(HTMLText.escaped(([Self.pictureNote] + NightText.notes).joined(separator: " ")))</p>\n"
    }

    private static let pictureNote =
        "In the picture, grey is left out, and the strokes below the saturation are falls, the longer ones of 4 % or more."

    /// The most falls of a table; a severe night would fill pages.
    private static let mostFalls = 100

    private func html(of part: PatientNight.Part, _ text: NightText) -> String {
        let title = "\(HistoryText.name(of: part.course.sensor)) (\(text.sources(of: part.course)))"
        let figures = text.figures(of: part).map {
            "<dt>\(HTMLText.escaped($0.name))</dt><dd>\(HTMLText.escaped($0.value))</dd>\n"
        }
        let falls = part.evaluation.falls
        let rows = falls.prefix(Self.mostFalls).map { text.row(of: $0, in: part) }
        let more = falls.count - rows.count
        return NightDrawing(part, text).figure("Oxygen saturation in %, \(title)")
            + "<dl>\n\(figures.joined())</dl>\n"
            + (rows.isEmpty ? "" : HTMLText.table(NightText.fallTitles, numbers: [1, 2, 3, 4], times: [0, 5], rows))
            + (more > 0 ? "<p class=\"small\">And \(more) more; bedside night prints all.</p>\n" : "")
    }
}
