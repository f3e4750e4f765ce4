import Base
import CommandLineInterface
import Configuration
import EventLoops
import Formats
import Glibc
import Engine
import Recording
import Sensors
import UserFiles
import Vitals

/// `bedside export`: writes recorded readings for other programs, in constant memory.
enum ExportCommand {
    /// Writes the selected readings.
    ///
    /// - Throws: ``CommandError`` for invalid options, or data that cannot be read or written.
    static func run(_ arguments: CommandLineArguments) throws(CommandError) -> ExitStatus {
        try export(Request(arguments))
    }

    private struct Request {
        private static let subjectForm = TextForm("(https?://[^[:space:]\"\\]+/)?Patient/[A-Za-z0-9.-]{1,64}")

        var format: ExportFormat
        var history: HistoryRequest
        var patient: PatientName?
        var subject: String?
        var output: String?
        var isReplacing: Bool
        var isSimulated: Bool
        var record: RecordChoice
        var store: String?

        init(_ arguments: CommandLineArguments) throws(CommandError) {
            history = try HistoryRequest(arguments, start: .min, end: .max, now: Moment.now().wallMilliseconds)
            format = try arguments[.exportFormat] ?? .csv
            patient = try Settings.patient(arguments)
            record = try RecordChoice(arguments)
            subject = arguments.value(of: .subject)
            if let subject {
                guard format == .fhir else { throw arguments.mistake("--subject goes with --format fhir only") }
                guard Self.subjectForm.groups(of: subject) != nil else {
                    throw arguments.mistake(
                        "--subject takes a reference such as Patient/123, not '\(sanitized(subject))'")
                }
            }
            // As usual, `-` means standard output.
            output = arguments.value(of: .output).flatMap { $0 == "-" ? nil : $0 }
            isReplacing = arguments.has(.force)
            isSimulated = RecordedStore.isSimulated(arguments)
            store = arguments.value(of: .store)
            if format == .rr, history.vitals != nil { throw arguments.mistake("--vitals does not go with --format rr") }
            if isReplacing, output == nil { throw arguments.mistake("--force goes with --output only") }
        }
    }

    private static func export(_ request: Request) throws(CommandError) -> ExitStatus {
        try FileOutput.refuseStore(request.output, of: request.patient, beside: request.store)
        guard
            let history = try RecordedStore.open(
                of: request.patient, isSimulated: request.isSimulated, file: request.store)
        else {
            return .success
        }
        guard let record = try request.record.select(in: history) else { return .success }
        var output = try FileOutput(request.output, isReplacing: request.isReplacing)
        var count = 0
        do {
            let (asked, vitals) = (request.history.range, request.history.vitals)
            let range = asked.clamped(to: record.range)
            // Manual entries are few: they are held in memory and merged with the readings.
            let isOfReadings = request.format != .rr
            let entries =
                isOfReadings
                ? try history.recordEntries(in: asked, kinds: request.history.entries, patient: record.number) : []
            var encoder = request.format.encoder(
                sources: try history.sources(in: asked, of: record.range, vitals: vitals), entries: entries,
                gaps: isOfReadings ? [] : try history.gaps(in: range), isSimulated: request.isSimulated,
                patient: request.subject)
            encoder.begin()
            var next = 0
            try history.forEachReading(in: isOfReadings ? asked : 0..<0, of: record.range, vitals: vitals) { recorded in
                while next < entries.count,
                    entries[next].entry.taken.wallMilliseconds <= recorded.reading.moment.wallMilliseconds
                {
                    encoder.write(entries[next])
                    next += 1
                }
                encoder.write(recorded)
                count += 1
                return output.write(&encoder)
            }
            try history.forEachRRIntervals(in: isOfReadings ? 0..<0 : range) { recorded in
                encoder.write(recorded)
                count += 1
                return output.write(&encoder)
            }
            for entry in entries[next...] { encoder.write(entry) }
            count += entries.count
            encoder.end()
            _ = output.write(encoder.bytes)
        } catch {
            throw RecordedStore.failure(error)
        }
        let status = try output.finish(isReplacing: request.isReplacing)
        if count == 0, status == .success {
            complain(request.format == .rr ? "No RR intervals match." : "No recordings match.")
        }
        return status
    }
}
