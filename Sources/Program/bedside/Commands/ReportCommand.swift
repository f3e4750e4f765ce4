import Base
import CommandLineInterface
import Configuration
import Dashboard
import Formats
import Engine
import Monitoring
import Nights
import Recording
import Vitals
import Wording

/// `bedside report`: prints the last days of a patient, day by day, beside the record.
enum ReportCommand {
    /// Prints the report.
    ///
    /// - Throws: ``CommandError`` for invalid options, or data that cannot be read or written.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        let (days, format) = (try arguments[.days] ?? 14, try format(arguments))
        // As usual, `-` means standard output.
        let output = arguments.value(of: .output).flatMap { $0 == "-" ? nil : $0 }
        if arguments.has(.force), output == nil {
            throw arguments.mistake("--force goes with --output only")
        }
        let settings = try Settings.toStart(arguments)
        try FileOutput.refuseStore(output, of: settings.patient.name)
        let isSimulated = arguments.has(.simulatedStore)
        let choice = try RecordChoice(arguments)
        guard let history = try RecordedStore.open(of: settings.patient.name, isSimulated: isSimulated) else {
            return .success
        }
        guard let record = try choice.select(in: history) else { return .success }
        let report = try report(of: days, record, in: history, settings, isSimulated: isSimulated)
        if report.isEmpty {
            complain("No recordings match.")
            return .success
        }
        return try FileOutput.write(text(of: report, format), to: output, isReplacing: arguments.has(.force))
    }

    private static func report(
        of days: Int, _ record: RecordChoice.Selection, in history: StoredHistory, _ settings: Settings,
        isSimulated: Bool
    ) throws(CommandError) -> PatientReport {
        let now = Moment.now()
        let limits = PastLimits(settings.monitorSettings)
        // The days of a closed record are its last ones.
        let end = min(now.wallMilliseconds, (record.until ?? .max) - 1)
        let days = LocalDay { LocalHour.offset(at: $0) }.last(days, until: end)
        var overview: PatientOverview
        do {
            overview = try history.overview(of: days, in: record.range, patient: record.number)
            for (place, day) in days.enumerated() {
                overview.days[place] = try history.figures(
                    of: day, now: end, entries: overview.entries, in: record.range, isOutside: limits.isOutside)
            }
        } catch {
            throw RecordedStore.failure(error)
        }
        let night: PatientNight?
        do {
            night = try lastNight(of: days, in: record.range, history)
        } catch {
            throw RecordedStore.failure(error)
        }
        let (from, to) = (overview.range.lowerBound / 1000, now.wallMilliseconds / 1000)
        var report = PatientReport(
            overview, patient: settings.patient.name, isSimulated: isSimulated, now: now,
            zone: .ofSystem(from: from, to: to), zoneName: LocalTimeZone.systemName(at: to),
            values: ValueText(DisplayUnits(settings)), settings: settings.monitorSettings)
        report.night = night
        return report
    }

    /// The last night of these days that is long enough.
    private static func lastNight(
        of days: [Range<Int64>], in record: Range<Int64>, _ history: StoredHistory
    ) throws(StoreError) -> PatientNight? {
        guard let first = days.first, let last = days.last else { return nil }
        let range = (first.lowerBound..<max(first.lowerBound, last.upperBound)).clamped(to: record)
        let times = try history.nightTimes(in: range)
        var found: PatientNight?
        for window in LocalDay(beginsAt: 12, offset: { LocalHour.offset(at: $0) }).all(of: times).reversed()
        where found == nil {
            try history.forEachPatientNight(of: [window], in: record) {
                if $0.isLongEnough { found = $0 }
                return true
            }
        }
        return found
    }

    private static func text(of report: PatientReport, _ format: Format) -> String {
        switch format {
        case .text: return report.text()
        case .html: return report.html()
        case .json:
            var encoder = WatchEncoder(isSimulated: report.isSimulated, patient: report.patient)
            encoder.write(report)
            return encoder.takeLines { String(decoding: $0, as: UTF8.self) }
        }
    }

    /// The formats of a report.
    enum Format: String, CaseIterable {
        case text, json, html
    }

    private static func format(_ arguments: CommandLineArguments) throws(CommandError) -> Format {
        guard let format = try arguments[.reportFormat] else { return arguments.has(.json) ? .json : .text }
        if arguments.has(.json), format != .json {
            throw arguments.mistake("--json and --format \(format.rawValue) contradict each other")
        }
        return format
    }
}
