import CommandLineInterface
import Configuration
import Dashboard
import Formats
import Monitor
import Monitoring
import Recording
import Sensors
import VitalDecoders
import Vitals

/// `bedside report`: prints the last days of a patient, day by day, with the record beside them.
enum ReportCommand {
    /// Prints the report.
    ///
    /// - Throws: ``CommandError`` for invalid options or unreadable data.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        let days = try days(arguments)
        let settings = try Settings.toStart(arguments)
        let limits = PastLimits(settings.monitorSettings)
        let now = Moment.now()
        let isSimulated = arguments.has(.simulatedStore)
        let choice = try RecordChoice(arguments)
        guard let history = try RecordedStore.open(of: settings.patient.name, isSimulated: isSimulated) else {
            return .success
        }
        let calendar = LocalDay { LocalHour.offset(at: $0) }
        guard let record = try choice.select(in: history) else { return .success }
        // The days of a closed record are its last ones.
        let end = record.until ?? now.wallMilliseconds
        let start = calendar.start(ofDays: days, until: end)
        var report = PatientReport(
            range: start..<end + 1, patient: settings.patient.name, isSimulated: isSimulated, now: now)
        do {
            report.entries = try history.recordEntries(in: report.range, patient: record.number)
            try history.forEachHour(
                in: report.range.clamped(to: record.range), hour: calendar.containing, isOutside: limits.isOutside
            ) {
                report.summaries += $0
            }
        } catch {
            throw RecordedStore.failure(error)
        }
        if report.isEmpty {
            complain("No recordings match.")
            return .success
        }
        if arguments.has(.json) {
            var encoder = WatchEncoder(isSimulated: isSimulated, patient: settings.patient.name)
            for entry in report.entries { encoder.write(entry) }
            for summary in report.summaries { encoder.write(summary, by: "day") }
            return printText(encoder.takeLines { String(decoding: $0, as: UTF8.self) })
        }
        var text = HistoryText { LocalHour.offset(at: $0) }
        let isFahrenheit = DisplayUnits(settings).temperature == .fahrenheit
        return printText(text.report(report, unit: TemperatureText(isFahrenheit: isFahrenheit)))
    }

    private static func days(_ arguments: CommandLineArguments) throws(CommandError) -> Int {
        guard let word = arguments.value(of: .days) else { return 14 }
        guard let days = Int(word), (1...366).contains(days) else {
            throw CommandError(
                UsageError("--days takes a number from 1 to 366, not '\(sanitized(word))'", subcommand: .report)
                    .description, status: .usage)
        }
        return days
    }
}
