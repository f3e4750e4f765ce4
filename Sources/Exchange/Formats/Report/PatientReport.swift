import Monitoring
import Base
import Nights
import Vitals

/// A summary of the last days for a doctor: each vital day by day, and the record beside it.
public struct PatientReport: Sendable {
    /// The days.
    public var overview: PatientOverview
    /// The last night of an oximeter in these days; `nil` without one.
    public var night: PatientNight?
    /// The patient; `nil` for the patient without a name.
    public var patient: PatientName?
    /// Whether the data are those of simulated sensors.
    public var isSimulated: Bool
    /// The time of the report.
    public var now: Moment
    /// The local time of the days.
    public var zone: LocalTimeZone
    /// The name of the present local time, such as `CET`; may be empty.
    public var zoneName: String
    /// Values in the user's units.
    public var values: ValueText
    /// The limits for reference lines, which rounding must not cross.
    public var settings: MonitorSettings

    public init(
        _ overview: PatientOverview, patient: PatientName?, isSimulated: Bool, now: Moment, zone: LocalTimeZone,
        zoneName: String = "", values: ValueText = ValueText(), settings: MonitorSettings = MonitorSettings()
    ) {
        self.overview = overview
        self.patient = patient
        self.isSimulated = isSimulated
        self.now = now
        self.zone = zone
        self.zoneName = zoneName
        self.values = values
        self.settings = settings
    }

    /// Whether there is nothing to report.
    public var isEmpty: Bool { overview.isEmpty && night == nil }

    // MARK: Texts

    /// The digits of a value; `-` for none.
    func digits(_ value: VitalValue?, of vital: Vital) -> String {
        value.map { values.digits($0, of: vital, limits: settings.referenceLines(of: vital)) } ?? "-"
    }

    /// The unit of a vital's digits.
    func unit(of vital: Vital) -> String {
        if vital.isTemperature { return values.isFahrenheit ? "°F" : "°C" }
        return vital == .glucose && values.isMolarGlucose ? "mmol/L" : vital.unitText
    }

    /// An entry in these units.
    func text(of entry: RecordEntry) -> String {
        if case .calibration(let calibration) = entry.content {
            return calibration.text("\(digits(calibration.glucose, of: .glucose)) \(unit(of: .glucose))")
        }
        guard case .vital(let vital, let value, let site) = entry.content else { return entry.text }
        return "\(vital.text) \(digits(value, of: vital)) \(unit(of: vital))\(site.map { ", \($0.text)" } ?? "")"
    }

    /// A local time: `2026-01-02 03:04`.
    func minute(_ wall: Int64) -> String {
        var writer = HistoryText(offset: offset)
        return writer.minute(wall)
    }

    /// What became of an entry, and what is known of it beside its value.
    func fate(of entry: RecordEntry) -> String {
        var writer = HistoryText(offset: offset)
        return writer.fate(of: entry)
    }

    /// A local date: `2026-01-02`.
    func date(_ wall: Int64) -> String { String(minute(wall).prefix(10)) }

    /// The date of a day that begins at midnight.
    func date(_ day: PatientOverview.Day) -> String { date(day.range.lowerBound) }

    /// The local time's offset from UTC, in seconds to the east.
    func offset(_ wall: Int64) -> Int {
        // Rounded towards the past, so that the last millisecond before a change is before it.
        zone.offset(at: wall.subtractingSaturated((wall % 1000 + 1000) % 1000) / 1000)
    }

    /// The local time in a sentence without a full stop: "local time, UTC+01:00 (CET); UTC+02:00 until 2026-10-25".
    var zoneText: String {
        let name = zoneName.isEmpty ? "" : " (\(zoneName))"
        let changes = zone.changes.compactMap { change -> String? in
            let wall = change.moment.multipliedSaturated(by: 1000)
            guard overview.range.contains(wall) else { return nil }
            return "; \(Self.offsetText(change.offsetBefore)) until \(date(wall))"
        }
        return "local time, \(Self.offsetText(offset(now.wallMilliseconds)))\(name)" + changes.joined()
    }

    private static func offsetText(_ seconds: Int) -> String {
        func two(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let minutes = seconds.magnitude / 60
        return "UTC\(seconds < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
    }
}

// MARK: The answers

extension PatientReport {
    /// A question and its answer.
    struct Answer: Hashable {
        var question: String
        var answer: String
    }

