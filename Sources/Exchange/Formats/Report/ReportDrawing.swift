import Glibc
import Monitoring
import Vitals

/// The charts of a report, as SVG in black and white, below each other on one axis of days.
struct ReportDrawing {
    private let report: PatientReport
    private var overview: PatientOverview { report.overview }

    /// The width, and the edges of the plots, in CSS pixels.
    static let width = 760.0, left = 64.0, right = 716.0
    private static let strip = 6.0

    init(_ report: PatientReport) {
        self.report = report
    }

    /// All charts: each vital, the neutrophils, medication and symptoms.
    func figures() -> String {
        Self.hatching + overview.vitals.map(vitalFigure).joined() + neutrophilFigure() + markFigure()
    }

    // MARK: The axis of days

    private var dayWidth: Double { (Self.right - Self.left) / Double(max(1, overview.days.count)) }

    /// The x of a time; `nil` outside of the days.
    private func x(of wall: Int64) -> Double? { overview.place(of: wall).map { Self.left + $0 * dayWidth } }

    private func start(ofDay index: Int) -> Double { Self.left + Double(index) * dayWidth }

    /// Days and their dates; as many dates as are readable.
    private func dayAxis(plot: Plot, dates y: Double) -> String {
        let step = max(1, (overview.days.count + 13) / 14)
        var svg = ""
        for (index, day) in overview.days.enumerated() where index % step == 0 {
            svg += Self.line(start(ofDay: index), plot.top, start(ofDay: index), plot.bottom, "#bbb", 0.5)
            let date = String(report.date(day).dropFirst(5))
            svg += Self.text(date, start(ofDay: index) + dayWidth * Double(step) / 2, y, "middle")
        }
        return svg + Self.rectangle(Self.left, plot.top, Self.right - Self.left, plot.height, fill: "none")
    }

    /// Hatches the fevers.
    private func fevers(plot: Plot) -> String {
        overview.fevers.map { fever in
            let range = overview.range
            let start = max(fever.start, range.lowerBound)
            let end = min(fever.end ?? report.now.wallMilliseconds, range.upperBound - 1)
            guard let from = x(of: start), let to = x(of: max(start, end)) else { return "" }
            return Self.rectangle(
                from, plot.top, max(2, to - from), plot.height, fill: "url(#fever)", stroke: "none")
        }.joined()
    }

    /// The hatching, which all charts refer to.
    private static let hatching = """
        <svg class="definitions" aria-hidden="true"><defs><pattern id="fever" width="6" height="6" patternUnits="userSpaceOnUse">\
        <path d="M0 6L6 0" stroke="#777" stroke-width="1.2"/></pattern></defs></svg>

        """

    static func figure(_ title: String, height: Double, _ content: String) -> String {
        let label = HTMLText.escaped(title)
        return """
            <figure>
            <figcaption>\(label)</figcaption>
            <svg viewBox="0 0 \(number(width)) \(number(height))" role="img" aria-label="\(label)">
            \(content)</svg>
            </figure>

            """
    }

    // MARK: Vitals

    private func vitalFigure(of vital: Vital) -> String {
        let references = report.settings.referenceLines(of: vital)
        let figures = overview.days.map { $0[vital] }
        let known = figures.flatMap { [$0?.minimum, $0?.maximum] }.compactMap(\.self) + references
        func shown(_ value: VitalValue) -> Int { report.values.shownHundredths(value, of: vital) }
        let scale = ReportScale(fitting: known.map(shown))
        let plot = Plot(top: 8, height: 84, scale: scale)
        let (stripTop, outside, dates) = (plot.bottom + 8, plot.bottom + 25, plot.bottom + 37)
        var svg = fevers(plot: plot) + axis(plot) + dayAxis(plot: plot, dates: dates)
        svg += referenceLines(
            references.map { (plot.y(shown($0)), report.values.limit($0, of: vital)) })
        svg +=
            Self.text("measured", Self.left - 4, stripTop + 7, "end")
            + Self.text("outside", Self.left - 4, outside, "end")
        for (index, figures) in figures.enumerated() {
            let isRoomy = dayWidth >= 30
            svg += coverage(figures, day: index, top: stripTop)
            guard let figures, let minimum = figures.minimum, let maximum = figures.maximum else { continue }
            let (low, high) = (plot.y(shown(minimum)), plot.y(shown(maximum)))
            let (start, wide) = (start(ofDay: index) + dayWidth * 0.3, dayWidth * 0.4)
            svg += Self.rectangle(start, high, wide, max(1, low - high), fill: "#ccc")
            if let median = figures.median {
                let y = plot.y(shown(median))
                svg += Self.line(start - dayWidth * 0.1, y, start + wide + dayWidth * 0.1, y, "#000", 3)
            }
            if isRoomy, let time = figures.outside, time > 0 {
                svg += Self.text(Self.short(time), start + wide / 2, outside, "middle")
            }
        }
        return Self.figure(
            "\(vital.text.prefix(1).uppercased() + vital.text.dropFirst()), \(report.unit(of: vital))",
            height: dates + 4, svg)
    }

