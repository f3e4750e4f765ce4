import Monitoring
import Base
import Vitals

extension PatientReport {
    /// The report as text: the answers first, then each day, then the fevers and the record.
    public func text() -> String {
        var lines: [String] = []
        if isSimulated { lines.append("SIMULATED SENSORS") }
        if let patient { lines.append("Patient: \(patient.text)") }
        lines.append("From \(minute(overview.range.lowerBound)) to \(minute(now.wallMilliseconds)), \(zoneText)")
        lines += answers.map { sanitized("\($0.question): \($0.answer)", limit: 1000) }
        var writer = HistoryText(offset: offset)
        let tables = [dayTable, feverTable, writer.table(overview.entries) { self.text(of: $0) }]
        return ([lines.joined(separator: "\n") + "\n"] + tables.filter { !$0.isEmpty }).joined(separator: "\n")
    }

    private var dayTable: String {
        HistoryText.table(
            ["Day", "Vital", "Lowest", "Median", "Highest", "Unit", "Measured", "Outside limits"],
            rightAligned: [2, 3, 4, 6, 7],
            overview.days.flatMap { day in
                day.vitals.map { figures in
                    [date(day), figures.vital.text] + numbers(of: figures)
                }
            })
    }

    /// Lowest, median, highest, unit, measured, outside.
    func numbers(of figures: VitalDay) -> [String] {
        [
            digits(figures.minimum, of: figures.vital), digits(figures.median, of: figures.vital),
            digits(figures.maximum, of: figures.vital), unit(of: figures.vital),
            figures.coveredPercent.map { "\($0) %" } ?? "-",
            figures.outside.map { HistoryText.length($0) } ?? "-",
        ]
    }

    private var feverTable: String {
        HistoryText.table(["Fever"], rightAligned: [], overview.fevers.map { [text(of: $0)] })
    }
}

extension WatchEncoder {
    /// Writes the lines of a report: its record, its days, its fevers.
    public mutating func write(_ report: PatientReport) {
        for entry in report.overview.earlier + report.overview.entries { write(entry) }
        for day in report.overview.days { for figures in day.vitals { write(figures, of: day) } }
        for fever in report.overview.fevers { write(fever) }
    }

    private mutating func write(_ figures: VitalDay, of day: PatientOverview.Day) {
        begin("summary", milliseconds: day.range.lowerBound, nil)
        text("by", "day")
        wallTime("from", milliseconds: day.range.lowerBound)
        wallTime("to", milliseconds: day.range.lowerBound.addingSaturated(figures.length))
        writeFigures(
            figures.vital, count: figures.count,
            values: (figures.minimum, figures.median, figures.maximum), isOfSums: figures.isOfSums,
            coveredPercent: figures.coveredPercent, covered: figures.covered, outside: figures.outside)
        end()
    }

    private mutating func write(_ fever: FeverEpisode) {
        begin("fever", milliseconds: fever.start, nil)
        wallTime("from", milliseconds: fever.start)
        if let end = fever.end { wallTime("to", milliseconds: end) }
        let state =
            switch fever.ending {
            case .ended: "ended"
            case .interrupted: "interrupted"
            case .open: "open"
            }
        text("state", state)
        if let highest = fever.highest {
            json.key("maximum")
            json.hundredths(highest.hundredths)
            text("unit", Vital.bodyTemperature.unit)
        }
        end()
    }
}
