import Monitoring
import Vitals

/// What a doctor asks about the last days: each vital day by day, and the record beside it.
public struct PatientReport: Sendable {
    /// The days, in milliseconds since 1970 (UTC).
    public var range: Range<Int64>
    /// Whom it is about; `nil` for the patient that has no name.
    public var patient: PatientName?
    /// Whether the data are those of simulated sensors.
    public var isSimulated: Bool
    /// A summary for each day, vital and sensor.
    public var summaries: [ReadingSummary]
    /// The record of the days, in the order of measurement.
    public var entries: [RecordedEntry]
    /// When it is made.
    public var now: Moment

    public init(
        range: Range<Int64>, patient: PatientName?, isSimulated: Bool, summaries: [ReadingSummary] = [],
        entries: [RecordedEntry] = [], now: Moment
    ) {
        self.range = range
        self.patient = patient
        self.isSimulated = isSimulated
        self.summaries = summaries
        self.entries = entries
        self.now = now
    }

    /// Whether there is nothing to report.
    public var isEmpty: Bool { summaries.isEmpty && entries.isEmpty }

    /// The entries that hold.
    var valid: [RecordEntry] { entries.map(\.entry).filter { !$0.isRetracted } }

    /// The highest body temperature, by a sensor or by hand; skin temperatures are none.
    var highestTemperature: VitalValue? {
        let measured = summaries.filter { $0.vital == .bodyTemperature }.compactMap(\.maximum)
        let typed = valid.compactMap { entry -> VitalValue? in
            guard let sample = entry.sample(of: .bodyTemperature), sample.site != .skin else { return nil }
            return sample.value
        }
        return (measured + typed).max()
    }

    /// The newest neutrophil count.
    var neutrophils: NeutrophilCount? { valid.last { $0.neutrophilCount != nil }?.neutrophilCount }

    /// The newest risk index, with its time.
    var riskIndex: (index: MASCCIndex, at: Moment)? {
        for entry in valid.reversed() { if case .mascc(let index) = entry.content { return (index, entry.taken) } }
        return nil
    }
}

extension HistoryText {
    /// A report as text: the answers first, then each day, then the record.
    public mutating func report(_ report: PatientReport, unit: TemperatureText) -> String {
        var lines: [String] = []
        if report.isSimulated { lines.append("SIMULATED SENSORS") }
        if let patient = report.patient { lines.append("Patient: \(patient.text)") }
        lines.append("From \(minute(report.range.lowerBound)) to \(minute(report.range.upperBound - 1))")
        lines.append("Highest temperature: \(report.highestTemperature.map { unit.text($0) } ?? "not measured")")
        if let count = report.neutrophils {
            let taken = minute(count.sampledAt)
            let grade = NeutropeniaGrade(perMicrolitre: count.perMicrolitre).text
            let age = count.isValid(at: report.now) ? grade : "older than 7 days, so unknown now"
            lines.append("Neutrophils: \(count.perMicrolitre)/µL of \(taken), \(age)")
        } else {
            lines.append("Neutrophils: unknown")
        }
        if let (index, moment) = report.riskIndex {
            lines.append("\(index.text), of \(minute(moment.wallMilliseconds))")
        }
        let tables = [days(report.summaries, unit), table(report.entries)].filter { !$0.isEmpty }
        return ([lines.joined(separator: "\n") + "\n"] + tables).joined(separator: "\n")
    }

    private mutating func days(_ summaries: [ReadingSummary], _ unit: TemperatureText) -> String {
        Self.table(
            ["Day", "Vital", "Sensor", "Lowest", "Median", "Highest", "Unit", "Measured", "Outside limits"],
            rightAligned: [3, 4, 5, 7, 8],
            summaries.map { summary in
                func value(_ value: VitalValue?) -> String {
                    value.map { summary.vital.isTemperature ? unit.number($0) : $0.text(of: summary.vital) } ?? "-"
                }
                return [
                    String(minute(summary.from).prefix(10)), summary.vital.text, Self.name(of: summary.sensor),
                    value(summary.minimum), value(summary.median), value(summary.maximum),
                    summary.vital.isTemperature ? unit.sign : summary.vital.unitText,
                    summary.isOfSums ? "-" : "\(summary.coveredPercent) %",
                    summary.outside.map { Self.length($0) } ?? "-",
                ]
            })
    }
}

/// Temperatures in the unit of a report.
public struct TemperatureText: Sendable {
    private let isFahrenheit: Bool

    public init(isFahrenheit: Bool) {
        self.isFahrenheit = isFahrenheit
    }

    /// The unit's sign.
    var sign: String { isFahrenheit ? "°F" : "°C" }

    /// The number alone.
    func number(_ value: VitalValue) -> String {
        (isFahrenheit ? VitalValue(hundredths: value.fahrenheitHundredths) : value).decimalText
    }

    /// The number with its unit.
    func text(_ value: VitalValue) -> String { "\(number(value)) \(sign)" }
}