    /// The measured share of a day, as a strip that is filled from the left.
    private func coverage(_ figures: VitalDay?, day: Int, top: Double) -> String {
        let (start, wide) = (start(ofDay: day) + 1, max(1, dayWidth - 2))
        let outline = Self.rectangle(start, top, wide, Self.strip, fill: "#fff")
        guard let percent = figures?.coveredPercent else {
            return outline + (figures == nil ? "" : Self.text("?", start + wide / 2, top + Self.strip + 1, "middle"))
        }
        return outline + Self.rectangle(start, top, wide * Double(percent) / 100, Self.strip, fill: "#000")
    }

    /// A length of time in its largest unit: "12 min", "3 h".
    private static func short(_ milliseconds: Int64) -> String {
        let minutes = milliseconds / 60_000
        return minutes < 1 ? "< 1 min" : minutes < 120 ? "\(minutes) min" : "\(minutes / 60) h"
    }

    private func axis(_ plot: Plot) -> String {
        plot.scale.ticks.map { tick in
            let y = plot.y(tick.value)
            return Self.line(Self.left - 3, y, Self.left, y, "#000", 1)
                + Self.text(tick.label, Self.left - 5, y + 3.5, "end")
        }.joined()
    }

    /// Lines across all days, the lowest first; labels that would overlap move up.
    private func referenceLines(_ lines: [(y: Double, label: String)]) -> String {
        var (svg, lowest) = ("", Double.infinity)
        for (y, label) in lines {
            lowest = min(y + 3.5, lowest - 10)
            svg += Self.line(Self.left, y, Self.right, y, "#000", 1, dashes: "5 3")
            svg += Self.text(label, Self.right + 4, lowest, "start")
        }
        return svg
    }

    // MARK: Neutrophils

    /// The neutrophil counts on an axis of powers of ten, with the lines of severe and profound neutropenia.
    private func neutrophilFigure() -> String {
        let counts = overview.valid.compactMap(\.neutrophilCount).filter { x(of: $0.sampledAt) != nil }
        guard !counts.isEmpty else { return "" }
        let plot = Plot(top: 8, height: 84, scale: ReportScale(ofPowers: 1...5))
        let dates = plot.bottom + 13
        var svg = fevers(plot: plot) + axis(plot) + dayAxis(plot: plot, dates: dates)
        svg += referenceLines([100, 500].map { (plot.y(ReportScale.power($0)), "\($0)") })
        for count in counts {
            guard let x = x(of: count.sampledAt) else { continue }
            let y = plot.y(ReportScale.power(count.perMicrolitre))
            svg += "<circle cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"3.5\"/>\n"
            let isLate = x > Self.right - 60
            svg += Self.text("\(count.perMicrolitre)", isLate ? x - 6 : x + 6, y - 4, isLate ? "end" : "start")
        }
        return Self.figure(
            "Neutrophils (ANC), per µL; below 500 severe, below 100 profound neutropenia", height: dates + 4, svg)
    }

    // MARK: Medication and symptoms

    private func markFigure() -> String {
        var marks: [(lane: Int, x: Double, svg: (Double, Double) -> String)] = []
        for entry in overview.valid {
            guard let x = x(of: entry.taken.wallMilliseconds) else { continue }
            switch entry.content {
            case .medication(let medication):
                marks.append(
                    (medication.isAntipyretic ? 0 : 1, x, { Self.triangle($0, $1, isFilled: medication.isAntipyretic) })
                )
            case .symptom(let rating): marks.append((2, x, { Self.text("\(rating.severity)", $0, $1 + 4, "middle") }))
            default: break
            }
        }
        guard !marks.isEmpty else { return "" }
        let plot = Plot(top: 8, height: 54, scale: ReportScale(ofPowers: 1...5))
        let dates = plot.bottom + 13
        var svg = fevers(plot: plot) + dayAxis(plot: plot, dates: dates)
        for (lane, name) in ["fever ▲", "other △", "symptom"].enumerated() {
            svg += Self.text(name, Self.left - 4, plot.top + 9 + Double(lane) * 18 + 4, "end")
        }
        for mark in marks { svg += mark.svg(mark.x, plot.top + 9 + Double(mark.lane) * 18) }
        return Self.figure(
            "Antipyretics (▲), other medication (△), symptoms rated from 0 to 10", height: dates + 4, svg)
    }