    /// The questions that are asked on the telephone, and the answers.
    var answers: [Answer] {
        [
            Answer(question: "Fever", answer: feverText),
            Answer(question: "Highest temperature", answer: highestText),
            Answer(question: "Neutrophils", answer: neutrophilText),
            Answer(question: "MASCC risk index", answer: riskText),
            Answer(question: "Antipyretics", answer: antipyreticText),
            Answer(question: "Symptoms", answer: symptomText),
        ]
    }

    private var feverText: String {
        guard let fever = overview.fevers.last else {
            let none = "no alarm of a fever in these days"
            // Monitoring may have been off at the time of the measurement.
            guard let (value, day) = overview.highestTemperature, let limit = settings.fever.limits.min(),
                value >= limit
            else { return none }
            let text = "\(digits(value, of: .bodyTemperature)) \(unit(of: .bodyTemperature))"
            return "\(none), but \(text) was measured on \(date(day))"
        }
        if fever.ending == .open { return "since \(minute(fever.start))\(highest(of: fever)); no end is recorded" }
        return text(of: fever)
    }

    /// A fever with its beginning and its end: "from 2026-01-02 03:04 to 2026-01-02 09:00, highest 38.9 °C".
    func text(of fever: FeverEpisode) -> String {
        let end =
            switch fever.ending {
            case .ended(let wall): "to \(minute(wall))"
            case .interrupted(let wall): "to \(minute(wall)) at least, when monitoring ended"
            case .open: "on, no end is recorded"
            }
        return "from \(minute(fever.start)) \(end)\(highest(of: fever))"
    }

    private func highest(of fever: FeverEpisode) -> String {
        fever.highest.map { ", highest \(digits($0, of: .bodyTemperature)) \(unit(of: .bodyTemperature))" } ?? ""
    }

    private var highestText: String {
        guard let (value, day) = overview.highestTemperature else { return "not measured" }
        return "\(digits(value, of: .bodyTemperature)) \(unit(of: .bodyTemperature)) on \(date(day))"
    }

    private var neutrophilText: String {
        guard let count = overview.neutrophils else { return "unknown, no count was entered" }
        let taken = "\(count.perMicrolitre)/µL of \(minute(count.sampledAt))"
        let grade = NeutropeniaGrade(perMicrolitre: count.perMicrolitre).text
        return count.isValid(at: now)
            ? "\(taken), \(grade)"
            : "\(taken), older than seven days, so it counts as unknown"
    }

    private var riskText: String {
        guard let (index, moment) = overview.riskIndex else { return "not assessed" }
        let meaning =
            index.isHighRisk
            ? "high risk (< \(MASCCIndex.lowRisk): high risk)" : "low risk (< \(MASCCIndex.lowRisk): high risk)"
        let who = index.assessedBy.isEmpty ? "" : ", by \(index.assessedBy)"
        return "\(index.score) of \(MASCCIndex.maximum), \(meaning), of \(minute(moment.wallMilliseconds))\(who)"
    }

    /// What the risk index says, for people who do not know it.
    static let riskNote =
        "The MASCC risk index estimates the risk of a fever with neutropenia; below \(MASCCIndex.lowRisk) it is high."

    private var antipyreticText: String {
        guard let (medication, moment) = overview.antipyretics.last else { return "none was entered" }
        let count = overview.antipyretics.count
        let dose = medication.dose.map { " \($0.text)" } ?? ""
        return "\(count) \(count == 1 ? "dose" : "doses") in these days, the last \(medication.name)\(dose) at "
            + "\(minute(moment.wallMilliseconds)); they may hide a fever"
    }

    /// The newest rating of each symptom.
    private var symptomText: String {
        var seen: Set<String> = []
        let newest = overview.valid.reversed().compactMap { entry -> String? in
            guard case .symptom(let rating) = entry.content, seen.insert(rating.symptom.text).inserted else {
                return nil
            }
            return "\(rating.text), \(minute(entry.taken.wallMilliseconds))"
        }
        return newest.isEmpty ? "none was entered" : newest.joined(separator: "; ")
    }
}
