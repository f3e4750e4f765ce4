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

    struct Request {
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
                guard format == .fhir || format == .fhirWaves else {
                    throw arguments.mistake("--subject goes with --format fhir and fhir-waves only")
                }
                guard FHIRTransaction.isPatient(subject) else {
                    throw arguments.mistake(
                        "--subject takes a reference such as Patient/123, not '\(sanitized(subject))'")
                }
            }
            // As usual, `-` means standard output.
            output = arguments.value(of: .output).flatMap { $0 == "-" ? nil : $0 }
            isReplacing = arguments.has(.force)
            isSimulated = RecordedStore.isSimulated(arguments)
            store = arguments.value(of: .store)
            if format.content != .readings, format.content != .signals, history.vitals != nil {
                throw arguments.mistake("--vitals does not go with --format \(format.rawValue)")
            }
            if format.content == .nights || format.content == .ringFile, history.entries != nil {
                throw arguments.mistake("--vitals does not go with --format \(format.rawValue)")
            }
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
        switch request.format.content {
        case .signals, .nights, .ringFile: return try NightExport(request, history, record).run()
        case .readings, .rrIntervals, .waves: break
        }
        var output = try FileOutput(request.output, isReplacing: request.isReplacing)
        var count = 0
        do throws(StoreError) {
            let (asked, vitals) = (request.history.range, request.history.vitals)
            let range = asked.clamped(to: record.range)
            let content = request.format.content
            let isOfReadings = content == .readings
            func allEntries() throws(StoreError) -> RecordedEntries {
                try RecordedEntries(
                    history, in: isOfReadings ? asked : 0..<0, kinds: request.history.entries, patient: record.number)
            }
            // They are merged with the readings.
            var (entries, failure): (RecordedEntries, StoreError?) = (try allEntries(), nil)
            var encoder = request.format.encoder(
                sources: content == .waves
                    ? try history.waveSources(in: range)
                    : try history.sources(in: asked, of: record.range, vitals: vitals),
                entries: try survey(allEntries(), request.format, history),
                gaps: isOfReadings ? [] : try history.gaps(in: range), isSimulated: request.isSimulated,
                patient: request.subject)
            encoder.begin()
            try history.forEachReading(in: isOfReadings ? asked : 0..<0, of: record.range, vitals: vitals) { recorded in
                let wall = recorded.reading.moment.wallMilliseconds
                do throws(StoreError) {
                    guard try write(&entries, until: wall, by: &encoder, to: &output, &count) else { return false }
                } catch {
                    failure = error
                    return false
                }
                encoder.write(recorded)
                count += 1
                return output.write(&encoder)
            }
            try history.forEachRRIntervals(in: content == .rrIntervals ? range : 0..<0) { recorded in
                encoder.write(recorded)
                count += 1
                return output.write(&encoder)
            }
            try history.forEachWave(in: content == .waves ? range : 0..<0) { recorded in
                encoder.write(recorded)
                count += 1
                return output.write(&encoder)
            }
            if let failure { throw failure }
            _ = try write(&entries, until: .max, by: &encoder, to: &output, &count)
            encoder.end()
            _ = output.write(encoder.bytes)
        } catch {
            throw RecordedStore.failure(error)
        }
        let status = try output.finish(isReplacing: request.isReplacing)
        if count == 0, status == .success {
            complain(nothing(of: request.format.content))
        }
        return status
    }

    /// A sentence for an export that is empty.
    static func nothing(of content: ExportFormat.Content) -> String {
        switch content {
        case .readings: "No recordings match."
        case .rrIntervals: "No RR intervals match."
        case .waves: "No waves match; they are recorded with recording.waves = true."
        case .signals: "No recordings match."
        case .nights, .ringFile: "No nights match."
        }
    }

    /// Writes the entries up to a wall time, and counts them; returns whether more can be written.
    private static func write(
        _ entries: inout RecordedEntries, until wall: Int64, by encoder: inout any ReadingEncoder,
        to output: inout FileOutput, _ count: inout Int
    ) throws(StoreError) -> Bool {
        while let entry = try entries.next(until: wall) {
            encoder.write(entry)
            count += 1
            if !output.write(&encoder) { return false }
        }
        return true
    }

    /// What the encoder must know of the entries; all of them are read for it only where each may have a column.
    private static func survey(
        _ entries: RecordedEntries, _ format: ExportFormat, _ history: StoredHistory
    ) throws(StoreError) -> EntrySurvey {
        var (entries, survey) = (entries, EntrySurvey())
        if format == .csvWide {
            while let entry = try entries.next() { survey.add(entry) }
            return survey
        }
        for entry in try history.correctedEntries() { survey.add(entry) }
        survey.isEmpty = try entries.next() == nil
        return survey
    }
}