    private static func triangle(_ x: Double, _ y: Double, isFilled: Bool) -> String {
        "<path d=\"M\(number(x - 5)) \(number(y + 5))L\(number(x)) \(number(y - 5))L\(number(x + 5)) \(number(y + 5))Z\" "
            + "fill=\"\(isFilled ? "#000" : "#fff")\" stroke=\"#000\"/>\n"
    }
}

// MARK: Shapes

extension ReportDrawing {
    /// The area within the axes.
    struct Plot {
        var top, height: Double
        var scale: ReportScale

        var bottom: Double { top + height }

        func y(_ value: Int) -> Double { bottom - scale.share(of: value) * height }
    }

    static func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ color: String, _ width: Double, dashes: String? = nil
    ) -> String {
        let dashes = dashes.map { " stroke-dasharray=\"\($0)\"" } ?? ""
        return "<path d=\"M\(number(x1)) \(number(y1))L\(number(x2)) \(number(y2))\" stroke=\"\(color)\" "
            + "stroke-width=\"\(number(width))\"\(dashes)/>\n"
    }

    static func rectangle(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, fill: String, stroke: String = "#000"
    ) -> String {
        "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(height))\" "
            + "fill=\"\(fill)\" stroke=\"\(stroke)\" stroke-width=\"0.8\"/>\n"
    }

    static func text(_ text: String, _ x: Double, _ y: Double, _ anchor: String) -> String {
        "<text x=\"\(number(x))\" y=\"\(number(y))\" text-anchor=\"\(anchor)\">\(HTMLText.escaped(text))</text>\n"
    }

    /// A number with at most one decimal.
    static func number(_ value: Double) -> String {
        let tenths = Int((min(max(value, -10_000), 10_000) * 10).rounded())
        let digits = "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10)"
        return tenths % 10 == 0 ? digits : "\(digits).\(abs(tenths) % 10)"
    }
}

/// The vertical axis of a picture.
struct ReportScale: Hashable {
    /// The values at the lower and the upper edge.
    let range: ClosedRange<Int>
    /// The labelled values, from the lowest.
    let ticks: [Tick]

    /// A value with its number.
    struct Tick: Hashable {
        var value: Int
        var label: String
    }

    /// A scale of hundredths in round steps, with at most six numbers, that includes all values.
    init(fitting values: [Int]) {
        // Hostile values must not overflow.
        let bounded = values.map { min(max($0, -1_000_000), 1_000_000) }
        let (low, high) = (bounded.min() ?? 0, bounded.max() ?? 100)
        let step = Self.steps.first { (high - low) / $0 < 4 } ?? 500_000
        let lower = low - (low % step + step) % step
        let upper = max(lower + step, high + (step - (high % step + step) % step) % step)
        range = lower...upper
        ticks = stride(from: lower, through: upper, by: step).map { Tick(value: $0, label: Self.label($0)) }
    }

    /// A logarithmic scale of powers of ten.
    init(ofPowers powers: ClosedRange<Int>) {
        range = powers.lowerBound * 1000...powers.upperBound * 1000
        ticks = powers.map { power in
            Tick(value: power * 1000, label: "1" + String(repeating: "0", count: power))
        }
    }

    /// The position of a whole number on a logarithmic scale.
    static func power(_ number: Int) -> Int { Int((log10(Double(max(1, number))) * 1000).rounded()) }

    private static let steps = [
        50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000,
    ]

    /// The position of a value, from 0 at the lower edge to 1; a value beyond is at the edge.
    func share(of value: Int) -> Double {
        let bounded = min(max(value, range.lowerBound), range.upperBound)
        return Double(bounded - range.lowerBound) / Double(max(1, range.upperBound - range.lowerBound))
    }

    /// A number of hundredths as a label.
    private static func label(_ hundredths: Int) -> String {
        let (whole, rest) = (abs(hundredths) / 100, abs(hundredths) % 100)
        let sign = hundredths < 0 ? "-" : ""
        return rest == 0 ? "\(sign)\(whole)" : "\(sign)\(whole).\(rest / 10)"
    }
}
